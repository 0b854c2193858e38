import type { CommunityCategory, CommunitySort, CommunityState, Visibility } from '#contract/vocabulary.ts';
import type { GuardedPoll } from '#domain/poll-visibility.ts';
import { pinnedBy } from '#domain/pinned-options.ts';
import { circumstances } from '#domain/integrity/vote-traits.ts';
import { lifespanOf, shownOptions } from '#api/voting/ballot.model.ts';
import type { BallotOptionModel, BallotTimes } from '#api/voting/ballot.model.ts';
import type { Database, Query } from '#platform/database.ts';
import { CommunityPollModel, GuestModel } from './community-poll.model.ts';
import type { TakenDownBy } from './community-poll.model.ts';

/** Featured polls that the list shows. */
const communityFeatured = 12;

/** Which part of a list. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

/** The columns of an option that have the votes of merged ones, too. */
const summed = ['votes', ...Object.values(circumstances).map(({ column }) => column)] as const;

/** The polls with these ids, with ballot, options, and creator, in the order of the ids; deleted ones are left out. */
export async function pollsInOrder(db: Database, ids: readonly string[]): Promise<CommunityPollModel[]> {
  if (ids.length === 0) return [];
  const polls = await CommunityPollModel.query(db)
    .findByIds([...ids])
    .withGraphFetched('[ballot.[options, decisions, independent], creator(publicColumns)]');
  const byId = new Map(polls.map((poll) => [poll.id, poll]));
  return ids.flatMap((id) => {
    const poll = byId.get(id);
    // A poll deleted between two of the reads has lost its ballot or its options.
    if (!poll?.ballot || poll.ballot.options.length === 0) return [];
    const { options } = poll.ballot;
    poll.ballot.written = new Map(
      options.flatMap((option) => (option.written ? [[option.option_id, option.written]] : [])),
    );
    const shown = shownOptions(options, summed) as BallotOptionModel[];
    // Before the options that stay at the end, such as “Other”.
    const pinned = pinnedBy(poll.ballot.option_order) ?? 0;
    const asked = shown.filter(({ written }) => written === null);
    const added = shown.filter(({ written }) => written !== null);
    poll.ballot.options = [...asked.slice(0, asked.length - pinned), ...added, ...asked.slice(asked.length - pinned)];
    return [poll];
  });
}

/** One community poll with ballot, options, and creator. */
export async function findCommunityPoll(db: Database, id: string): Promise<CommunityPollModel | undefined> {
  const [poll] = await pollsInOrder(db, [id]);
  return poll;
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

/** Orders of a list; each ends with the id, so that no poll is on two pages. */
const orders = {
  newest: newestFirst,
  trending: [{ column: 'trend', order: 'desc' }, ...newestFirst],
  'most-voted': [{ column: 'ranked_votes', order: 'desc' }, ...newestFirst],
  'ending-soon': [
    { column: 'ballot_ends_at', order: 'asc' },
    { column: 'id', order: 'asc' },
  ],
} as const satisfies Record<CommunitySort, unknown>;

/** Which polls a list has. */
export interface ListFilter {
  /** Public polls, or those of one member of every visibility, or private ones that a member is invited to. */
  readonly of: { readonly visibility: 'public' } | { readonly createdBy: string } | { readonly guest: string };
  readonly category?: CommunityCategory | null | undefined;
  readonly state?: CommunityState | undefined;
  /** Subqueries with the ids of polls that the reader has voted on, which `unvoted` leaves out. */
  readonly voted?: readonly Query[];
  /** Polls with an end that is later than this, in milliseconds. */
  readonly endsAfter?: number;
}

/** One page of a list. Ids first, from an index alone: the wide rows are read for one page only, however deep it lies. */
export async function listedPolls(
  db: Database,
  filter: ListFilter,
  { limit, offset }: Pick<ListPage, 'limit' | 'offset'>,
  sort: CommunitySort = 'newest',
): Promise<CommunityPollModel[]> {
  const ids = await listed(db, filter)
    .orderBy([...orders[sort]])
    .limit(limit)
    .offset(offset)
    .pluck<string[]>('community_polls.id');
  return pollsInOrder(db, ids);
}

/** How many polls a list has. */
export async function countListed(db: Database, filter: ListFilter): Promise<number> {
  const { count } = await listed(db, filter).count({ count: '*' }).first<{ count: number | string }>();
  return Number(count);
}

function listed(db: Database, { of, category, state, voted = [], endsAfter }: ListFilter) {
  const polls = db('community_polls');
  if ('visibility' in of) void polls.where(of);
  else if ('createdBy' in of) void polls.where('created_by', of.createdBy);
  else
    void polls
      .where('visibility', 'private')
      .whereNull('taken_down_by')
      .whereIn('id', db('community_poll_guests').where('user_id', of.guest).select('poll_id'));
  if (category != null) void polls.where({ category });
  if (state === 'closed') void polls.whereNotNull('ballot_closed_at');
  else if (state !== undefined || endsAfter !== undefined) void polls.whereNull('ballot_closed_at');
  if (endsAfter !== undefined) void polls.where('ballot_ends_at', '>', endsAfter);
  if (state === 'unvoted') for (const ids of voted) void polls.whereNotIn('community_polls.id', ids);
  return polls;
}

/** The newest polls that the operator features. */
export async function featuredPolls(db: Database): Promise<CommunityPollModel[]> {
  const ids = await db('community_polls')
    // Worded like the partial index, with a visibility expression that no index covers: otherwise SQLite would scan all
    // public polls.
    .whereRaw("featured and visibility || '' = 'public'")
    .orderBy([...newestFirst])
    .limit(communityFeatured)
    .pluck('id');
  return pollsInOrder(db, ids);
}

/** Public polls of one part of the list, oldest first, and when each was created and closed. */
export async function publicPollTimesOf(
  db: Database,
  { limit, offset }: ListPage,
): Promise<{ id: string; created_at: number; closed_at: number | null }[]> {
  // Ids first, from an index alone.
  const ids = db('community_polls')
    .where('visibility', 'public')
    .orderBy(['created_at', 'id'])
    .limit(limit)
    .offset(offset)
    .select('id')
    .as('page');
  return db('community_polls as poll')
    .join(ids, 'page.id', 'poll.id')
    .join('ballots as ballot', 'ballot.id', 'poll.id')
    .orderBy(['poll.created_at', 'poll.id'])
    .select('poll.id', 'poll.created_at', 'ballot.closed_at');
}

/** What the access policy needs of a community poll, and whether the asking member is a guest of it. */
interface AccessRow extends GuardedPoll {
  readonly id: string;
  readonly question: string;
  readonly invited: boolean;
  readonly blocked: boolean;
  /** The guest has opened the poll before. */
  readonly opened: boolean;
}

/** The existing ones of these community polls, as the access policy takes them for one user. */
export async function accessRows(
  db: Database,
  pollIds: readonly string[],
  userId: string | null,
): Promise<AccessRow[]> {
  const rows = await db('community_polls')
    .join('ballots', 'ballots.id', 'community_polls.id')
    .leftJoin('community_poll_guests as guest', (join) => {
      join.on('guest.poll_id', 'community_polls.id').andOnVal('guest.user_id', userId ?? '');
    })
    .leftJoin('member_blocks as block', (join) => {
      join.on('block.blocker_id', 'created_by').andOnVal('block.blocked_id', userId ?? '');
    })
    .whereIn('community_polls.id', pollIds)
    .select<AccessColumns[]>(
      ...['community_polls.id', 'question', 'visibility', 'created_by', 'guest.user_id as guest_id', 'accepted_at'],
      ...['taken_down_by', 'comments_open', 'block.blocked_id'],
      ...['is_active', 'starts_at', 'ends_at', 'closed_at'],
    );
  return rows.map((row) => ({
    ...lifespanOf(row),
    id: row.id,
    question: row.question,
    visibility: row.visibility,
    createdBy: row.created_by,
    takenDown: row.taken_down_by !== null,
    commentsOpen: Boolean(row.comments_open),
    blocked: row.blocked_id !== null,
    invited: row.guest_id !== null,
    opened: row.accepted_at !== null,
  }));
}

interface AccessColumns extends BallotTimes {
  readonly id: string;
  readonly question: string;
  readonly visibility: Visibility;
  readonly created_by: string | null;
  readonly taken_down_by: TakenDownBy | null;
  readonly guest_id: string | null;
  readonly comments_open: boolean | 0 | 1;
  readonly blocked_id: string | null;
  readonly accepted_at: number | null;
}

/** The guests of a poll with their names, in the order in which they were invited. */
export async function guestsOf(db: Database, pollId: string): Promise<GuestModel[]> {
  const guests = await GuestModel.query(db)
    .where({ poll_id: pollId })
    .withGraphFetched('user(publicColumns)')
    .orderBy(['invited_at', 'user_id']);
  // A member deleted between the two reads is no guest any more.
  return guests.filter(({ user }) => user !== null);
}

/** Guest ids by poll, in the order in which they were invited. */
export async function guestIdsOf(
  db: Database,
  pollIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await GuestModel.query(db)
    .whereIn('poll_id', [...pollIds])
    .orderBy(['poll_id', 'invited_at', 'user_id'])
    .select('poll_id', 'user_id');
  const byPoll = Map.groupBy(rows, ({ poll_id }) => poll_id);
  return new Map([...byPoll].map(([id, guests]) => [id, guests.map(({ user_id }) => user_id)]));
}

/**
 * The member who can be invited by the first of these keys that is a username: undefined for an unknown
 * name, the creator, and an existing guest, all decided by one query.
 */
export async function findInvitable(
  db: Database,
  { pollId, creatorId, keys }: { pollId: string; creatorId: string; keys: readonly string[] },
): Promise<string | undefined> {
  const found = await db('users as u')
    .leftJoin('community_poll_guests as g', (on) => void on.on('g.user_id', 'u.id').andOnVal('g.poll_id', pollId))
    .whereIn('username_key', keys)
    .select<InvitableRow[]>('u.id', 'username_key', 'g.user_id as guest');
  const [member] = keys.flatMap((key) => found.filter((row) => row.username_key === key));
  return member === undefined || member.id === creatorId || member.guest !== null ? undefined : member.id;
}

interface InvitableRow {
  readonly id: string;
  readonly username_key: string;
  /** The id again, of a member who is a guest already. */
  readonly guest: string | null;
}
