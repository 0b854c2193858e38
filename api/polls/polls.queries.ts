import type { HistoricalSort } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import type { RelatedPoll } from '#contract/poll.ts';
import type { Database } from '#platform/database.ts';
import { PollModel } from './poll.model.ts';

/** One poll with ballot and options, or undefined. */
export async function findPoll(db: Database, id: string): Promise<PollModel | undefined> {
  return await PollModel.query(db).findById(id).withGraphFetched('ballot.options');
}

/** What a poll asks, and its opening times. */
export type PollQuestion = Pick<PollModel, 'id' | 'question'> &
  Pick<PollModel['ballot'], 'is_active' | 'starts_at' | 'ends_at' | 'closed_at'>;

/** Questions of these polls, by id. */
export async function pollQuestions(db: Database, ids: readonly string[]): Promise<PollQuestion[]> {
  return db('polls')
    .join('ballots', 'ballots.id', 'polls.id')
    .whereIn('polls.id', ids)
    .select('polls.id', 'question', 'is_active', 'starts_at', 'ends_at', 'closed_at');
}

/** Polls that can be voted on at the moment `now`, newest start first. */
export async function openPolls(db: Database, now: number): Promise<PollModel[]> {
  return await PollModel.query(db)
    .joinRelated('ballot')
    .where('ballot.kind', 'poll')
    .whereNull('ballot.closed_at')
    .where('ballot.is_active', true)
    .where('ballot.starts_at', '<=', now)
    .where('ballot.ends_at', '>', now)
    .orderBy([{ column: 'ballot.starts_at', order: 'desc' }, { column: 'polls.id' }])
    .withGraphFetched('ballot.options');
}

const orders = {
  newest: ['closed_at', 'desc'],
  oldest: ['closed_at', 'asc'],
  'most-voted': ['archive_votes', 'desc'],
  'least-voted': ['archive_votes', 'asc'],
} as const satisfies Record<HistoricalSort, readonly [string, 'asc' | 'desc']>;

/**
 * One page of closed polls; `category` null means all of them. `total` is how many there are: what lies in the second half
 * is then found from the other end, because what lies before a page has to be walked over (handbook decision 124).
 */
export async function historicalPolls(
  db: Database,
  part: { page: number; limit: number; sort: HistoricalSort; category: string | null; total?: number },
): Promise<PollModel[]> {
  const { limit, category, total = Infinity } = part;
  const [column, direction] = orders[part.sort];
  const before = (part.page - 1) * limit;
  const count = Math.min(limit, total - before);
  if (count <= 0) return [];
  const behind = total - before - count;
  const fromEnd = behind < before;
  const order = fromEnd ? opposite[direction] : direction;
  // Ids first, from the index alone: the wide rows are read for one page only, however deep it lies.
  const ids = await db('ballots')
    .where({ kind: 'poll', ...(category !== null && { category }) })
    .whereNotNull('closed_at')
    .orderBy([
      { column, order },
      { column: 'id', order },
    ])
    .limit(count)
    .offset(fromEnd ? behind : before)
    .pluck<string[]>('id');
  return pollsInOrder(db, fromEnd ? ids.reverse() : ids);
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

/** The polls with these ids, with ballot and options, in the order of the ids. */
export async function pollsInOrder(db: Database, ids: readonly string[]): Promise<PollModel[]> {
  const polls = await PollModel.query(db)
    .findByIds([...ids])
    .withGraphFetched('ballot.options');
  const place = new Map(ids.map((id, index) => [id, index]));
  return polls.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/** How many closed polls each category has, by name; '' stands for none. Counters, not a scan. */
export async function archiveCategories(db: Database): Promise<{ category: string; closed_polls: number }[]> {
  return db('archive_categories').where('closed_polls', '>', 0).orderBy('category').select('category', 'closed_polls');
}

/** The most voted closed polls of a category, without the poll itself. */
export async function relatedPolls(db: Database, category: string, id: string): Promise<RelatedPoll[]> {
  return mostVoted(db, category, limits.relatedPolls).whereNot('ballots.id', id);
}

/** The first `count` closed polls of a category by votes. */
export function mostVoted(db: Database, category: string, count: number) {
  return db('ballots')
    .join('polls', 'polls.id', 'ballots.id')
    .where({ 'ballots.kind': 'poll', 'ballots.category': category })
    .whereNotNull('ballots.closed_at')
    .orderBy([
      { column: 'ballots.archive_votes', order: 'desc' },
      { column: 'ballots.id', order: 'desc' },
    ])
    .limit(count)
    .select<RelatedPoll[]>('ballots.id', 'polls.question', 'ballots.total_votes as totalVotes');
}
