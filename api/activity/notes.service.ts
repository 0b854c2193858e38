import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { isMissingReference } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { rowOf } from './fact-row.ts';
import { addFacts, raiseTotals } from './facts.queries.ts';
import {
  commentedPolls,
  holdMembersOf,
  markBallotNoted,
  markGuestNoted,
  markVotesNoted,
  ownPollsAtOnce,
  strongestOptions,
  unnotedBallotOf,
  unnotedBallots,
  unnotedGuests,
  unnotedVotes,
} from './notes.queries.ts';
import type { UnnotedBallot, UnnotedVote } from './notes.queries.ts';

/*
 * What other tables tell becomes facts here. Each step may be done twice, or be cut off anywhere: facts come before the
 * mark that they are there, and a fact that is there stays as it is.
 */

/** Turns votes of some members into facts, a portion of them; answers how many. */
export async function noteVotes(trx: Database, userIds: readonly string[]): Promise<number> {
  const votes = await unnotedVotes(trx, { userIds });
  await keepVotes(trx, votes);
  return votes.length;
}

async function keepVotes(trx: Database, votes: readonly UnnotedVote[]): Promise<void> {
  const rows = votes.map((vote) =>
    rowOf(vote.user_id, {
      fact: 'vote_cast',
      at: vote.created_at,
      ballotId: vote.ballot_id,
      kind: vote.kind,
      category: vote.category,
      ownPoll: vote.created_by === vote.user_id,
      startsAt: vote.starts_at,
      endsAt: vote.ends_at,
    }),
  );
  await addFacts(trx, rows);
  await markVotesNoted(
    trx,
    votes.map(({ id }) => id),
  );
}

/** Tells creators how many votes their polls have and how they ended; answers whose facts are new. */
export async function noteBallots({ db, clock }: { db: Database; clock: Clock }): Promise<string[]> {
  const creators: string[] = [];
  for (let after = ''; ;) {
    const ballots = await unnotedBallots(db, after);
    for (const ballot of ballots) {
      const kept = await unlessLeft(keepBallot(db, ballot, clock.now()));
      if (kept && ballot.created_by !== null) creators.push(ballot.created_by);
    }
    if (ballots.length < ownPollsAtOnce) return creators;
    after = ballots.at(-1)?.id ?? '';
  }
}

async function keepBallot(db: Database, ballot: UnnotedBallot, now: number): Promise<void> {
  const { id: pollId, created_by: creator, total_votes: votes, closed_at: closedAt } = ballot;
  const ended = closedAt !== null && !ballot.noted_end;
  if (creator !== null) {
    if (votes > ballot.noted_votes)
      await raiseTotals(db, [rowOf(creator, { fact: 'own_poll_voted', at: now, pollId, votes })]);
    if (ended) {
      const [first, second] = await strongestOptions(db, pollId);
      await addFacts(db, [rowOf(creator, { fact: 'own_poll_closed', at: closedAt, pollId, votes, first, second })]);
    }
  }
  await markBallotNoted(db, pollId, { votes, ended });
}

/** Tells guests and their hosts that an invitation was followed; answers whose facts are new. */
export async function noteGuests(db: Database, of: { userId?: string; pollId?: string } = {}): Promise<string[]> {
  const members = new Set<string>();
  for (const guest of await unnotedGuests(db, of)) {
    const { poll_id: pollId, user_id: guestId, accepted_at: at, created_by: host } = guest;
    const rows = [rowOf(guestId, { fact: 'invitation_followed', at, pollId })];
    if (host !== null)
      rows.push(rowOf(host, { fact: 'invite_accepted', at, pollId, guestId: nameless(pollId, guestId) }));
    const kept = await unlessLeft(addFacts(db, rows).then(() => markGuestNoted(db, guest)));
    if (kept) for (const { user_id } of rows) members.add(user_id);
  }
  return [...members];
}

/** False when the facts are of somebody who left in this very moment: the next look will know. */
async function unlessLeft(keeping: Promise<void>): Promise<boolean> {
  try {
    await keeping;
    return true;
  } catch (error) {
    if (isMissingReference(error)) return false;
    throw error;
  }
}

/** A guest among the facts of the host: the same one again is known, but nobody can tell who it was. */
function nameless(pollId: string, guestId: string): string {
  return hash('sha256', `${pollId}/${guestId}`, 'base64url');
}

/** Tells creators how many comments their polls show, after members have commented; answers whose facts are new. */
export async function noteComments(trx: Database, comments: ReadonlyMap<string, number>): Promise<string[]> {
  const polls = comments.size === 0 ? [] : await commentedPolls(trx, [...comments.keys()]);
  const rows = polls.flatMap(({ id: pollId, created_by: creator, comment_count: count }) =>
    creator === null || count === 0
      ? []
      : [rowOf(creator, { fact: 'own_poll_commented', at: comments.get(pollId) ?? 0, pollId, comments: count })],
  );
  await raiseTotals(trx, rows);
  return [...new Set(rows.map(({ user_id }) => user_id))];
}

/**
 * Turns everything that a community poll has to tell into facts, before it is deleted: to be called in that transaction,
 * when votes on it wait for the row already.
 */
export async function keepFactsOf({ trx, clock }: { trx: Database; clock: Clock }, pollId: string): Promise<void> {
  await holdMembersOf(trx, pollId);
  await keepVotes(trx, await unnotedVotes(trx, { ballotId: pollId }));
  // Comments before votes: totals are raised in the order of their names everywhere.
  await noteComments(trx, new Map([[pollId, clock.now()]]));
  const ballot = await unnotedBallotOf(trx, pollId);
  if (ballot) await keepBallot(trx, ballot, clock.now());
  await noteGuests(trx, { pollId });
}
