import { Vane } from '#site/ui/Vane.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import { communityPath } from './community-list-view.ts';
import styles from './CommunityPoll.module.css';
import type { CommunityPollProblemKind } from './community-poll.ts';

const texts = communityPollTexts.problems;

interface CommunityPollProblemProps {
  readonly kind: CommunityPollProblemKind;
  /** Path of the page. */
  readonly path: string;
  /** Occurred while the page was open, so it is announced. */
  readonly live?: boolean;
}

/** Shown instead of a community poll that is private, missing, or unavailable. */
export function CommunityPollProblem({ kind, path, live = false }: CommunityPollProblemProps) {
  const { title, text } = texts[kind];
  return (
    <div className={`page-problem ${styles.pageProblem}`} {...(live && { role: 'alert' })}>
      <Vane share={0.08} dial />
      <h1>{title}</h1>
      <p className="lede">{text}</p>
      <p className="row">
        {kind === 'signIn' && (
          <a className="button button--primary" href={`/api/login?next=${encodeURIComponent(path)}`}>
            {texts.login}
          </a>
        )}
        {kind === 'unavailable' && (
          <a className="button button--primary" href={path}>
            {texts.retry}
          </a>
        )}
        <a
          className={kind === 'notFound' || kind === 'denied' ? 'button button--primary' : 'button'}
          href={communityPath}
        >
          {communityPollTexts.back}
        </a>
      </p>
    </div>
  );
}
