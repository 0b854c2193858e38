import type { User } from '#contract/account.ts';
import { displayName } from '#domain/display-name.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { formatDay } from '#site/ui/format.ts';
import { profileTexts as texts } from '#texts/profile.ts';
import styles from './Person.module.css';

/** Who this is: picture, name, email, since when. */
export function Person({ user }: { readonly user: User | null }) {
  if (user === null)
    return (
      <header className={styles.person}>
        <span className={`skeleton ${styles.picture}`} />
        <div className={styles.words}>
          <span className={`skeleton ${styles.name}`} />
          <span className={`skeleton ${styles.line}`} />
        </div>
        <span className={`skeleton ${styles.settings} ${styles.button}`} />
      </header>
    );
  const name = displayName(user);
  return (
    <header className={styles.person}>
      <Avatar person={{ ...user, name }} size="large" />
      <div className={styles.words}>
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        <p className={styles.facts}>
          {user.email !== null && <span dir="auto">{user.email}</span>}
          <span>
            {texts.joined} <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
          </span>
        </p>
      </div>
      <a className={`button button--small ${styles.settings}`} href="/profile/account">
        {texts.settings}
      </a>
    </header>
  );
}
