import type { Database } from '#platform/database.ts';
import { factsPerTransaction } from './facts.queries.ts';

/** Members that one transaction counts toward badges. */
export const countedMembers = 40;
/** Community polls whose creators are counted at once. */
export const ownPollsAtOnce = 20;

// Each condition is in the words of its partial index, so that SQLite recognises it.
const unnotedVote = 'votes.user_id is not null and not votes.noted';
const unnotedBallot = 'ballot.unnoted';
const unnotedGuest = 'guest.accepted_at is not null and not guest.noted';

/** A vote of a member that is no fact yet, with what rules ask about its ballot. */
export interface UnnotedVote {
  readonly id: number;
  readonly user_id: string;
  readonly ballot_id: string;
  readonly created_at: number;
  readonly kind: 'poll' | 'community';
  readonly category: string | null;
  readonly starts_at: number;
  readonly ends_at: number | null;
  /** Who made the community poll; null for others, and for a former member's. */
  readonly created_by: string | null;
}

/** Votes of some members, or on one ballot, that are no facts yet. */
export async function unnotedVotes(
  trx: Database,
  of: { readonly userIds: readonly string[] } | { readonly ballotId: string },
): Promise<UnnotedVote[]> {
  const votes = trx('votes').whereRaw(unnotedVote);
  if ('userIds' in of) void votes.whereIn('votes.user_id', of.userIds).limit(factsPerTransaction);
  else void votes.where('votes.ballot_id', of.ballotId);
  return votes
    .join('ballots', 'ballots.id', 'votes.ballot_id')
    .leftJoin('community_polls', 'community_polls.id', 'votes.ballot_id')
    .select<UnnotedVote[]>(
      'votes.id',
      'votes.user_id',
      'votes.ballot_id',
      'votes.created_at',
      'ballots.kind',
      'ballots.category',
      'ballots.starts_at',
      'ballots.ends_at',
      'community_polls.created_by',
    );
}

export async function markVotesNoted(trx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx('votes').whereIn('id', ids).update({ noted: true });
}

/** A community poll whose votes, or whose end, are no facts of its creator yet. */
export interface UnnotedBallot {
  readonly id: string;
  readonly total_votes: number;
  readonly noted_votes: number;
  readonly closed_at: number | null;
  readonly noted_end: boolean | 0 | 1;
  /** Null: a former member. */
  readonly created_by: string | null;
}

const ballotColumns = [
  'ballot.id',
  'ballot.total_votes',
  'ballot.noted_votes',
  'ballot.closed_at',
  'ballot.noted_end',
  'poll.created_by',
] as const;

/** Some ballots of community polls that have news for their creators, in the order of ids, behind the id `after`. */
export async function unnotedBallots(db: Database, after: string): Promise<UnnotedBallot[]> {
  return db('ballots as ballot')
    .join('community_polls as poll', 'poll.id', 'ballot.id')
    .whereRaw(unnotedBallot)
    .where('ballot.id', '>', after)
    .orderBy('ballot.id')
    .limit(ownPollsAtOnce)
    .select<UnnotedBallot[]>(...ballotColumns);
}

/** One such ballot; undefined when it has no news. */
export async function unnotedBallotOf(db: Database, id: string): Promise<UnnotedBallot | undefined> {
  return db('ballots as ballot')
    .join('community_polls as poll', 'poll.id', 'ballot.id')
    .whereRaw(unnotedBallot)
    .where('ballot.id', id)
    .first<UnnotedBallot | undefined>(...ballotColumns);
}

/** The two strongest answers of a ballot. */
export async function strongestOptions(db: Database, ballotId: string): Promise<[first: number, second: number]> {
  const votes = await db('ballot_options')
    .where({ ballot_id: ballotId })
    .orderBy('votes', 'desc')
    .limit(2)
    .pluck<number[]>('votes');
  return [votes[0] ?? 0, votes[1] ?? 0];
}

/** Notes what was told of a ballot: so many votes, and its end. */
export async function markBallotNoted(
  db: Database,
  id: string,
  { votes, ended }: { votes: number; ended: boolean },
): Promise<void> {
  await db('ballots')
    .where({ id })
    .update({ noted_votes: votes, ...(ended && { noted_end: true }) });
}

/** A guest who came, and nobody knows it yet. */
export interface UnnotedGuest {
  readonly poll_id: string;
  readonly user_id: string;
  readonly accepted_at: number;
  readonly created_by: string | null;
}

/** Guests who have opened the poll that they were invited to, and are no facts yet: some of all, or of one member or poll. */
export async function unnotedGuests(
  db: Database,
  of: { readonly userId?: string; readonly pollId?: string } = {},
): Promise<UnnotedGuest[]> {
  const guests = db('community_poll_guests as guest')
    .join('community_polls as poll', 'poll.id', 'guest.poll_id')
    .whereRaw(unnotedGuest)
    .limit(factsPerTransaction);
  if (of.userId !== undefined) void guests.where('guest.user_id', of.userId);
  if (of.pollId !== undefined) void guests.where('guest.poll_id', of.pollId);
  return guests.select<UnnotedGuest[]>('guest.poll_id', 'guest.user_id', 'guest.accepted_at', 'poll.created_by');
}

export async function markGuestNoted(db: Database, { poll_id, user_id }: UnnotedGuest): Promise<void> {
  await db('community_poll_guests').where({ poll_id, user_id }).update({ noted: true });
}

/** Creators of community polls, and how many comments those show. */
export async function commentedPolls(
  trx: Database,
  pollIds: readonly string[],
): Promise<{ id: string; created_by: string | null; comment_count: number }[]> {
  return trx('community_polls').whereIn('id', pollIds).select('id', 'created_by', 'comment_count');
}

/** Holds everybody whom a poll has something to tell of: nobody of them leaves until the transaction ends. */
export async function holdMembersOf(trx: Database, pollId: string): Promise<void> {
  const creator = trx('community_polls').where({ id: pollId }).select('created_by');
  const voters = trx('votes').whereRaw(unnotedVote).where('votes.ballot_id', pollId).select('user_id');
  const guests = trx('community_poll_guests').where({ poll_id: pollId }).select('user_id');
  await trx('users')
    .whereIn('id', creator.union([voters, guests]))
    .orderBy('id')
    .forKeyShare()
    .select('id');
}

/** Some members about whom there is something to count, except those in `without`. */
export async function waitingMembers(db: Database, without: ReadonlySet<string>): Promise<string[]> {
  const found = new Set<string>();
  for (const waiting of [
    db('votes')
      .whereRaw(unnotedVote)
      .whereNotIn('votes.user_id', [...without]),
    db('facts')
      .whereRaw('not counted')
      .whereNotIn('user_id', [...without]),
    db('progress')
      .whereRaw('stale')
      .whereNotIn('user_id', [...without]),
  ])
    // Not "distinct": a member with very much to count would make the database read all of it for one name.
    for (const id of await waiting.orderBy('user_id').limit(factsPerTransaction).pluck<string[]>('user_id'))
      found.add(id);
  return [...found].slice(0, countedMembers);
}

/** Whether there is something to count about a member. */
export async function isWaiting(db: Database, userId: string): Promise<boolean> {
  const [vote, ...others] = [
    db('votes').whereRaw(unnotedVote).where('votes.user_id', userId),
    db('facts').whereRaw('not counted').where({ user_id: userId }),
    db('community_poll_guests as guest').whereRaw(unnotedGuest).where('guest.user_id', userId),
    db('progress').whereRaw('stale').where({ user_id: userId }),
  ].map((some) => db.from(some.select(db.raw('1 as waits')).limit(1).as('some')).select('waits'));
  const rows: unknown = await vote!.unionAll(others).limit(1);
  return Array.isArray(rows) && rows.length > 0;
}
