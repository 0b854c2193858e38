import { relatedPolls } from '#contract/limits.ts';
import type { Change, ChangeFacts } from '#domain/pages-of.ts';
import type { Database, Query } from '#platform/database.ts';

/** Changes whose exact place is looked up; among more, it is enough to know the earliest. */
const exactPlaces = 20;

/** Where the changed polls are now. */
export async function factsOf(
  db: Database,
  changes: readonly Change[],
): Promise<(change: Change) => Omit<ChangeFacts, 'topics'>> {
  const keys = (...kinds: readonly Change['kind'][]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);
  const [reports, community, decided] = await Promise.all([
    placesIn(db, 'reports', keys('poll', 'report')),
    placesIn(db, 'community', keys('community')),
    decidedPolls(db, keys('report')),
  ]);
  return ({ kind, key }) => {
    const { places, total } = kind === 'community' ? community : reports;
    return { place: places.get(key) ?? null, total, isDecided: decided.includes(key) };
  };
}

/** Those of these polls with decisions about their votes. */
async function decidedPolls(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return db('vote_decisions')
    .join('ballots', 'ballots.key', 'vote_decisions.ballot_key')
    .whereIn('ballots.id', ids)
    .pluck('ballots.id');
}

/** The pages of the sitemap in their order: reports by the ends of polls, community polls by their creation. */
const listed = {
  reports: {
    rows: (db: Database): Query => db('ballots').where('kind', 'poll').whereNotNull('closed_at'),
    moment: 'closed_at',
    // From counters.
    total: (db: Database) => db('archive_categories').sum('closed_polls as count'),
  },
  community: {
    rows: (db: Database): Query => db('community_polls').where('visibility', 'public'),
    moment: 'created_at',
    total: (db: Database) => db('community_polls').where('visibility', 'public').count('* as count'),
  },
} as const;

async function placesIn(db: Database, name: keyof typeof listed, ids: readonly string[]) {
  const places = new Map<string, number>();
  if (ids.length === 0) return { places, total: 0 };
  const { rows, moment } = listed[name];
  const found = await rows(db)
    .whereIn('id', ids)
    .orderBy([moment, 'id'])
    .select<{ id: string; moment: number }[]>('id', `${moment} as moment`);
  const total = await single(listed[name].total(db));
  const placeOf = async (row: { id: string; moment: number }) => {
    const newer = rows(db).whereRaw('(??, ??) > (?, ?)', [moment, 'id', row.moment, row.id]);
    return total - (await single(newer.count('* as count')));
  };
  const isExact = found.length <= exactPlaces;
  let place = 0;
  for (const row of found) {
    if (isExact || place === 0) place = await placeOf(row);
    places.set(row.id, place);
  }
  return { places, total };
}

/** The number in the only row, which PostgreSQL returns as text. */
async function single(query: PromiseLike<unknown>): Promise<number> {
  const [row] = (await query) as { count: number | string | null }[];
  return Number(row?.count ?? 0);
}

/** The categories in which one of these closed polls is among the most voted, to which other reports link. */
export async function categoriesLedBy(db: Database, ids: readonly string[]): Promise<string[]> {
  const polls = await db('ballots')
    .whereIn('id', ids)
    .where('kind', 'poll')
    .whereNotNull('closed_at')
    .whereNotNull('category')
    .select('id', 'category');
  const led: string[] = [];
  for (const [category, own] of Map.groupBy(polls, (poll) => poll.category!)) {
    const leaders = await db('ballots')
      .where({ kind: 'poll', category })
      .whereNotNull('closed_at')
      .orderBy([
        { column: 'archive_votes', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(relatedPolls + 1)
      .pluck('id');
    if (own.some(({ id }) => leaders.includes(id))) led.push(category);
  }
  return led;
}

/** Ids of closed polls of a category after the id `after`, in order. */
export async function reportsOfCategory(
  db: Database,
  category: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  return db('ballots')
    .where({ kind: 'poll', category })
    .whereNotNull('closed_at')
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(limit)
    .pluck('id');
}

/** The id of the poll that closed last; null before the first. */
export async function newestReport(db: Database): Promise<string | null> {
  const closed = db('ballots').where('kind', 'poll').whereNotNull('closed_at');
  return (await closed.orderBy('closed_at', 'desc').first('id'))?.id ?? null;
}

/** Whether this is the page or picture of a poll that nobody has closed yet. */
export async function isOpenPoll(db: Database, address: string): Promise<boolean> {
  const [, id] = /^\/poll\/([^/.]+)(?:\.png)?$/.exec(address) ?? [];
  return id !== undefined && (await db('ballots').where({ id }).whereNull('closed_at').first('id')) !== undefined;
}
