import { Vane } from '#site/ui/Vane.tsx';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { problemTexts as texts } from '#texts/poll-problems.ts';
import styles from './PollPage.module.css';
import type { PollProblemKind } from '#site/polls/voting/use-poll.ts';

interface PollProblemProps {
  readonly kind: PollProblemKind;
  /** Path of the page. */
  readonly path: string;
  /** Occurred while the page was open, so it is announced. */
  readonly live?: boolean;
}

/** Shown instead of a poll that is private, missing, or unavailable. */
export function PollProblem({ kind, path, live = false }: PollProblemProps) {
  const { title, text } = texts[kind];
  const community = path.startsWith(communityPath);
  return (
    <div className={`page-problem ${styles.problem}`} {...(live && { role: 'alert' })}>
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
          href={community ? communityPath : '/'}
        >
          {community ? texts.back.community : texts.back.weekly}
        </a>
      </p>
    </div>
  );
}
