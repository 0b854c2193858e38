import type { BallotTimes } from '#api/voting/ballot.model.ts';
import type { HistoricalSort } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import type { RelatedPoll } from './polls.contract.ts';
import { byName } from '#domain/by-name.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import type { Database, Query } from '#platform/database.ts';
import { PollModel } from './poll.model.ts';

/** One poll with ballot and options. */
export async function findPoll(db: Database, id: string): Promise<PollModel | undefined> {
  const poll = await PollModel.query(db).findById(id).withGraphFetched('ballot.[options, decisions, independent]');
  // Between the two reads it may be deleted.
  return poll?.ballot ? poll : undefined;
}

/** Questions and opening times of these polls. */
export async function pollQuestions(
  db: Database,
  ids: readonly string[],
): Promise<(Pick<PollModel, 'id' | 'question'> & BallotTimes)[]> {
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
    .withGraphFetched('ballot.[options, decisions, independent]');
}

const orders = {
  newest: ['closed_at', 'desc'],
  oldest: ['closed_at', 'asc'],
  'most-voted': ['archive_votes', 'desc'],
  'least-voted': ['archive_votes', 'asc'],
} as const satisfies Record<HistoricalSort, readonly [string, 'asc' | 'desc']>;

/** Which part of the archive; `category` null means all of it. */
interface ArchivePart {
  readonly page: number;
  readonly limit: number;
  readonly sort: HistoricalSort;
  readonly category: string | null;
  readonly total?: number;
}

/** Reads polls, in the order of their ids. */
export type ReadPolls = (ids: readonly string[]) => Promise<PollModel[]>;

/** One page of closed polls; see {@link archivedIds}. */
export async function historicalPolls(
  db: Database,
  part: ArchivePart,
  read: ReadPolls = (ids) => pollsInOrder(db, ids),
): Promise<PollModel[]> {
  return read(await archivedIds(db, part));
}

/** The ids of one page of the archive; see {@link pageOfIds}. */
async function archivedIds(db: Database, part: ArchivePart): Promise<string[]> {
  const [column, direction] = orders[part.sort];
  // Index-only: the wide rows are read for one page, however deep.
  const rows = closedPollRows(db).where(part.category === null ? {} : { category: part.category });
  return pageOfIds(rows, { ...part, id: 'id', column, direction });
}

/** The ballots of closed polls, as a query on their rows. */
export const closedPollRows = (db: Database) => db('ballots').where('kind', 'poll').whereNotNull('closed_at');

interface IdOrder {
  readonly page: number;
  readonly limit: number;
  readonly total?: number;
  /** The columns of the id and of the order. */
  readonly id: string;
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * The ids of one page of rows. With `total`, pages of the second half are read from the other end of the index, because an
 * offset reads every row before it (handbook decision 124).
 */
export async function pageOfIds(
  rows: Query,
  { page, limit, total = Infinity, id, column, direction }: IdOrder,
): Promise<string[]> {
  const before = (page - 1) * limit;
  const count = Math.min(limit, total - before);
  if (count <= 0) return [];
  const after = total - before - count;
  const fromEnd = after < before;
  const order = fromEnd ? opposite[direction] : direction;
  // A query changes what it is built from.
  const ids = await rows
    .clone()
    .orderBy([
      { column, order },
      { column: id, order },
    ])
    .limit(count)
    .offset(fromEnd ? after : before)
    .pluck<string[]>(id);
  return fromEnd ? ids.reverse() : ids;
}

/** When the closed polls of one page of the archive closed and were last changed, in the page's order. */
export async function archivedTimes(
  db: Database,
  part: ArchivePart,
): Promise<{ id: string; closed_at: number; updated_at: number }[]> {
  const ids = await archivedIds(db, part);
  const times = await db('polls')
    .join('ballots', 'ballots.id', 'polls.id')
    .whereIn('polls.id', ids)
    .select<{ id: string; closed_at: number; updated_at: number }[]>('polls.id', 'closed_at', 'updated_at');
  const byId = new Map(times.map((time) => [time.id, time]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Ids of the polls that have started at the moment `now` and that nobody has closed yet. */
export async function unclosedPollIds(db: Database, now: number): Promise<string[]> {
  return db('ballots')
    .where('kind', 'poll')
    .whereNull('closed_at')
    .where('starts_at', '<=', now)
    .orderBy('id')
    .pluck('id');
}

/** When the polls open that are to open at the moment `from` or later, in milliseconds. */
export async function openingsFrom(db: Database, from: number): Promise<number[]> {
  const found = db('ballots').where('kind', 'poll').whereNull('closed_at').where('starts_at', '>=', from);
  return (await found.pluck('starts_at')).map(Number);
}

/** Up to `count` ids of closed polls after the id `after`, in order. */
export async function closedPollIdsAfter(db: Database, after: string, count: number): Promise<string[]> {
  return db('ballots')
    .where('kind', 'poll')
    .whereNotNull('closed_at')
    .where('id', '>', after)
    .orderBy('id')
    .limit(count)
    .pluck('id');
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

/** The polls with these ids, with ballot and options, in the order of the ids. */
export async function pollsInOrder(db: Database, ids: readonly string[]): Promise<PollModel[]> {
  const polls = await PollModel.query(db)
    .findByIds([...ids])
    .withGraphFetched('ballot.[options, decisions, independent]');
  const place = new Map(ids.map((id, index) => [id, index]));
  return polls.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/** Polls that are kept for further lists. */
const cachedPolls = 200;

/** Reads polls that several lists have only once, as long as these are few. */
export function pollsReadOnce(db: Database): ReadPolls {
  const known = new Map<string, Promise<PollModel | undefined>>();
  return async (ids) => {
    if (known.size > cachedPolls) known.clear();
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) {
      const read = pollsInOrder(db, missing);
      const pollOf = async (id: string) => (await read).find((poll) => poll.id === id);
      for (const id of missing) known.set(id, pollOf(id));
      // The next page that needs them reads them again.
      read.catch(() => missing.forEach((id) => known.delete(id)));
    }
    const polls = await Promise.all(ids.map((id) => known.get(id)!));
    return polls.filter((poll) => poll !== undefined);
  };
}

/** How many closed polls each category has, by its label ('' for polls without one); read from counters. */
export async function archiveCategories(db: Database): Promise<{ category: string; closed_polls: number }[]> {
  const found = await db('archive_categories').where('closed_polls', '>', 0).select('category', 'closed_polls');
  return found.toSorted(
    ({ category: a }, { category: b }) => byName(categoryLabel(a), categoryLabel(b)) || (a < b ? -1 : 1),
  );
}

/** The most voted closed polls of a category, without the poll itself. */
export async function relatedPolls(db: Database, category: string, id: string): Promise<RelatedPoll[]> {
  return mostVoted(db, category, limits.relatedPolls).whereNot('ballots.id', id);
}

/** The first `count` closed polls of a category by votes. */
export function mostVoted(db: Database, category: string, count: number) {
  return db('ballots')
    .join('polls', 'polls.id', 'ballots.id')
    .where({ kind: 'poll', category })
    .whereNotNull('ballots.closed_at')
    .orderBy([
      { column: 'ballots.archive_votes', order: 'desc' },
      { column: 'ballots.id', order: 'desc' },
    ])
    .limit(count)
    .select<RelatedPoll[]>('ballots.id', 'polls.question', 'ballots.total_votes as totalVotes');
}
