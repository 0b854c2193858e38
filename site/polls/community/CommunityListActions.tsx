import { signInAddress } from '#domain/next-path.ts';
import type { Auth } from '#site/client/auth.tsx';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { communityTexts as texts } from '#texts/community.ts';
import styles from './CommunityList.module.css';

/** The address of the form for a new poll. */
export const newPollPath = `${communityPath}/new`;

/** The link to the form for a new poll, or to sign in. */
export function CommunityListActions({ auth }: { readonly auth: Auth }) {
  const login = (
    <a className="button" href={signInAddress(newPollPath)}>
      {texts.login}
    </a>
  );
  return (
    <div className={styles.actions}>
      {auth.status === 'signed-in' ? (
        <a className="button button--primary" href={newPollPath}>
          {texts.create}
        </a>
      ) : auth.status === 'signed-out' ? (
        login
      ) : (
        // Sign-in status unknown: for likely members the link only reserves the space of the button.
        <div className={styles.reserved}>{login}</div>
      )}
    </div>
  );
}
