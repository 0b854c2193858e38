import type { RefObject } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import type { VoteStatus } from '#contract/community-poll.endpoints.ts';
import { leadOf, percentWhole } from '#domain/poll-results.ts';
import { showsResults } from '#domain/poll-visibility.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { takeRead } from '#site/client/early-reads.ts';
import { deviceId } from '#site/client/device-id.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { formatMoment, formatPercent } from '#site/ui/format.ts';
import { useShownZone } from '#site/ui/RelativeTime.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { AfterVote } from '#site/polls/voting/AfterVote.tsx';
import { Ballot } from '#site/polls/voting/Ballot.tsx';
import { countedOptions, isClosed } from '#site/polls/voting/ballot.ts';
import type { VoteState } from '#site/polls/voting/ballot.ts';
import { GuessSwitch, useGuess } from '#site/polls/voting/use-guess.tsx';
import { useCastVote } from '#site/polls/voting/use-cast-vote.ts';
import type { VoteCall } from '#site/polls/voting/use-cast-vote.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPollVote.module.css';
import { setPollInCache } from './community-poll.ts';

const { voting: texts, toasts } = communityPollTexts;

const communityVote: VoteCall<CommunityPoll> = {
  async send(id, optionId, proof) {
    const body = { optionId, voterFingerprint: deviceId() };
    const { receipt, promise, ...poll } = await callApi('communityVote', { params: { id }, body, ...proof });
    return { poll, given: { receipt, promise } };
  },
  pagePath: (id) => `/community-polls/${id}`,
  show: setPollInCache,
  refetch: (id) => void queryClient().invalidateQueries({ queryKey: queryKeys.communityPoll(id) }),
  recordedText: (voted) => (secretOf(voted) === undefined ? toasts.recordedText : toasts.secret[visibilityOf(voted)]),
  toasts,
};

const visibilityOf = ({ resultVisibility = 'after-voting' }: CommunityPoll) => resultVisibility;

/** Why this visitor doesn’t see the results; undefined for one who does, even if they are still on their way. */
function secretOf(poll: CommunityPoll): string | undefined {
  const viewer = { isCreator: poll.isMine, hasVoted: poll.hasVoted };
  return showsResults(visibilityOf(poll), viewer, isClosed(poll)) ? undefined : texts.secret[visibilityOf(poll)];
}

interface CommunityPollVoteProps {
  readonly poll: CommunityPoll;
  /** Voting has started. */
  readonly started: boolean;
}

/** The ballot of a community poll. */
export function CommunityPollVote({ poll: requested, started }: CommunityPollVoteProps) {
  const status = useVoteStatus(requested.id);
  const poll = status?.hasVoted
    ? { ...requested, hasVoted: true, userVote: requested.userVote ?? status.optionId ?? null }
    : requested;
  const options = countedOptions(poll);
  const { vote, guess, guessed } = useGuess(poll, useCastVote(poll, communityVote, started), {
    seen: options !== null,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const leading = options && leadOf({ ...poll, options }).leaders[0];
  return (
    <section aria-labelledby={headingId}>
      <Ballot
        poll={poll}
        vote={vote}
        texts={texts}
        labelledBy={headingId}
        hidden={secretOf(poll)}
        head={
          <Head
            poll={poll}
            kind={vote.state.kind}
            isSecret={options === null}
            chosen={poll.options.find(({ id }) => id === poll.userVote)?.text}
            leading={guess === null ? leading?.votes : undefined}
            headingId={headingId}
            headingRef={heading}
          />
        }
        votedHead={
          <Head poll={poll} kind={isClosed(poll) ? 'closed' : 'voted'} chosen="" leading={0} headingId={headingId} />
        }
        guess={guess}
        after={
          <AfterVote poll={poll} path={communityVote.pagePath(poll.id)} isPublic={poll.visibility === 'public'}>
            {guessed}
            {/* Only where the vote shows the results is there something to guess. */}
            {visibilityOf(poll) === 'after-voting' && !poll.isMine && <GuessSwitch />}
          </AfterVote>
        }
        focusAfterVote={heading}
      />
      <ResultsSoFar poll={poll} state={vote.state} />
    </section>
  );
}

interface HeadProps {
  readonly poll: CommunityPoll;
  readonly kind: VoteState['kind'];
  /** The results don’t show yet, or not to this visitor. */
  readonly isSecret?: boolean;
  /** This voter’s answer, if known. */
  readonly chosen: string | undefined;
  /** Votes of the leading answer. */
  readonly leading: number | undefined;
  readonly headingId: string;
  readonly headingRef?: RefObject<HTMLHeadingElement | null>;
}

/** Results for those who see them without having voted: the creator, or everyone. */
function ResultsSoFar({ poll, state: { kind } }: { readonly poll: CommunityPoll; readonly state: VoteState }) {
  const options = countedOptions(poll);
  if (options === null || kind === 'voted' || kind === 'closed' || poll.totalVotes === 0) return null;
  return (
    <section className={styles.soFar} aria-label={texts.soFar}>
      <h3>{texts.soFar}</h3>
      <ResultBars options={options} totalVotes={poll.totalVotes} />
    </section>
  );
}

/** What the ballot shows, and what this voter chose. */
function Head({ poll, kind, isSecret = false, chosen, leading, headingId, headingRef }: HeadProps) {
  const closed = kind === 'closed';
  const decided = closed || kind === 'voted';
  const zone = useShownZone();
  const visibility = visibilityOf(poll);
  return (
    <header className={styles.head} data-part="head" data-vane={texts.vane('#')}>
      <div className={styles.body}>
        <h2 id={headingId} ref={headingRef} className={styles.heading} tabIndex={-1}>
          {closed
            ? isSecret
              ? texts.closed
              : texts.results
            : decided
              ? isSecret
                ? texts.recorded
                : texts.live
              : texts.legend}
        </h2>
        {decided && chosen !== undefined && (
          <p>
            {texts.thanks.before}
            <strong dir="auto" data-part="chosen">
              {chosen}
            </strong>
            {texts.thanks.after}
          </p>
        )}
        {kind === 'voted' && chosen === undefined && <p>{texts.thanksPlain}</p>}
        {kind !== 'voted' && (
          <p className="muted small">
            {closed
              ? texts.ended
              : kind === 'upcoming'
                ? texts.upcoming(formatMoment(poll.startsAt, zone))
                : isSecret || visibility === 'always'
                  ? texts.secret[visibility]
                  : texts.own}
          </p>
        )}
        {poll.visibility === 'private' && (kind === 'unvoted' || kind === 'pending') && (
          <p className="muted small">
            {visibility === 'after-voting' || visibility === 'always' ? texts.watched : texts.watchedByCreator}
          </p>
        )}
      </div>
      {/* At rest before the vote, so that nothing moves after it. */}
      {kind !== 'upcoming' && (
        <Vane
          className={styles.vane}
          dial
          {...(decided &&
            leading !== undefined && {
              share: Math.min(1, leading / poll.totalVotes),
              label: texts.vane(formatPercent(percentWhole(leading, poll.totalVotes), 0)),
            })}
        />
      )}
    </header>
  );
}

/** Whether this voter has voted, requested once on hydration; undefined until then and on failure. */
function useVoteStatus(pollId: string): VoteStatus | undefined {
  const [early] = useState(() => takeRead<VoteStatus>('communityVoteStatus'));
  const [status, setStatus] = useState(early?.data);

  useEffect(() => {
    if (early?.data !== undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    const request =
      early?.take() ??
      callApi('communityVoteStatus', { params: { id: pollId }, query: { fingerprint: deviceId() }, signal });
    request.then(setStatus, (error: unknown) => {
      if (!abort.signal.aborted)
        console.warn(communityPollTexts.unlogged, error instanceof ApiError ? error.status : error);
    });
    return () => abort.abort();
  }, [pollId, early]);

  return status;
}
