import type { PollEvent, PollEventType, SiteEvent, VotesEvent } from '#api/events/events.ts';
import { topicAddresses } from '#api/topics/topics.service.ts';
import type { ChangeEvent } from '#contract/publishing.ts';
import type { Change } from '#domain/pages-of.ts';
import { insertRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database } from '#platform/database.ts';

/** What is published first: single events, then imports of many polls, then their sitemap, then lists of related polls. */
export const priorities = { now: 0, many: 1, sitemap: 2, background: 3 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];

/** A row of `publish_changes`. */
export interface ChangeRow extends Change {
  readonly id: number;
  readonly priority: Priority;
  readonly due_at: number;
  readonly attempts: number;
  /** The last of many pages that is done. */
  readonly cursor: string | null;
}

const columns = {
  ...{ kind: 'text', key: 'text', event: 'text' },
  ...{ priority: 'bigint', due_at: 'bigint' },
} as const satisfies Columns;

/** The row of `installation` that pauses publishing. */
export const pauseRow = { name: 'publishing.paused' };

const listeners = new Set<() => void>();

/** Calls `listener` whenever changes that this process recorded are committed; returns a function that ends this. */
export function onRecorded(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Records what pages show differently from now on. Call it in the transaction that changes it; the publisher does the
 * rest.
 */
export async function recordChanges(
  trx: Database,
  now: number,
  changes: readonly Change[],
  priority: Priority = priorities.now,
): Promise<void> {
  const rows = changes.map(({ kind, key, event = null }) => ({ kind, key, event, priority, due_at: now }));
  await insertRows(trx, 'publish_changes', columns, rows);
  if (changes.length === 0 || listeners.size === 0) return;
  const committed = (trx as Database & { executionPromise?: Promise<unknown> }).executionPromise ?? Promise.resolve();
  committed.then(
    () => listeners.forEach((listener) => listener()),
    // Rolled back: nothing was recorded.
    () => undefined,
  );
}

/** What happens to polls, as operators read it on Health. */
const eventNames = {
  'poll.created': 'created',
  'poll.opened': 'opened',
  'poll.closed': 'closed',
  'poll.reopened': 'reopened',
  'poll.edited': 'edited',
  'poll.restore': 'edited',
  'votes.protection': 'edited',
  'poll.removed': 'removed',
  'poll.unpublish': 'removed',
  'demonstration.remove': 'removed',
  'poll.hidden': 'removed',
  'poll.shown': 'restored',
  'poll.feature': 'featured',
} as const satisfies Record<PollEventType, ChangeEvent>;

/** Has the pages of polls published that weekly and listed community polls are on. */
export async function publishPolls(trx: Database, events: readonly PollEvent[]): Promise<void> {
  const shown = events.filter(({ poll, publish }) => publish !== null && (poll.kind === 'poll' || poll.listed));
  for (const [many, some] of Map.groupBy(shown, ({ publish }) => publish?.many === true)) {
    const changes = some.map(({ type, subject, poll, publish }) => ({
      kind: publish?.kind ?? poll.kind,
      key: subject.id,
      event: publish?.event ?? eventNames[type],
    }));
    await recordChanges(trx, some[0]!.at, changes, many ? priorities.many : priorities.now);
  }
}

/** Has all pages rendered again, or those of texts, which also wakes the publisher after a pause. */
export async function publishSite(trx: Database, events: readonly SiteEvent[]): Promise<void> {
  for (const { at, whole } of events)
    await recordChanges(trx, at, [whole === null ? { kind: 'content', key: '' } : { kind: 'site', key: whole }]);
}

/** The pause before the third attempt in milliseconds; it doubles with each further one. */
const retryMs = 10_000;
const maxRetryMs = 60 * 60_000;

/** Changes that one publish takes. */
const changesAtOnce = 200;
/** Files of the sitemap that one publish renders: a poll that closes meanwhile waits for them. */
const sitemapAtOnce = 40;

/**
 * The changes that are due and can be published together, most urgent first: single events don’t wait for the pages of an
 * import, and the reports of a category are a publish of their own. While publishing is paused, only removals are due.
 * `single`: without what needs all pages or can wait.
 */
export async function dueChanges(db: Database, now: number, { single = false } = {}): Promise<ChangeRow[]> {
  const rows = await db('publish_changes')
    .where((change) => void (single && change.where('priority', '<=', priorities.many).whereNot('kind', 'site')))
    .where((change) => void change.where('event', 'removed').orWhereNotExists(db('installation').where(pauseRow)))
    .where(
      (due) =>
        void due
          .where('due_at', '<=', now)
          // The clock has been set back since.
          .orWhere('due_at', '>', now + maxRetryMs)
          .orWhere('attempts', 0),
    )
    .orderBy(['priority', 'id'])
    .limit(changesAtOnce)
    .select<ChangeRow[]>('*');
  const [first] = rows;
  if (first?.kind === 'related') return [first];
  const same = rows.filter(({ kind, priority }) => priority === first?.priority && kind !== 'related');
  return first?.priority === priorities.sitemap ? same.slice(0, sitemapAtOnce) : same;
}

/**
 * Records that pages are to be rendered, each once; those that show something removed also while publishing is paused. Only for
 * the publishing process: a pending row may be of a page that is just being rendered, without what another process has changed
 * since.
 */
export async function recordPages(
  trx: Database,
  now: number,
  addresses: readonly string[],
  priority: Priority,
  event: 'removed' | null,
): Promise<void> {
  if (addresses.length === 0) return;
  const row = { kind: 'page', event } as const;
  const waiting = new Set(
    await trx('publish_changes')
      .where({ ...row, priority })
      .pluck<string[]>('key'),
  );
  const added = addresses.filter((address) => !waiting.has(address)).map((key) => ({ ...row, key }));
  await recordChanges(trx, now, added, priority);
}

/** What has changed polls of lists. */
export interface ListMoves {
  /** An import: lists are published with the sitemap. */
  readonly many?: boolean;
  /** Polls were removed: the lists that they left are published even while publishing is paused. */
  readonly isRemoval?: boolean;
}

/**
 * The lists that have these polls. Call it before they change, and the function it returns afterward, in the same
 * transaction: that records the lists that listed polls have entered or left.
 */
export async function watchTopics(
  trx: Database,
  ids: readonly string[],
): Promise<(at: number, moves: ListMoves) => Promise<void>> {
  const listed = async () => new Set([...(await topicAddresses(trx, ids)).values()].flat());
  const before = await listed();
  return async (at, { many = false, isRemoval = false }) => {
    if (before.size === 0) return;
    const now = await listed();
    const left = [...before].filter((address) => !now.has(address));
    // Polls of an import are published with all of their lists.
    const entered = many ? [] : [...now].filter((address) => !before.has(address));
    const event = isRemoval ? 'removed' : null;
    const changes: Change[] = [
      ...left.map((key) => ({ kind: 'page', key, event }) as const),
      ...entered.map((key) => ({ kind: 'page', key }) as const),
    ];
    await recordChanges(trx, at, changes, many ? priorities.sitemap : priorities.now);
  };
}

/** Has the pages published that show figures which a decision about votes has changed. */
export async function publishRecounts(trx: Database, events: readonly VotesEvent[]): Promise<void> {
  for (const { at, subject, counts } of events) if (counts) await publishRecount(trx, at, subject.id);
}

/** The poll, with a new date of its report, and what lists it. */
async function publishRecount(trx: Database, now: number, ballotId: string): Promise<void> {
  const ballot = await trx('ballots')
    .where({ id: ballotId })
    .first<Ballot | undefined>('kind', 'category', 'listed', 'closed_at');
  if (!ballot) return;
  const { kind, category, listed, closed_at } = ballot;
  if (kind === 'poll') {
    // Always a different date: the answers to votes keep what they say about the poll as long as it stays the same.
    const updated_at = trx.raw('case when updated_at = ? then updated_at + 1 else ? end', [now, now]);
    await trx('polls').where({ id: ballotId }).update({ updated_at });
  }
  if (!listed) return;
  const change = kind === 'community' ? kind : closed_at === null ? 'poll' : 'report';
  await recordChanges(trx, now, [{ kind: change, key: ballotId, event: 'recounted' }]);
  // The poll may have left the most voted ones, which the publisher couldn't see afterward.
  if (change === 'report' && category !== null)
    await recordChanges(trx, now, [{ kind: 'related', key: category }], priorities.background);
}

interface Ballot {
  readonly kind: 'poll' | 'community';
  readonly category: string | null;
  readonly listed: boolean | 0 | 1;
  readonly closed_at: number | null;
}

/** Changes that could not be published, without those whose pages are rendered one part after the other. */
export async function failingChanges(db: Database): Promise<ChangeRow[]> {
  const failing = db('publish_changes').where('attempts', '>', 1).whereNot('kind', 'related');
  return failing.limit(changesAtOnce).select<ChangeRow[]>('*');
}

/** How many changes wait. */
export async function countChanges(db: Database): Promise<number> {
  const row = await db('publish_changes').count('* as count').first<{ count: number | string }>();
  return Number(row.count);
}

/** Rows per statement. */
const atOnce = 200;

/** Deletes published changes. */
export async function deleteChanges(trx: Database, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await trx('publish_changes')
      .whereIn('id', ids.slice(from, from + atOnce))
      .del();
}

/** Records how far a change of many pages is. */
export async function moveCursor(trx: Database, id: number, cursor: string): Promise<void> {
  await trx('publish_changes').where({ id }).update({ cursor, attempts: 0 });
}

/** Ids of other changes of the same pages that none of them is published for yet. */
export async function sameChanges(db: Database, { id, kind, key }: ChangeRow): Promise<number[]> {
  return db('publish_changes').where({ kind, key }).whereNull('cursor').whereNot({ id }).pluck<number[]>('id');
}

/** Ids of changes of related polls, for which no report has been published yet. */
export async function relatedChanges(db: Database): Promise<number[]> {
  return db('publish_changes').where('kind', 'related').whereNull('cursor').pluck<number[]>('id');
}

/**
 * Records that changes are being published. If that fails, or the process dies, they are due again: at once after the
 * first attempt, and later each time after that.
 */
export async function countAttempt(db: Database, rows: readonly ChangeRow[], now: number): Promise<void> {
  for (const [attempts, same] of Map.groupBy(rows, (row) => row.attempts)) {
    const wait = attempts === 0 ? 0 : Math.min(maxRetryMs, retryMs * 2 ** (attempts - 1));
    const ids = same.map(({ id }) => id);
    await db('publish_changes')
      .whereIn('id', ids)
      .update({ attempts: attempts + 1, due_at: now + wait });
  }
}

/** Takes back an attempt of a publish that was stopped: the changes are due at once. */
export async function uncountAttempt(db: Database, rows: readonly ChangeRow[], now: number): Promise<void> {
  await db('publish_changes')
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .where('attempts', '>', 0)
    .decrement('attempts', 1)
    .update({ due_at: now });
}

/** When changes that could not be published are tried again; null if there are none. */
export async function nextRetry(db: Database): Promise<number | null> {
  const row = await db('publish_changes')
    .where('attempts', '>', 1)
    .min('due_at as due')
    .first<{ due: number | string | null }>();
  return row.due === null ? null : Number(row.due);
}

/** All changes recorded so far, without those by a machine whose clock is ahead: no page shows them yet. */
export async function recordedChanges(db: Database, now: number): Promise<Pick<ChangeRow, 'id' | 'kind'>[]> {
  const isOver = db('publish_changes').where('due_at', '<=', now).orWhere('attempts', '>', 0);
  return isOver.select<Pick<ChangeRow, 'id' | 'kind'>[]>('id', 'kind');
}
