import type { CommunityCategory, Visibility } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';

/** Featured polls that the list shows. */
const communityFeatured = 12;

/** Which part of a list; `category` null means all of them. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
  readonly category?: CommunityCategory | null | undefined;
}

/** A community poll as lists and its page read it, with its ballot, its options in order, and its creator's names. */
export interface CommunityPollRow {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly category: string | null;
  readonly tags: string;
  readonly featured: boolean | 0 | 1;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly comment_count: number;
  readonly is_active: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
  readonly username: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly options: readonly OptionRow[];
}

interface OptionRow {
  readonly ballot_id: string;
  readonly option_id: string;
  readonly text: string;
  readonly votes: number;
}

const columns = [
  'poll.id',
  'poll.question',
  'poll.description',
  'poll.visibility',
  'poll.category',
  'poll.tags',
  'poll.featured',
  'poll.created_by',
  'poll.created_at',
  'poll.comment_count',
  'ballot.is_active',
  'ballot.starts_at',
  'ballot.ends_at',
  'ballot.closed_at',
  'creator.username',
  'creator.first_name',
  'creator.last_name',
] as const;

/** The polls with these ids, in the order of the ids; those that are gone are left out. */
export async function pollsInOrder(db: Database, ids: readonly string[]): Promise<CommunityPollRow[]> {
  if (ids.length === 0) return [];
  const rows = await db('community_polls as poll')
    .join('ballots as ballot', 'ballot.id', 'poll.id')
    .leftJoin('users as creator', 'creator.id', 'poll.created_by')
    .whereIn('poll.id', [...ids])
    .select<Omit<CommunityPollRow, 'options'>[]>(...columns);
  const options = await db('ballot_options')
    .whereIn('ballot_id', [...ids])
    .orderBy(['ballot_id', 'position'])
    .select<OptionRow[]>('ballot_id', 'option_id', 'text', 'votes');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const optionsOf = Map.groupBy(options, ({ ballot_id }) => ballot_id);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    // A poll that was deleted between the two reads has lost its options.
    const found = optionsOf.get(id);
    return row && found ? [{ ...row, options: found }] : [];
  });
}

/** One community poll, or undefined. */
export async function findCommunityPoll(db: Database, id: string): Promise<CommunityPollRow | undefined> {
  const [poll] = await pollsInOrder(db, [id]);
  return poll;
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

/** One page of public polls, newest first. */
export async function publicPolls(db: Database, { limit, offset, category }: ListPage): Promise<CommunityPollRow[]> {
  // Ids first, from one index alone: the wide rows are read for one page only, however deep it lies.
  const ids = await db('community_polls')
    .where({ visibility: 'public', ...(category != null && { category }) })
    .orderBy([...newestFirst])
    .limit(limit)
    .offset(offset)
    .pluck<string[]>('id');
  return pollsInOrder(db, ids);
}

/** Which public polls there are, the newest first, and when each was made or closed. */
export async function publicPollMoments(
  db: Database,
  count: number,
): Promise<{ id: string; created_at: number; closed_at: number | null }[]> {
  return db('community_polls as poll')
    .join('ballots as ballot', 'ballot.id', 'poll.id')
    .where('poll.visibility', 'public')
    .orderBy([
      { column: 'poll.created_at', order: 'desc' },
      { column: 'poll.id', order: 'desc' },
    ])
    .limit(count)
    .select('poll.id', 'poll.created_at', 'ballot.closed_at');
}

/** The newest polls that the operator features. */
export async function featuredPolls(db: Database): Promise<CommunityPollRow[]> {
  const ids = await db('community_polls')
    // In the words of the partial index, and with a visibility that no index answers: SQLite would go through all
    // public polls for the few.
    .whereRaw("featured and visibility || '' = 'public'")
    .orderBy([...newestFirst])
    .limit(communityFeatured)
    .pluck<string[]>('id');
  return pollsInOrder(db, ids);
}

/** One page of what somebody made, of every visibility, newest first. */
export async function pollsOf(
  db: Database,
  userId: string,
  { limit, offset, category }: ListPage,
): Promise<CommunityPollRow[]> {
  const ids = await db('community_polls')
    .where({ created_by: userId, ...(category != null && { category }) })
    .orderBy([...newestFirst])
    .limit(limit)
    .offset(offset)
    .pluck<string[]>('id');
  return pollsInOrder(db, ids);
}

/** How many polls somebody made. */
export async function countPollsOf(db: Database, userId: string): Promise<number> {
  const row = await db('community_polls')
    .where({ created_by: userId })
    .count({ count: '*' })
    .first<{ count: number | string }>();
  return Number(row.count);
}
