import * as limits from '#contract/limits.ts';
import type { Series, SeriesPage, Wave } from '#api/polls/topics/series.contract.ts';
import type { TopicPage } from '#api/polls/topics/topics.contract.ts';
import type { TopicKind } from '#contract/vocabulary.ts';
import { topicAddress, topicSlug, yearSpan } from '#domain/topics.ts';
import { isProvisional } from '#domain/vote-figures.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Query } from '#platform/database.ts';
import { presentPollCard } from './poll.presenter.ts';
import { archiveCategories, closedPollRows, pageOfIds, pollsInOrder } from './polls.queries.ts';
import type { ReadPolls } from './polls.queries.ts';
import { archiveYears, closedWithTopic, repeatedSeries, topicsAfter } from '#api/polls/topics/topics.service.ts';

/** Tags and series per read. */
const topicsAtOnce = 1_000;

interface ListContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly readPolls?: ReadPolls | undefined;
}

const byClosing = { column: 'closed_at', direction: 'desc' } as const;

interface Listed {
  readonly name: string;
  readonly total: number;
  /** The rows of its closed polls, with this column of their ids. */
  readonly rows: Query;
  readonly id: 'id' | 'poll_id';
}

/** One page of the closed polls of a category, tag, series, or year, newest first; null if it has none, or no such page. */
export async function topicPage(
  { db, clock, readPolls = (ids) => pollsInOrder(db, ids) }: ListContext,
  kind: TopicKind,
  slug: string,
  page = 1,
): Promise<TopicPage | null> {
  const listed = await (kind === 'category'
    ? ofCategory(db, slug)
    : kind === 'year'
      ? ofYear(db, slug)
      : ofTopic(db, kind, slug));
  if (listed === null) return null;
  const { name, total, rows, id } = listed;
  const limit = limits.historicalPageSize;
  const ids = await pageOfIds(rows, { page, limit, total, id, ...byClosing });
  if (ids.length === 0) return null;
  const now = clock.now();
  const polls = (await readPolls(ids)).map((poll) => presentPollCard(poll, now));
  const series = kind === 'series' && page === 1 ? await wavesOf({ db, clock }, slug, listed) : null;
  return { kind, slug, name, total, page, polls, ...(series !== null && { series }) };
}

/** The waves of a series that have a final result, for their reports; null if there are not two of them. */
export async function seriesOf(context: ListContext, slug: string): Promise<Series | null> {
  const listed = await ofTopic(context.db, 'series', slug);
  return listed && wavesOf(context, slug, listed);
}

async function wavesOf({ db, clock }: ListContext, slug: string, listed: Listed): Promise<Series | null> {
  if (listed.total < 2) return null;
  const ids = await pageOfIds(listed.rows, { page: 1, limit: limits.seriesWaves, ...byClosing, id: listed.id });
  const now = clock.now();
  const waves = (await pollsInOrder(db, ids.reverse()))
    .map((poll) => ({ ...presentPollCard(poll, now), note: poll.series_note }))
    .filter((poll) => poll.totalVotes > 0 && !isProvisional(poll))
    .map(({ id, question, closedAt, endsAt, totalVotes, origin, options, note }): Wave => {
      return {
        id,
        question,
        closedAt: closedAt ?? endsAt,
        totalVotes,
        ...(origin && { origin }),
        ...(note !== null && { note }),
        options,
      };
    });
  return waves.length < 2 ? null : { slug, name: listed.name, waves };
}

/** One page of the series with several closed polls, the one with the newest wave first; null if there is no such page. */
export async function seriesPage(context: ListContext, page = 1): Promise<SeriesPage | null> {
  const { slugs, total } = await repeatedSeries(context.db, { page, limit: limits.seriesPageSize });
  if (slugs.length === 0 && page > 1) return null;
  const series: Series[] = [];
  for (const slug of slugs) {
    const found = await seriesOf(context, slug);
    if (found !== null) series.push(found);
  }
  return { series, total, page };
}

async function ofCategory(db: Database, slug: string): Promise<Listed | null> {
  const found = (await archiveCategories(db)).filter(({ category }) => category !== '' && topicSlug(category) === slug);
  const largest = found.toSorted((a, b) => b.closed_polls - a.closed_polls)[0];
  if (largest === undefined) return null;
  const names = found.map(({ category }) => category);
  return {
    name: largest.category,
    total: found.reduce((sum, { closed_polls }) => sum + closed_polls, 0),
    rows: closedPollRows(db).whereIn('category', names),
    id: 'id',
  };
}

async function ofYear(db: Database, slug: string): Promise<Listed | null> {
  const span = yearSpan(slug);
  if (span === null) return null;
  const rows = closedPollRows(db).where('closed_at', '>=', span.from).where('closed_at', '<', span.to);
  return { name: slug, total: await countOf(rows), rows, id: 'id' };
}

async function ofTopic(db: Database, kind: 'tag' | 'series', slug: string): Promise<Listed | null> {
  const rows = closedWithTopic(db, kind, slug);
  const newest = await rows
    .clone()
    .orderBy([
      { column: 'closed_at', order: 'desc' },
      { column: 'poll_id', order: 'desc' },
    ])
    .first('name');
  return newest === undefined ? null : { name: newest.name, total: await countOf(rows), rows, id: 'poll_id' };
}

async function countOf(rows: Query): Promise<number> {
  const { count } = await rows.clone().count('* as count').first<{ count: number | string }>();
  return Number(count);
}

/** The addresses of the first pages of all topics, one batch in memory at a time. */
export async function* allTopicAddresses(db: Database): AsyncGenerator<string> {
  const categories = (await archiveCategories(db)).flatMap(({ category }) => (category === '' ? [] : [category]));
  yield* new Set(categories.map((category) => topicAddress('category', topicSlug(category))));
  for (const year of await archiveYears(db, Infinity)) yield topicAddress('year', String(year));
  for (let after = { kind: '', slug: '' }; ;) {
    const topics = await topicsAfter(db, after, topicsAtOnce);
    for (const { kind, slug } of topics) yield topicAddress(kind, slug);
    if (topics.length < topicsAtOnce) return;
    after = topics.at(-1)!;
  }
}
