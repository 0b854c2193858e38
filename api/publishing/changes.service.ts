import type { PollEvent, PollEventType, SiteEvent, VotesEvent } from '#api/events/events.ts';
import { topicAddresses } from '#api/polls/topics/topics.service.ts';
import type { ChangeEvent } from './publishing.contract.ts';
import type { Change } from '#domain/pages-of.ts';
import { claimJobs, enqueue, latestDue, postponeJob } from '#platform/jobs/jobs.service.ts';
import type { ChangeQueue, Claimed, JobRow } from '#platform/jobs/jobs.service.ts';
import type { Database } from '#platform/database.ts';
import { newRunner } from '#platform/runner.ts';

/** What is published first: single events, then imports of many polls, then their sitemap, then what can wait. */
export const priorities = {
  ...{ now: 'publish-now', many: 'publish-many', sitemap: 'publish-sitemap', background: 'publish-later' },
} as const satisfies Record<string, ChangeQueue>;
export type Priority = (typeof priorities)[keyof typeof priorities];

/** Changes that one publish takes of each queue, most urgent first: a poll that closes meanwhile waits for them. */
const queues = new Map<ChangeQueue, number>([
  // While all pages are rendered, single events are published as well.
  ['publish-site', 200],
  [priorities.now, 200],
  [priorities.many, 200],
  // The reports of a category, some at a time, first where they link to a removed poll.
  ['publish-links', 1],
  [priorities.sitemap, 40],
  ['publish-related', 1],
  [priorities.background, 200],
]);
/** Without what needs all pages or can wait. */
const singleEvents: readonly ChangeQueue[] = [priorities.now, priorities.many];

const relatedQueues: readonly ChangeQueue[] = ['publish-links', 'publish-related'];

function queueOf(kind: Change['kind'], priority: Priority): ChangeQueue {
  if (kind === 'site') return 'publish-site';
  if (kind !== 'related') return priority;
  return priority === priorities.background ? 'publish-related' : 'publish-links';
}

/** What a job says of a change. */
interface Recorded extends Required<Change> {
  /** When it was recorded, in milliseconds, by the clock of the process that did. */
  readonly at: number;
  /** Of a change of many pages: the last one that is done. */
  readonly cursor: string | null;
}

/** A change that waits, as a job. */
export interface ChangeRow extends Recorded, Claimed {
  readonly queue: ChangeQueue;
}

const changeOf = ({ id, kind, payload, attempts, lease }: JobRow): ChangeRow => ({
  ...(JSON.parse(payload) as Recorded),
  ...{ id, attempts, lease, queue: kind as ChangeQueue },
});

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
  const jobs = changes.map(({ kind, key, event = null }) => ({
    kind: queueOf(kind, priority),
    // Removals don’t wait for the end of a pause.
    lane: event === 'removed' ? event : '',
    // At once, whatever the clocks of other machines say.
    dueAt: 0,
    payload: { kind, key, event, at: now, cursor: null } satisfies Recorded,
  }));
  await enqueue(trx, jobs);
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

/** While publishing is paused, only removals are due. */
const lanesOnHold = async (db: Database) => ((await db('installation').where(pauseRow).first('name')) ? [''] : []);

const changeJobs = (db: Database, some: Iterable<ChangeQueue> = queues.keys()) => db('jobs').whereIn('kind', [...some]);

/** Whether something can be published. */
export async function areChangesDue(db: Database, now: number): Promise<boolean> {
  const due = changeJobs(db).whereNotIn('lane', await lanesOnHold(db));
  void due.where((at) => void at.where('due_at', '<=', now).orWhere('due_at', '>', latestDue(maxRetryMs, now)));
  return (await due.first('id')) !== undefined;
}

/** Claims the changes that are due and can be published together, most urgent first. Only for the publishing process. */
export async function claimChanges(db: Database, now: number, wanted: 'all' | 'single events'): Promise<ChangeRow[]> {
  const claim = { horizonMs: maxRetryMs, now, lease: newRunner(), without: await lanesOnHold(db) };
  for (const kind of wanted === 'all' ? queues.keys() : singleEvents) {
    const jobs = await claimJobs(db, { ...claim, kind }, queues.get(kind)!);
    if (jobs.length > 0) return inOrder(jobs);
  }
  return [];
}

const inOrder = (jobs: readonly JobRow[]) => jobs.map(changeOf).sort((a, b) => a.id - b.id);

/** The changes that wait, or are being published, of these queues or of all. */
export async function waitingChanges(db: Database, some?: Iterable<ChangeQueue>, after = 0): Promise<ChangeRow[]> {
  return inOrder(await changeJobs(db, some).where('id', '>', after).select<JobRow[]>('*'));
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
  const same = (await waitingChanges(trx, [priority])).filter((row) => row.kind === 'page' && row.event === event);
  const waiting = new Set(same.map(({ key }) => key));
  const added = addresses
    .filter((address) => !waiting.has(address))
    .map((key) => ({ kind: 'page', event, key }) as const);
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
  const ballot = await trx('ballots').where({ id: ballotId }).first('kind', 'category', 'listed', 'closed_at');
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

/** Those that could not be published at once. */
const failingJobs = (db: Database) => changeJobs(db).where('attempts', '>', 1);

/** Changes that could not be published, without those whose pages are rendered one part after the other. */
export async function failingChanges(db: Database): Promise<ChangeRow[]> {
  const failing = await failingJobs(db)
    .whereNotIn('kind', [...relatedQueues])
    .limit(200)
    .select<JobRow[]>('*');
  return failing.map(changeOf);
}

/** How many changes wait. */
export async function countChanges(db: Database): Promise<number> {
  const row = await changeJobs(db).count('* as count').first<{ count: number | string }>();
  return Number(row.count);
}

/** Rows per statement. */
const atOnce = 200;

/** Deletes published changes. */
export async function deleteChanges(trx: Database, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await trx('jobs')
      .whereIn('id', ids.slice(from, from + atOnce))
      .del();
}

/** Records how far a change of many pages is, which is due again at once. */
export async function moveCursor(
  trx: Database,
  { id, kind, key, event, at }: ChangeRow,
  cursor: string,
): Promise<void> {
  const payload = JSON.stringify({ kind, key, event, at, cursor } satisfies Recorded);
  await trx('jobs').where({ id }).update({ payload, attempts: 0, due_at: 0, lease: null });
}

/** The changes of related polls for which no report has been published yet. */
export async function relatedChanges(db: Database): Promise<ChangeRow[]> {
  return (await waitingChanges(db, relatedQueues)).filter(({ cursor }) => cursor === null);
}

/** Has claimed changes tried again that could not be published: at once after the first attempt, and later each time after that. */
export async function retryChanges(db: Database, rows: readonly ChangeRow[], now: number): Promise<void> {
  for (const row of rows) {
    const wait = row.attempts === 1 ? 0 : Math.min(maxRetryMs, retryMs * 2 ** (row.attempts - 2));
    await postponeJob(db, row, now + wait);
  }
}

/** Gives claimed changes back that this process was not able to try. */
export async function giveBackChanges(db: Database, rows: readonly ChangeRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const isClaimed = db('jobs')
    .whereIn('id', ids)
    .where('lease', rows[0]?.lease ?? '');
  await isClaimed.update({ lease: null, due_at: 0, attempts: db.raw('attempts - 1') });
}

/** When changes that could not be published are tried again; null if there are none. */
export async function nextRetry(db: Database): Promise<number | null> {
  const row = await failingJobs(db).min('due_at as due').first<{ due: number | string | null }>();
  return row.due === null ? null : Number(row.due);
}

/** All changes recorded so far, without those by a machine whose clock is ahead: no page shows them yet. */
export async function recordedChanges(db: Database, now: number): Promise<ChangeRow[]> {
  return (await waitingChanges(db)).filter(({ at, attempts }) => at <= now || attempts > 0);
}
