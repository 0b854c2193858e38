import { rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader, communitySorts } from '#contract/vocabulary.ts';
import { findUserByKey } from '#api/accounts/accounts.service.ts';
import { reportQueue } from '#api/moderation/queue.service.ts';
import { notificationPage, unreadCount } from '#api/notifications/notifications.service.ts';
import { commentsPage } from '#api/comments/comments.queries.ts';
import { timeOfComment } from '#api/comments/comment.model.ts';
import { countListed, featuredPolls, listedPolls } from '#api/community-polls/community-polls.queries.ts';
import { systemClock as clock } from '#platform/clock.ts';
import { isSqlite, migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { benchTexts } from './texts.ts';
import { runLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import { makeComments, makeCommunityPolls } from './make-polls.ts';
import { makeMembers, readerId } from './make-members.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { withBar, median } from './report.ts';
import type { Row } from './report.ts';
import { benchPassword, signIn, startServer } from './server-process.ts';

/** Requests per page and measurement. */
const repetitions = 50;
/** The time limit for one page in the database, in milliseconds. */
const most = 20;
const texts = benchTexts.lists;

interface ListBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  /** The number of community polls, and of comments on the newest one. */
  readonly polls: number;
  readonly comments: number;
  /** The number of members. */
  readonly users: number;
  report(line: string): void;
}

/** One page of a list: its query and its path. */
export interface Page {
  readonly name: string;
  readonly path: string;
  readonly find: (db: Database) => Promise<readonly unknown[]>;
  /** Who requests it, if not a visitor; `signIn`: the request is a sign-in instead. */
  readonly by?: 'member' | 'operator' | 'signIn';
}

/** Measures list pages among many polls and comments, one after the other, in the database and over HTTP. */
export const benchLists = (options: ListBenchOptions): Promise<Row[]> =>
  benchPages(options, (db, engine) => fill(db, engine, options));

/** Measures pages on each engine, in the database and over HTTP; `prepare` fills a new database and returns its pages. */
export async function benchPages(
  options: Pick<ListBenchOptions, 'rounds' | 'only' | 'report'>,
  prepare: (db: Database, engine: Engine) => Promise<readonly Page[]>,
): Promise<Row[]> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  try {
    const rows: Row[] = [];
    for (const engine of engines) {
      if (options.only !== null && engine !== options.only) continue;
      const url = await (await newDatabases(engine, folder, later))();
      const db = openDatabase(url);
      later(() => db.destroy());
      const pages = await prepare(db, engine);
      const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
      later(() => api.stop());
      for (const page of pages) rows.push(await measurePage(page, { engine, db, origin: api.origin }, options));
    }
    const slowest = Math.max(...rows.map((row) => Number(row[texts.columns.database])));
    options.report(texts.verdict(slowest, most));
    return rows;
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function fill(db: Database, engine: Engine, { polls, comments, users }: ListBenchOptions): Promise<Page[]> {
  await migrate(db);
  const [newest = ''] = await withBar(texts.makingPolls(engine), polls, (show) => makeCommunityPolls(db, polls, show));
  const shown = await withBar(texts.makingComments(engine), comments, (show) =>
    makeComments(db, newest, comments, show),
  );
  await withBar(texts.makingMembers(engine), users, (show) => makeMembers(db, users, show));
  // PostgreSQL’s autovacuum would do it within minutes; SQLite has no statistics.
  if (!isSqlite(db)) await db.raw('vacuum analyze');

  const limit = limits.communityPageSize;
  const offset = Math.min(50_000, Math.floor(polls / 2));
  const category = 'Science';
  const of = { visibility: 'public' } as const;
  const oldest = shown[19 * limits.commentPageSize - 1] ?? shown.at(-1) ?? '';
  const before = { id: oldest, createdAt: timeOfComment(oldest) ?? 0 };
  const commentPage = { limit: limits.commentPageSize };
  return [
    {
      name: texts.first,
      path: pathOf('communityPolls'),
      find: (open) => listedPolls(open, { of }, { limit, offset: 0 }),
    },
    {
      name: texts.offset(offset),
      path: pathOf('communityPolls', {}, { offset }),
      find: (open) => listedPolls(open, { of }, { limit, offset }),
    },
    {
      name: texts.category(category),
      path: pathOf('communityPolls', {}, { category }),
      find: (open) => listedPolls(open, { of, category }, { limit, offset: 0 }),
    },
    ...communitySorts.slice(1).map((sort) => ({
      name: texts.sorted(sort),
      path: pathOf('communityPolls', {}, { sort, offset }),
      find: (open: Database) =>
        listedPolls(open, { of, ...(sort === 'ending-soon' && { endsAfter: clock.now() }) }, { limit, offset }, sort),
    })),
    { name: texts.count, path: pathOf('communityPollCount'), find: async (open) => [await countListed(open, { of })] },
    { name: texts.featured, path: pathOf('featuredCommunityPolls'), find: featuredPolls },
    {
      name: texts.comments(1),
      path: pathOf('comments', { id: newest }),
      find: (open) => commentsPage(open, newest, { ...commentPage, before: null }),
    },
    {
      name: texts.comments(20),
      path: pathOf('comments', { id: newest }, { before: oldest }),
      find: (open) => commentsPage(open, newest, { ...commentPage, before }),
    },
    {
      ...{ name: texts.signIn, path: pathOf('login'), by: 'signIn' },
      find: async (db) => [await findUserByKey(db, readerId)],
    },
    {
      ...{ name: texts.notifications, path: pathOf('notifications'), by: 'member' },
      find: async (db) => (await notificationPage({ db, clock }, readerId, 1)).notifications,
    },
    {
      ...{ name: texts.summary, path: pathOf('userSummary'), by: 'member' },
      find: async (db) => [await unreadCount({ db, clock }, readerId)],
    },
    ...[1, limits.reportsShown / limits.moderationPageSize].map((page) => ({
      ...{ name: texts.queue(page), path: pathOf('reportQueue', {}, { page }), by: 'operator' as const },
      find: async (db: Database) => (await reportQueue({ db, clock }, { page })).reported,
    })),
  ];
}

/** Requests a page again and again, one at a time. */
async function request(page: Page, origin: string): Promise<Pick<LoadResult, 'refused' | 'p50' | 'p99'>> {
  if (page.by === 'signIn') return repeated(() => signIn(origin, readerId));
  const headers: Readonly<Record<string, string>> =
    page.by === 'operator'
      ? { [adminPasswordHeader]: benchPassword }
      : page.by === 'member'
        ? { cookie: await signIn(origin, readerId) }
        : {};
  const what = { kind: 'pages', paths: [page.path], encoding: 'identity', headers } as const;
  return runLoad({ origin, connections: 1, amount: repetitions, what });
}

async function repeated(act: () => Promise<unknown>) {
  const times: number[] = [];
  for (let n = 0; n < repetitions; n++) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return { refused: 0, p50: median(times), p99: Math.max(...times) };
}

/** The medians of a page over all rounds in milliseconds; a failed request ends the benchmark. */
async function measurePage(
  page: Page,
  target: { engine: Engine; db: Database; origin: string },
  options: Pick<ListBenchOptions, 'rounds' | 'report'>,
): Promise<Row> {
  const name = `${target.engine}: ${page.name}`;
  const found: number[] = [];
  const answered: number[] = [];
  const slow: number[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < repetitions; n++) {
      const started = performance.now();
      if ((await page.find(target.db)).length === 0) throw new Error(texts.empty(name));
      times.push(performance.now() - started);
    }
    const load = await request(page, target.origin);
    if (load.refused > 0) throw new Error(texts.refused(name, load.refused));
    // Round 0 is the warm-up.
    if (round === 0) continue;
    found.push(median(times));
    answered.push(load.p50);
    slow.push(load.p99);
  }
  const figures = { database: median(found), http: median(answered), p99: median(slow) };
  options.report(texts.line({ name, ...figures }));
  return {
    [texts.columns.page]: name,
    [texts.columns.database]: figures.database.toFixed(2),
    [texts.columns.http]: figures.http.toFixed(2),
    [texts.columns.p99]: figures.p99.toFixed(2),
  };
}
