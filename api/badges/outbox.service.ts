import { hash } from 'node:crypto';
import { markBallotRecorded, recountBallot } from '#api/voting/ballots.service.ts';
import { isCounted, markVotesRecorded } from '#api/voting/voting.service.ts';
import { badgeNumbers } from '#contract/badges.ts';
import type { Clock } from '#platform/clock.ts';
import { isMissingReference } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { addEvents, correctEvents, eventOf, raiseTotals, rowOf } from './events.service.ts';
import type { EventRow } from './events.service.ts';

/*
 * Votes, results of community polls, and followed invitations do not insert their events: their rows carry a mark
 * (`noted`), and a partial index finds the unmarked ones. Here they become events. Each step can be repeated or
 * interrupted anywhere: events are inserted before the mark, and inserting an event twice changes nothing.
 */

/** Votes, events, or guests handled in one transaction. */
export const rowsPerPortion = 500;
export const membersPerPortion = 40;
const ballotsPerQuery = 20;

// Each condition has the words of its partial index, so that SQLite recognizes it.
const pendingVote = 'votes.user_id is not null and not votes.noted';
/** While votes are marked by a decision, nobody knows yet whether they count. */
const settledVote = `${pendingVote} and not exists (
  select 1 from unfinished_decisions u where u.key = votes.decision_key and u.is_staged
)`;
const pendingBallot = 'ballot.unnoted';
const pendingGuest = 'guest.accepted_at is not null and not guest.noted';

/** Records votes of some members, or all on one ballot; returns how many. */
export async function recordVotes(
  trx: Database,
  of: { readonly userIds: readonly string[] } | { readonly ballotId: string },
): Promise<number> {
  const pending = trx('votes');
  if ('userIds' in of) void pending.whereRaw(settledVote).whereIn('votes.user_id', of.userIds).limit(rowsPerPortion);
  else void pending.whereRaw(pendingVote).where('ballots.id', of.ballotId);
  const votes = await pending
    .join('ballots', 'ballots.key', 'votes.ballot_key')
    .leftJoin('community_polls', 'community_polls.id', 'ballots.id')
    .select<
      {
        user_id: string;
        ballot_key: number;
        ballot_id: string;
        created_at: number;
        kind: 'poll' | 'community';
        category: string | null;
        starts_at: number;
        ends_at: number | null;
        created_by: string | null;
        decision_key: number | null;
        counted: boolean | 0 | 1;
      }[]
    >(
      'votes.user_id',
      'votes.ballot_key',
      'ballots.id as ballot_id',
      'votes.created_at',
      'ballots.kind',
      'ballots.category',
      'ballots.starts_at',
      'ballots.ends_at',
      'community_polls.created_by',
      'votes.decision_key',
      trx.raw(`${isCounted()} as counted`),
    );
  if (votes.length === 0) return 0;
  await correctEvents(
    trx,
    votes.map((vote) =>
      rowOf(vote.user_id, {
        type: 'vote_cast',
        at: vote.created_at,
        ballotId: vote.ballot_id,
        kind: vote.kind,
        category: vote.category,
        ownPoll: vote.created_by === vote.user_id,
        startsAt: vote.starts_at,
        endsAt: vote.ends_at,
        ...(!vote.counted && { setAside: true }),
      }),
    ),
  );
  await markVotesRecorded(trx, votes);
  return votes.length;
}

/** A community poll with votes, or a result, that are not recorded for its creator (null: a former member). */
interface PendingBallot {
  readonly id: string;
  readonly key: number;
  readonly total_votes: number;
  readonly held_votes: number;
  readonly noted_votes: number;
  readonly closed_at: number | null;
  readonly noted_end: boolean | 0 | 1;
  readonly created_by: string | null;
}

/** A query for ballots with something to record. */
export function pendingBallots(db: Database) {
  return db('ballots as ballot')
    .join('community_polls as poll', 'poll.id', 'ballot.id')
    .whereRaw(pendingBallot)
    .orderBy('ballot.id')
    .limit(ballotsPerQuery)
    .select<PendingBallot[]>(
      'ballot.id',
      'ballot.key',
      'ballot.total_votes',
      'ballot.held_votes',
      'ballot.noted_votes',
      'ballot.closed_at',
      'ballot.noted_end',
      'poll.created_by',
    );
}

/** Records for creators the number of votes and the results of their polls; returns whose events are new. */
export async function recordBallots({ db, clock }: { db: Database; clock: Clock }): Promise<string[]> {
  const creators: string[] = [];
  for (let after = ''; ;) {
    const ballots = await pendingBallots(db).where('ballot.id', '>', after);
    for (const ballot of ballots) {
      const recorded = await unlessDeleted(recordBallot(db, ballot, clock.now()));
      if (recorded && ballot.created_by !== null) creators.push(ballot.created_by);
    }
    if (ballots.length < ballotsPerQuery) return creators;
    after = ballots.at(-1)?.id ?? '';
  }
}

async function recordBallot(db: Database, ballot: PendingBallot, now: number): Promise<void> {
  const { id: pollId, created_by: creator, total_votes: votes, closed_at: closedAt } = ballot;
  // While a decision about held votes is pending, nobody knows the result.
  const ended = closedAt !== null && !ballot.noted_end && ballot.held_votes === 0;
  if (creator !== null) {
    const total = rowOf(creator, { type: 'own_poll_voted', at: now, pollId, votes });
    if (ballot.noted_votes === recountBallot.noted_votes) await correctEvents(db, [total]);
    else if (votes > ballot.noted_votes) await raiseTotals(db, [total]);
    await recordQualified(db, creator, ballot, now);
    if (ended) {
      const leading = db('ballot_options').where({ ballot_id: pollId }).orderBy('votes', 'desc').limit(2);
      const [first = 0, second = 0] = await leading.pluck<number[]>('votes');
      await correctEvents(db, [
        rowOf(creator, { type: 'own_poll_closed', at: closedAt, pollId, votes, first, second }),
      ]);
    }
  }
  await markBallotRecorded(db, pollId, { before: ballot.noted_votes, votes, ended });
}

/**
 * Records that enough others have voted on a poll for the badges that count it, or after a decision that they no longer
 * have. The creator’s own vote is known if it was cast with the account.
 */
async function recordQualified(db: Database, creator: string, ballot: PendingBallot, now: number): Promise<void> {
  const { id: pollId, key, total_votes: votes, noted_votes: before } = ballot;
  const isRecount = before === recountBallot.noted_votes;
  // With more votes than needed, the poll was recorded already, whether or not one of them is the creator’s.
  if (!isRecount && (votes < badgeNumbers.otherVotes || before > badgeNumbers.otherVotes)) return;
  const own = db('votes').where({ ballot_key: key, user_id: creator }).whereRaw(isCounted()).limit(1);
  const others = votes - (await own.pluck('ballot_key')).length;
  const setAside = others < badgeNumbers.otherVotes;
  if (setAside && !isRecount) return;
  const created = await db('facts')
    .where({ user_id: creator, fact: 'poll_created', subject: pollId })
    .first<EventRow | undefined>('fact', 'at', 'details');
  const event = created && eventOf(created);
  // Demonstration polls were created by nobody.
  if (event?.type !== 'poll_created') return;
  await correctEvents(db, [
    rowOf(creator, { ...event, type: 'own_poll_qualified', at: now, ...(setAside && { setAside }) }),
  ]);
}

/** A query for guests, of all or of one member or poll, who followed an invitation that is not recorded. */
export function pendingGuests(db: Database, of: { readonly userId?: string; readonly pollId?: string } = {}) {
  const guests = db('community_poll_guests as guest')
    .join('community_polls as poll', 'poll.id', 'guest.poll_id')
    .whereRaw(pendingGuest)
    .limit(rowsPerPortion);
  if (of.userId !== undefined) void guests.where('guest.user_id', of.userId);
  if (of.pollId !== undefined) void guests.where('guest.poll_id', of.pollId);
  return guests.select<{ poll_id: string; user_id: string; accepted_at: number; created_by: string | null }[]>(
    'guest.poll_id',
    'guest.user_id',
    'guest.accepted_at',
    'poll.created_by',
  );
}

/** Records followed invitations for guests and hosts; returns whose events are new. */
export async function recordGuests(db: Database, of?: Parameters<typeof pendingGuests>[1]): Promise<string[]> {
  const members = new Set<string>();
  for (const { poll_id: pollId, user_id: guestId, accepted_at: at, created_by: host } of await pendingGuests(db, of)) {
    const rows = [rowOf(guestId, { type: 'invitation_followed', at, pollId })];
    // A digest recognizes the same guest, but tells nobody who it was.
    const digest = hash('sha256', `${pollId}/${guestId}`, 'base64url');
    if (host !== null) rows.push(rowOf(host, { type: 'invite_accepted', at, pollId, guestId: digest }));
    const recorded = await unlessDeleted(
      addEvents(db, rows).then(async () => {
        await db('community_poll_guests').where({ poll_id: pollId, user_id: guestId }).update({ noted: true });
      }),
    );
    if (recorded) for (const { user_id } of rows) members.add(user_id);
  }
  return [...members];
}

/** False if an event's account was deleted at this moment; the next run sees that. */
async function unlessDeleted(recording: Promise<void>): Promise<boolean> {
  try {
    await recording;
    return true;
  } catch (error) {
    if (isMissingReference(error)) return false;
    throw error;
  }
}

/** Records for creators how many comments their polls show, given when each poll was commented; returns whose events are new. */
export async function recordCommentTotals(trx: Database, polls: ReadonlyMap<string, number>): Promise<string[]> {
  if (polls.size === 0) return [];
  const rows = await trx('community_polls')
    .whereIn('id', [...polls.keys()])
    .whereNotNull('created_by')
    .where('comment_count', '>', 0)
    .select<{ id: string; created_by: string; comment_count: number }[]>('id', 'created_by', 'comment_count');
  await raiseTotals(
    trx,
    rows.map(({ id: pollId, created_by: creator, comment_count: comments }) =>
      rowOf(creator, { type: 'own_poll_commented', at: polls.get(pollId) ?? 0, pollId, comments }),
    ),
  );
  return [...new Set(rows.map(({ created_by }) => created_by))];
}

/**
 * Records everything about a community poll before it is deleted. To be called in that transaction, once votes on it
 * already wait for the row.
 */
export async function recordBeforeDeletion(
  { trx, clock }: { trx: Database; clock: Clock },
  pollId: string,
): Promise<void> {
  // None of the members concerned can be deleted until the transaction ends.
  const creator = trx('community_polls').where({ id: pollId }).select('created_by');
  const voters = trx('votes')
    .whereRaw(pendingVote)
    .where('votes.ballot_key', trx('ballots').where({ id: pollId }).select('key'))
    .select('user_id');
  const guests = trx('community_poll_guests').where({ poll_id: pollId }).select('user_id');
  await trx('users')
    .whereIn('id', creator.union([voters, guests]))
    .orderBy('id')
    .forKeyShare()
    .select('id');
  await recordVotes(trx, { ballotId: pollId });
  // Comments before votes: totals are locked in one order everywhere.
  await recordCommentTotals(trx, new Map([[pollId, clock.now()]]));
  const [ballot] = await pendingBallots(trx).where('ballot.id', pollId);
  if (ballot) await recordBallot(trx, ballot, clock.now());
  await recordGuests(trx, { pollId });
}

/** Some members with votes or events that are not projected, except those in `without`. */
export async function pendingMembers(db: Database, without: ReadonlySet<string>): Promise<string[]> {
  const found = new Set<string>();
  for (const pending of [
    db('votes')
      .whereRaw(settledVote)
      .whereNotIn('votes.user_id', [...without]),
    db('facts')
      .whereRaw('not counted')
      .whereNotIn('user_id', [...without]),
  ])
    // Not "distinct": for a member with very many rows the database would read all of them.
    for (const id of await pending.orderBy('user_id').limit(rowsPerPortion).pluck<string[]>('user_id')) found.add(id);
  return [...found].slice(0, membersPerPortion);
}

/** Whether there is anything to project for a member. */
export async function isPending(db: Database, userId: string): Promise<boolean> {
  const [vote, ...others] = [
    db('votes').whereRaw(settledVote).where('votes.user_id', userId),
    db('facts').whereRaw('not counted').where({ user_id: userId }),
    db('community_poll_guests as guest').whereRaw(pendingGuest).where('guest.user_id', userId),
  ].map((some) => db.from(some.select(db.raw('1 as found')).limit(1).as('some')).select('found'));
  const rows: unknown = await vote!.unionAll(others).limit(1);
  return Array.isArray(rows) && rows.length > 0;
}
