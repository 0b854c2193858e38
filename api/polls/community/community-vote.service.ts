import type { VoteStatus } from './community-polls.contract.ts';
import { byCircumstance } from '#domain/integrity/vote-traits.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import type { Logger } from '#platform/logger.ts';
import type { DecisionContext } from '#api/voting/decisions.service.ts';
import type { BallotKind, Tally } from '#api/voting/voting.service.ts';
import type { Voter } from '#api/voting/voter.ts';
import { choiceOf, isSameChoice } from '#api/voting/choices.model.ts';
import { recordedVotes, votePollsCached, voteTextsMs } from '#api/voting/voting.service.ts';
import { accessTo } from './access.service.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import type { PresentedPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import { guestsSeenBy, withRunoff } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { castWriteIn } from './write-ins.service.ts';

/** Community polls in answers to votes: the counts of the commit that recorded the vote, and texts from a cache. */
export function communityBallots(context: DecisionContext & { readonly log: Logger }): BallotKind {
  const { db, clock } = context;
  const limits = { ms: voteTextsMs, maxEntries: votePollsCached };
  const polls = new TtlCache(async (id) => {
    const poll = await findCommunityPoll(db, id);
    if (!poll) throw errors.pollNotFound();
    return poll;
  }, limits);
  return {
    kind: 'community',
    hidesUpcoming: false,
    recordWriteIn: (vote) => castWriteIn(context, vote),
    async authorize(pollId, userId) {
      const { visibility } = await polls.get(pollId);
      // The intake knows whether the poll still exists and takes votes; guests come and go.
      if (visibility === 'private') await accessTo({ db, now: clock.now() }, pollId, userId);
    },
    async present(tally, voter, recorded) {
      // A poll that was taken down takes no votes; an edit before the first vote replaces the options.
      const isFresh = (cached: PresentedPoll) =>
        Boolean(cached.ballot.is_active) === tally.isActive &&
        isShowing(cached, tally) &&
        isSameChoice(choiceOf(cached.ballot), tally.choice);
      const poll = await polls.get(tally.ballotId, isFresh);
      if (poll.taken_down_by !== null && poll.created_by !== voter.userId) throw errors.pollNotFound();
      const guests = await guestsSeenBy(db, [poll], voter.userId);
      const counted = withTally(poll, tally);
      const now = clock.now();
      const viewed = presentCommunityPoll(counted, now, { ...voter, guests });
      const presented = await withRunoff(db, counted.ballot, viewed, now);
      if (recorded === undefined) return JSON.stringify(presented);
      const { receipt, promise } = recorded;
      return `${JSON.stringify({ ...presented, receipt }).slice(0, -1)},"promise":${promise()}}`;
    },
  };
}

/** Whether a poll has the options with the votes of a commit: those offered, and written answers that were merged into them. */
function isShowing({ ballot }: PresentedPoll, { options }: Tally): boolean {
  const shown = new Set(ballot.options.flatMap(({ option_id: id, merged = [] }) => [id, ...merged]));
  return (
    ballot.options.every(({ option_id: id }) => options.some((option) => option.id === id)) &&
    options.every(({ id, offered, votes }) => shown.has(id) || (!offered && votes === 0 && ballot.written?.has(id)))
  );
}

/** The poll with the counts and the state of the commit that carried a vote. */
function withTally(poll: PresentedPoll, tally: Tally): PresentedPoll {
  const { isActive, startsAt: starts_at, endsAt: ends_at, closedAt: closed_at, totalVotes: total_votes } = tally;
  const votes = new Map(tally.options.map((option) => [option.id, option.votes]));
  const options = poll.ballot.options.map((option) => ({
    ...option,
    votes: [option.option_id, ...(option.merged ?? [])].reduce((sum, id) => sum + (votes.get(id) ?? 0), 0),
    // Left out of answers to votes, for which the cached numbers are too old.
    ...byCircumstance(() => 0),
  }));
  return {
    ...poll,
    ballot: { ...poll.ballot, is_active: isActive, starts_at, ends_at, closed_at, total_votes, options },
  };
}

/** Whether this voter has voted on a poll, and for which options; throws what {@link accessTo} throws. */
export async function voteStatusFor(
  { db, clock }: CommunityContext,
  pollId: string,
  voter: Voter | null,
): Promise<VoteStatus> {
  await accessTo({ db, now: clock.now() }, pollId, voter?.userId ?? null);
  const chosen = (await recordedVotes(db, voter, [pollId])).get(pollId);
  if (chosen === undefined) return { hasVoted: false };
  return { hasVoted: true, optionId: chosen[0]!, ...(chosen.length > 1 && { optionIds: [...chosen] }) };
}
