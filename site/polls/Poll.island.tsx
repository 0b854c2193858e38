import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { Protection } from '#contract/vocabulary.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { partsOf } from '#site/polls/community/CommunityParts.tsx';
import { countedOptions, isClosed, isCommunity, ownVotes, pollPath } from '#site/polls/voting/ballot.ts';
import type { BallotParts } from '#site/polls/voting/Ballot.tsx';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { VoteFigures } from '#site/ui/VoteFigures.tsx';
import { voteFigureTexts } from '#texts/integrity.ts';
import { openPollTexts as texts } from '#texts/open-poll.ts';
import styles from './PollPage.module.css';
import { ShareBox } from './ShareBox.tsx';
import { useActivePolls } from '#site/polls/voting/shown-polls.ts';
import { problemOf, usePoll } from '#site/polls/voting/use-poll.ts';
import { VoteCard } from '#site/polls/voting/VoteCard.tsx';

const PollProblem = lazy(() => import('./PollProblem.tsx').then((module) => ({ default: module.PollProblem })));

interface PollPageProps {
  /** The poll when the page was published or rendered. */
  readonly poll: AnyPoll;
  readonly readAt: string;
  /** The page’s public address. */
  readonly url: string;
  /** HTML that embeds the poll on other sites. */
  readonly embedCode?: string;
  /** Voting had started by the server’s clock. */
  readonly started?: boolean;
  /** The levels of protection that this site offers. */
  readonly protections?: readonly Protection[];
  /** Path of the page with the results for visitors who don’t vote. */
  readonly resultsPath?: string;
  /** What only the ballots of some polls have. */
  readonly ballot?: Pick<BallotParts, 'several' | 'written'>;
  /** The poll has not started; only people with a preview link can see it. */
  readonly preview?: boolean;
}

const tickMs = 1_000;

/** Whether voting has started, at rendering or since. */
function useStarted(startsAt: string, startedAtRender: boolean): boolean {
  const subscribe = (tick: () => void) => {
    if (startedAtRender) return () => undefined;
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  };
  const now = useSyncExternalStore(
    subscribe,
    () => Date.now() >= Date.parse(startsAt),
    () => false,
  );
  return startedAtRender || now;
}

/** The creator’s tools, which nobody else’s browser loads; data is undefined until they are loaded. */
const useCreatorTools = (isMine: boolean) =>
  useQuery(
    {
      queryKey: ['creatorTools'],
      queryFn: () => import('./community/creator-tools.ts'),
      enabled: isMine,
      refetchOnMount: false,
    },
    queryClient(),
  );

/** The page of a poll to vote on: the poll with its ballot and live results, figures, sharing, and the creator’s tools. */
export default function PollPage(props: PollPageProps) {
  const { readAt, url, embedCode, resultsPath, protections = [], preview = false } = props;
  const { poll, error, isFetching } = usePoll(props.poll, readAt);
  const community = isCommunity(poll);
  const parts = partsOf(poll, props.ballot);
  const started = useStarted(poll.startsAt, props.started ?? true);
  const tools = useCreatorTools(community && poll.isMine);
  // For what is shown after the vote.
  useActivePolls([], readAt, !community);
  // A poll that has become a ranked one while this page was open has to be loaded anew.
  const problem = problemOf(error) ?? (poll.method === 'ranked' && !props.ballot ? 'unavailable' : null);
  if (problem !== null)
    return (
      <Suspense>
        <PollProblem kind={problem} path={pollPath(poll)} live />
      </Suspense>
    );
  const creator = community && poll.isMine ? tools.data : undefined;
  return (
    <>
      <div className={styles.main}>
        {isClosed(poll) && !community ? (
          <JustClosed poll={poll} />
        ) : (
          <>
            <VoteCard poll={poll} variant="page" started={started} parts={parts} />
            {resultsPath !== undefined && !isClosed(poll) && poll.isMine !== true && (
              <p className={`no-print ${styles.look}`}>
                <a href={resultsPath} rel="nofollow">
                  {texts.look}
                </a>{' '}
                <span className="muted small">{texts.lookNote}</span>
              </p>
            )}
          </>
        )}
        {(error ?? tools.error) && (
          <div className={styles.stale} role="alert">
            <p>{error ? texts.stale : texts.toolsFailed}</p>
            <RetryButton pending={isFetching || tools.isFetching} small />
          </div>
        )}
      </div>
      <div className={`${community ? 'no-print ' : ''}${styles.side}`}>
        {!community && <Tiles poll={poll} preview={preview} />}
        {creator && poll.visibility === 'private' && <creator.InvitesPanel pollId={poll.id} />}
        {creator && community && <creator.WrittenAnswers poll={poll} />}
        {creator && <creator.OwnFlags pollId={poll.id} />}
        {creator && <creator.BlockedMembers pollId={poll.id} />}
        {!preview && (
          <div className="no-print">
            <ShareBox poll={poll} url={url} embedCode={embedCode} />
          </div>
        )}
        {creator && community && <creator.CommunityPollTools poll={poll} protections={protections} />}
      </div>
    </>
  );
}

/** A weekly poll whose report isn’t published yet: its results. */
function JustClosed({ poll }: { readonly poll: AnyPoll }) {
  return (
    <article className={`card ${styles.closed}`}>
      <p className="row">
        <span className="tag tag--solid">{texts.closedTitle}</span>
        {poll.category !== null && poll.category !== '' && (
          <span className="kicker kicker--quiet" dir="auto">
            {categoryLabel(poll.category)}
          </span>
        )}
      </p>
      <h1 dir="auto">{poll.question}</h1>
      <p className="lede">{texts.closedText}</p>
      <ResultBars
        options={countedOptions(poll) ?? []}
        totalVotes={poll.totalVotes}
        userVotes={ownVotes(poll)}
        decimals={1}
      />
      <VoteFigures poll={poll} />
      <p>
        <a className="button" href={pollPath(poll)}>
          {texts.openReport}
        </a>
      </p>
    </article>
  );
}

/** Three figures about a weekly poll. */
function Tiles({ poll, preview }: { readonly poll: AnyPoll; readonly preview: boolean }) {
  const closed = isClosed(poll);
  return (
    <>
      <dl className={styles.tiles} aria-label={texts.tilesHeading}>
        <div>
          <dt>{texts.totalVotes}</dt>
          <dd data-total>{formatCount(poll.totalVotes)}</dd>
        </div>
        <div>
          <dt>{texts.status}</dt>
          <dd>{closed ? texts.statusHistorical : preview ? texts.statusScheduled : texts.statusActive}</dd>
        </div>
        <div>
          <dt>{closed ? texts.ended : preview ? texts.starts : texts.ends}</dt>
          <dd>
            <RelativeTime moment={preview ? poll.startsAt : (poll.closedAt ?? poll.endsAt ?? '')} isDeadline />
          </dd>
        </div>
      </dl>
      {poll.publishBallots === false && <p className="muted small">{voteFigureTexts.unpublished}</p>}
    </>
  );
}
