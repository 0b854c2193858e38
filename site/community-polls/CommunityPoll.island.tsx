import { useSyncExternalStore } from 'react';
import type { CommunityPoll as Poll } from '#contract/community-poll.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { keepToast } from '#site/ui/kept-toast.ts';
import { communityPollTexts as texts } from '#texts/community-poll.ts';
import { communityPath } from './community-list-view.ts';
import styles from './CommunityPoll.module.css';
import { CommunityPollHead } from './CommunityPollHead.tsx';
import { CommunityPollProblem } from './CommunityPollProblem.tsx';
import { CommunityPollShare } from './CommunityPollShare.tsx';
import { CommunityPollTools } from './CommunityPollTools.tsx';
import { CommunityPollVote } from './CommunityPollVote.tsx';
import { InvitesPanel } from './InvitesPanel.tsx';
import { problemOf, useCommunityPoll } from './use-community-poll.ts';

interface CommunityPollProps {
  /** The poll when the page was rendered. */
  readonly poll: Poll;
  readonly readAt: string;
  /** Voting had begun by the server's clock. */
  readonly begun: boolean;
  /** The page's public address. */
  readonly url: string;
}

const tickMs = 1_000;

/** Whether voting has begun: it had when the page was rendered, or the moment has come since. */
function useBegun(startsAt: string, atFirst: boolean): boolean {
  const subscribe = (tick: () => void) => {
    if (atFirst) return () => undefined;
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  };
  const now = useSyncExternalStore(
    subscribe,
    () => Date.now() >= Date.parse(startsAt),
    () => false,
  );
  return atFirst || now;
}

/** One community poll: what it is, voting and results, live, and what its creator may do. */
export default function CommunityPoll({ poll: rendered, readAt, begun: begunAtFirst, url }: CommunityPollProps) {
  const { data: poll, error, isFetching } = useCommunityPoll(rendered, readAt);
  const begun = useBegun(poll.startsAt, begunAtFirst);
  const problem = problemOf(error);
  if (problem !== null) return <CommunityPollProblem kind={problem} path={`${communityPath}/${poll.id}`} live />;
  return (
    <>
      <article className={styles.poll}>
        <CommunityPollHead poll={poll} begun={begun} />
        <CommunityPollVote poll={poll} begun={begun} />
        {error && (
          <div className={styles.stale} role="alert">
            <p>{texts.stale}</p>
            <RetryButton pending={isFetching} small />
          </div>
        )}
      </article>
      <div className={`no-print ${styles.side}`}>
        {poll.isMine && poll.visibility === 'private' && <InvitesPanel pollId={poll.id} />}
        <CommunityPollShare poll={poll} url={url} />
        {poll.isMine && (
          <CommunityPollTools
            poll={poll}
            onDeleted={() => {
              keepToast({ title: texts.toasts.deleted, text: texts.toasts.deletedText });
              location.assign(communityPath);
            }}
          />
        )}
      </div>
    </>
  );
}
