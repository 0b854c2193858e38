import { memberMarkTexts as texts } from '#texts/member-name.ts';
import styles from './MemberName.module.css';

/** What a member is called, and what the member is on this site and poll. */
interface Member {
  readonly name: string;
  readonly username: string;
  /** The creator of the poll. */
  readonly isCreator?: boolean | undefined;
  /** An operator of the site. */
  readonly isStaff?: boolean | undefined;
}

/** A member’s name with the username, which nobody else has, and marks; names can be alike. */
export function MemberName({ member: { name, username, isCreator, isStaff } }: { readonly member: Member }) {
  return (
    <span className={styles.member}>
      {name !== username && <bdi className={styles.name}>{name}</bdi>}
      <bdi className={name === username ? styles.name : styles.username}>{` @${username}`}</bdi>
      {isCreator && <span className="tag">{texts.creator}</span>}
      {isStaff && <span className="tag tag--solid">{texts.staff}</span>}
    </span>
  );
}
