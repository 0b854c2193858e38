import { idList, insertRows, selectRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database, Query } from '#platform/database.ts';
import { historicalPageSize } from '#contract/limits.ts';
import { topicAddress, topicOf, topicSlug, yearSpan } from '#domain/topics.ts';

/** What a poll is listed under in addition to its category and year. */
export interface PollTopics {
  readonly id: string;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly closedAt: number | null;
}

const columns = {
  poll_id: 'text',
  kind: 'text',
  slug: 'text',
  name: 'text',
  closed_at: 'bigint',
} as const satisfies Columns;

/** Replaces the topics of stored polls, in the transaction that changes their tags or series. */
export async function setTopics(trx: Database, polls: readonly PollTopics[]): Promise<void> {
  if (polls.length === 0) return;
  await trx.raw(`delete from poll_topics where poll_id in ${idList(trx)}`, [JSON.stringify(polls.map(({ id }) => id))]);
  const rows = polls.flatMap(({ id, tags, series, closedAt }) => {
    const row = (kind: 'tag' | 'series', name: string) => {
      const slug = topicSlug(name);
      return [`${kind} ${slug}`, { poll_id: id, kind, slug, name, closed_at: closedAt }] as const;
    };
    const named = [...tags.map((tag) => row('tag', tag)), ...(series === null ? [] : [row('series', series)])];
    return [...new Map(named).values()];
  });
  await insertRows(trx, 'poll_topics', columns, rows);
}

/** A list that a closed poll is in. */
interface Membership {
  readonly address: string;
  /** Whether its first page shows the poll. */
  readonly isShown: () => Promise<boolean>;
}

/** The lists that each of these polls is in, if it is closed, by its id. */
async function listsOf(db: Database, ids: readonly string[]): Promise<Map<string, Membership[]>> {
  if (ids.length === 0) return new Map();
  const list = idList(db);
  // Whether they are closed is not asked for: SQLite would read the index of all closed polls.
  const polls = await selectRows<{ id: string; kind: string; category: string | null; closed_at: number | null }>(
    db,
    `select id, kind, category, closed_at from ballots where id in ${list}`,
    ids,
  );
  const topics = await selectRows<{ poll_id: string; kind: 'tag' | 'series'; slug: string }>(
    db,
    `select poll_id, kind, slug from poll_topics where closed_at is not null and poll_id in ${list}`,
    ids,
  );
  const topicsOf = Map.groupBy(topics, ({ poll_id }) => poll_id);
  const closed = () => db('ballots').where('kind', 'poll').whereNotNull('closed_at');
  return new Map(
    polls.flatMap(({ id, kind, category, closed_at }): [string, Membership[]][] => {
      if (kind !== 'poll' || closed_at === null) return [];
      const first = async (rows: Query, column = 'id') => {
        const newer = rows.whereRaw('(closed_at, ??) > (?, ?)', [column, closed_at, id]);
        return (await newer.limit(historicalPageSize).pluck<string[]>(column)).length < historicalPageSize;
      };
      const year = String(new Date(closed_at).getUTCFullYear());
      const lists: Membership[] = [
        {
          address: topicAddress('year', year),
          isShown: () => first(closed().where('closed_at', '<', yearSpan(year)?.to ?? Infinity)),
        },
        ...(topicsOf.get(id) ?? []).map(({ kind, slug }) => ({
          address: topicAddress(kind, slug),
          // The chart of a series shows all of its polls.
          isShown: async () => kind === 'series' || first(closedWithTopic(db, kind, slug), 'poll_id'),
        })),
      ];
      if (category !== null && category !== '')
        lists.unshift({
          address: topicAddress('category', topicSlug(category)),
          // Another spelling of the category may share the list: then fewer of these are on its first page, not more.
          isShown: () => first(closed().where({ category })),
        });
      return [[id, lists]];
    }),
  );
}

/** The addresses of the lists that have each of these polls, if it is closed, by its id. */
export async function topicAddresses(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const lists = await listsOf(db, ids);
  return new Map([...lists].map(([id, own]) => [id, own.map(({ address }) => address)]));
}

/** The same without the lists whose first page does not show the poll. */
export async function shownTopics(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const shown = new Map<string, string[]>();
  for (const [id, lists] of await listsOf(db, ids)) {
    const addresses: string[] = [];
    for (const { address, isShown } of lists) if (await isShown()) addresses.push(address);
    shown.set(id, addresses);
  }
  return shown;
}

/** The ids of the polls whose reports show one of the series that these addresses list. */
export async function wavesOf(db: Database, addresses: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { kind, slug } of addresses.flatMap((address) => topicOf(address) ?? []))
    if (kind === 'series') ids.push(...(await closedWithTopic(db, kind, slug).pluck('poll_id')));
  return ids;
}

/** The closed polls of a tag or series, as a query on their rows. */
export function closedWithTopic(db: Database, kind: 'tag' | 'series', slug: string) {
  return db('poll_topics').where({ kind, slug }).whereNotNull('closed_at');
}

/** Up to `count` tags and series with closed polls after this one, in order. */
export async function topicsAfter(
  db: Database,
  { kind, slug }: { readonly kind: string; readonly slug: string },
  count: number,
): Promise<{ kind: 'tag' | 'series'; slug: string }[]> {
  return db('poll_topics')
    .distinct('kind', 'slug')
    .whereNotNull('closed_at')
    .whereRaw('(kind, slug) > (?, ?)', [kind, slug])
    .orderBy(['kind', 'slug'])
    .limit(count);
}

/** One page of the slugs of series with several closed polls, the one with the newest first, and how many there are. */
export async function repeatedSeries(
  db: Database,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ slugs: string[]; total: number }> {
  const repeated = db('poll_topics')
    .where({ kind: 'series' })
    .whereNotNull('closed_at')
    .groupBy('slug')
    .havingRaw('count(*) > 1');
  const slugs = await repeated
    .clone()
    .orderByRaw('max(closed_at) desc, slug')
    .limit(limit)
    .offset((page - 1) * limit)
    .pluck('slug');
  const { count } = await db
    .from(repeated.select('slug').as('some'))
    .count('* as count')
    .first<{ count: number | string }>();
  return { slugs, total: Number(count) };
}

/** The years in which polls closed, newest first, at most `count`; each takes one index lookup. */
export async function archiveYears(db: Database, count: number): Promise<number[]> {
  const closed = () => db('ballots').where('kind', 'poll').whereNotNull('closed_at');
  const years: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; years.length < count;) {
    const row = await closed()
      .where('closed_at', '<', before)
      .max('closed_at as newest')
      .first<{ newest: number | string | null }>();
    const year = row.newest === null ? null : new Date(Number(row.newest)).getUTCFullYear();
    const span = yearSpan(String(year));
    if (year === null || span === null) break;
    years.push(year);
    before = span.from;
  }
  return years;
}
