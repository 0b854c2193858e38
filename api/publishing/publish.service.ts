import { shownTopics, topicAddresses, wavesOf } from '#api/topics/topics.service.ts';
import { releaseFiles } from '#contract/publishing.ts';
import type { ChangeEvent, ReleaseRecord, StoredFile } from '#contract/publishing.ts';
import { isLateList, isOfSitemap, pagesOf, publishOrder } from '#domain/pages-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import { hasLittleMemory } from '#platform/little-memory.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { aboutOf, reasonOf } from './change-names.ts';
import { categoriesLedBy, factsOf, newestReport, reportsOfCategory } from './change-facts.queries.ts';
import {
  countAttempt,
  deleteChanges,
  dueChanges,
  moveCursor,
  priorities,
  recordChanges,
  recordedChanges,
  recordPages,
  relatedChanges,
  sameChanges,
  uncountAttempt,
} from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';
import type { JobProgress } from './build-job.model.ts';
import type { CodeBuild } from './code-build.ts';
import { syncAll } from './disk.ts';
import type { Encoded } from './encode.ts';
import { explainError, isOfDisk } from './build-errors.ts';
import { findRelease } from './jobs.queries.ts';
import { Manifest } from './manifest.ts';
import { holdJob, makeCurrent } from './job.service.ts';
import type { Job } from './job.service.ts';
import { addRelease, addTree, newestState, newestRelease, removeEarlierReleases, removeLeftovers } from './releases.ts';
import type { FileChange, ReleaseState } from './releases.ts';
import type { Renderer } from './renderer.ts';
import { currentHead, inReleases, isStored, releaseIds, repeatPending, storeObjects } from './store.ts';

/** What publishing needs; commands and tests pass in what renders. */
export interface PublishContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
  /** The code build of this code, made now if there is none. */
  readonly codeBuild: (signal: AbortSignal) => Promise<CodeBuild>;
  /** A renderer with the code build in a folder; `many` pages will be rendered. Kept by the caller. */
  readonly renderer: (codeFolder: string, many: boolean) => Promise<Renderer>;
  /** The address of every page, `fixed` ones first. */
  readonly addresses: (fixed: readonly string[]) => AsyncIterable<string>;
  /** The addresses that may show a changed text; without an event, its file is loaded first. */
  readonly contentPages: (file: string, event?: ChangeEvent | null) => Promise<readonly string[]>;
  /** The assets and public files of a code build by address. */
  readonly assets: (code: CodeBuild) => AsyncIterable<readonly [address: string, asset: Encoded]>;
  /**
   * By the addresses of reports that this process has rendered, the ids of waiting changes of related polls that they show.
   * Those of one publish share a set.
   */
  readonly showing: Map<string, Set<number>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

export type PublishOutcome =
  | { readonly status: 'nothing-due' }
  | {
      readonly status: 'published';
      /** Null if the pages turned out to be as they were. */
      readonly release: ReleaseRecord | null;
      readonly rendered: number;
      readonly milliseconds: number;
    }
  | { readonly status: 'failed'; readonly error: Error };

/**
 * Pages asked for concurrently: a process has the next while it renders those of one message. With little memory, a quarter of
 * them costs a fifteenth more CPU time, and each process 20 MB less.
 */
const atOnce = hasLittleMemory() ? 32 : 128;
/** Reports of a category that one publish renders: a poll that closes meanwhile waits for them. */
const relatedAtOnce = 100;
/** Reports among which it finds those. */
const relatedRead = 2_000;
/** Files of the sitemap that a publish of single events renders; more of them follow when nothing else waits. */
const sitemapAtOnce = 6;
/** Files from which syncing the whole file system is faster than syncing each. */
const syncEachBelow = 200;

/**
 * Publishes the most urgent changes that are due, as one release: renders the pages that show them, stores what differs,
 * and moves names. Does nothing while another process publishes. After a failure the published
 * release stays as it is, and the changes are tried again later.
 */
export async function publishDue(context: PublishContext): Promise<PublishOutcome> {
  const { db, clock, dataDir } = context;
  const changes = await dueChanges(db, clock.now());
  if (changes.length === 0) {
    context.showing.clear();
    return { status: 'nothing-due' };
  }
  const startedAt = clock.now();
  let due: ChangeRow[] = [];
  const job = await holdJob(context, reasonOf(changes), aboutOf(changes), async (trx) => {
    // Another process may have published them before this one held the job.
    due = await dueChanges(trx, startedAt);
    // Whatever fails from here on, they wait longer each time.
    await countAttempt(trx, due, startedAt);
  });
  if (job === null) return { status: 'nothing-due' };
  try {
    if (!(await recover(context, job))) due = await dueChanges(db, clock.now());
    if (due.length === 0) {
      await job.finish({ release: null }, () => undefined);
      return { status: 'nothing-due' };
    }
    const { release, rendered, failures } = await publish(context, job, due, startedAt);
    if (failures.length > 0) throw failures[0]!.error;
    // What can’t be deleted now is with the next publish.
    await removeEarlierReleases(dataDir).catch(() => undefined);
    return { status: 'published', release, rendered, milliseconds: clock.now() - startedAt };
  } catch (thrown) {
    const error = explainError(errorOf(thrown), dataDir);
    if (context.signal?.aborted) await uncountAttempt(db, due, clock.now()).catch(() => undefined);
    // If the database can’t be written either (a full disk), the original reason must still be reported.
    return { status: 'failed', error: await job.fail(error).catch(() => error) };
  } finally {
    await job.release();
  }
}

/**
 * Renders the pages that show the closing of a poll, without publishing them; before the first one, the home page. False if
 * `isOver` ended it.
 */
export async function warmUp(context: PublishContext, renderer: Renderer, isOver: () => boolean): Promise<boolean> {
  const key = await newestReport(context.db);
  const waiting = { id: 0, priority: priorities.now, due_at: 0, attempts: 0, cursor: null };
  const closing = async (key: string) =>
    (await changesStep(context, [{ kind: 'poll', key, event: 'closed', ...waiting }])).addresses;
  for (const address of key === null ? ['/'] : await closing(key)) {
    if (isOver()) return false;
    // A page that can’t be rendered fails in the publish that shows it.
    await renderer.render(address).catch(() => undefined);
  }
  return true;
}

/** Why the whole site has to be published; null if it is only a matter of changes. */
export async function reasonForWholeSite(db: Database, dataDir: string, codeId: string): Promise<string | null> {
  const head = currentHead(dataDir);
  const newest = newestRelease(dataDir);
  if (head === null || newest === null) return publishingTexts.reasons.noRelease;
  if (newest.code !== codeId) return publishingTexts.reasons.sourceChanged;
  return (await knowsReleases(db, dataDir)) ? null : publishingTexts.reasons.otherDatabase;
}

/**
 * Whether the database has one of the releases: otherwise the data folder belongs to another one. A release whose publisher died
 * at its end may be unknown, but not the one before it.
 */
async function knowsReleases(db: Database, dataDir: string): Promise<boolean> {
  for (const id of releaseIds(dataDir)) if ((await findRelease(db, id)) !== null) return true;
  return false;
}

/**
 * Completes or discards what a publisher that died has left; false if contents of it are gone, so that the whole site has
 * to be published, which is recorded as a change.
 */
export async function recover(
  { db, clock, dataDir }: Pick<PublishContext, 'db' | 'clock' | 'dataDir'>,
  job: Job,
): Promise<boolean> {
  let isWhole = true;
  await repeatPending(dataDir, { portion: job.portion, finish: job.portion }, async () => {
    isWhole = false;
    // Some of the names may have been moved.
    await recordChanges(db, clock.now(), [{ kind: 'site', key: publishingTexts.reasons.damaged }]);
  });
  await removeLeftovers(dataDir, job.portion);
  const head = currentHead(dataDir);
  // The files were complete, but the transaction was not.
  if (head !== null && !(await findRelease(db, head.release))?.is_current && (await knowsReleases(db, dataDir))) {
    const { release: id, createdAt, pages, bytes } = head;
    const release = { id, createdAt: Date.parse(createdAt), pages, bytes };
    await job.portion((trx) => makeCurrent(trx, release, clock.now()));
  }
  return isWhole;
}

interface Published {
  readonly release: ReleaseRecord | null;
  readonly rendered: number;
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly address: string;
  readonly error: Error;
}

async function publish(
  context: PublishContext,
  job: Job,
  changes: readonly ChangeRow[],
  startedAt: number,
): Promise<Published> {
  const { dataDir } = context;
  const site = changes.filter(({ kind }) => kind === 'site');
  const state = site.length > 0 ? null : readable(() => newestState(dataDir));
  if (state === null) return publishSite(context, job, changes, startedAt);
  const folder = inReleases(dataDir, releaseFiles.code, state.record.code);
  const [first] = changes;
  const step = first?.kind === 'related' ? await relatedStep(context, first) : await changesStep(context, changes);
  const renderer = await context.renderer(folder, false);
  const files: FileChange[] = step.gone.map((address) => ({ address, file: null }));
  const failures = await render(context, job, renderer, step.addresses, {
    now: momentOf(context, changes),
    before: (address) => state.manifest.get(address),
    onFile: (address, file) => files.push({ address, file }),
  });
  const guard = (record: ReleaseRecord | null) => ({
    portion: job.portion,
    finish: (work: () => void) =>
      job.finish({ release: record, error: failures[0]?.error, also: (trx) => step.done(trx, failures) }, work),
  });
  const release = await addRelease(dataDir, state, inOrder(files, state), {
    now: context.clock.now(),
    startedAt,
    reason: reasonOf(changes),
    guard,
  });
  if (release === null) await guard(null).finish(() => undefined);
  return { release, rendered: step.addresses.length, failures };
}

/** What a publish renders, and what its last transaction does. */
interface Step {
  readonly addresses: readonly string[];
  /** These don’t exist any more. */
  readonly gone: readonly string[];
  readonly done: (trx: Database, failures: readonly Failure[]) => Promise<void>;
}

async function changesStep(context: PublishContext, changes: readonly ChangeRow[]): Promise<Step> {
  const { db, clock, contentPages } = context;
  const keys = (kind: ChangeRow['kind']) => changes.filter((change) => change.kind === kind).map(({ key }) => key);
  const polls = changes.filter(({ priority }) => priority === priorities.now).map(({ key }) => key);
  const [related, facts, reports, lists, led] = await Promise.all([
    // Before the pages are rendered, which therefore show them.
    relatedChanges(db),
    factsOf(db, changes),
    shownTopics(db, keys('report')),
    topicAddresses(db, keys('poll')),
    categoriesLedBy(db, polls),
  ]);
  const shown = new Set(related);
  const topics = new Map([...reports, ...lists]);
  const pages = new Map<ChangeRow, readonly string[]>();
  for (const change of changes) {
    const { kind, key, event = null } = change;
    const pagesOfChange = () => pagesOf(change, { ...facts(change), topics: topics.get(key) ?? [] });
    pages.set(change, kind === 'content' ? await contentPages(key, event) : pagesOfChange());
  }
  const addresses = [...new Set([...pages.values()].flat())];
  const waves = (await wavesOf(db, addresses)).map((id) => `/poll/${id}`);
  const priority = changes[0]?.priority ?? priorities.now;
  const sitemap = addresses.filter(priority === priorities.many ? isLateList : isOfSitemap);
  const isLater = priority === priorities.many || (priority === priorities.now && sitemap.length > sitemapAtOnce);
  const later = new Set(isLater ? sitemap : []);
  // The site service draws the pictures of closed polls.
  const closed = changes.filter((change) => change.kind === 'poll' && facts(change).place !== null);
  const gone = new Set(closed.map(({ key }) => `/poll/${key}.png`));
  return {
    addresses: addresses.filter((address) => !later.has(address) && !gone.has(address)),
    gone: [...gone],
    async done(trx, failures) {
      await recordPages(trx, clock.now(), [...later], priorities.sitemap);
      const failed = new Set(failures.map(({ address }) => address));
      if (shown.size > 0)
        for (const address of addresses)
          if (address.startsWith('/poll/') && !failed.has(address)) context.showing.set(address, shown);
      const isFailed = (change: ChangeRow) => pages.get(change)!.some((address) => failed.has(address));
      const published = changes.filter((change) => !isFailed(change)).map(({ id }) => id);
      await deleteChanges(trx, published);
      const ofLed = led.map((category) => ({ kind: 'related', key: category }) as const);
      await recordChanges(trx, clock.now(), ofLed, priorities.background);
      // Other reports of the series draw the same chart.
      const others = waves.filter((address) => !addresses.includes(address));
      await recordPages(trx, clock.now(), others, priorities.background);
    },
  };
}

/** Some reports of a category whose most voted polls have changed. */
async function relatedStep({ db, showing }: PublishContext, change: ChangeRow): Promise<Step> {
  const same = change.cursor === null ? await sameChanges(db, change) : [];
  // This change stands for the others from now on.
  for (const shown of new Set(showing.values())) if (same.some((id) => !shown.has(id))) shown.delete(change.id);
  const found = await reportsOfCategory(db, change.key, change.cursor, relatedRead);
  const ids = found.filter((id) => showing.get(`/poll/${id}`)?.has(change.id) !== true).slice(0, relatedAtOnce);
  const isLast = found.length < relatedRead && ids.length < relatedAtOnce;
  return {
    addresses: ids.map((id) => `/poll/${id}`),
    gone: [],
    async done(trx, failures) {
      await deleteChanges(trx, same);
      if (failures.length > 0) return;
      if (isLast) await deleteChanges(trx, [change.id]);
      else await moveCursor(trx, change.id, (ids.length < relatedAtOnce ? found : ids).at(-1)!);
    },
  };
}

/** Milliseconds by which the clocks of machines may differ. */
const clockSkewMs = 60_000;

/** The moment that pages show: a machine whose clock is ahead may have recorded that a poll has opened. */
function momentOf({ clock }: PublishContext, changes: readonly ChangeRow[]): number {
  const now = clock.now();
  return Math.max(now, ...changes.map((change) => change.due_at).filter((due) => due <= now + clockSkewMs));
}

/** Renders every page into a tree of its own. */
async function publishSite(
  context: PublishContext,
  job: Job,
  changes: readonly ChangeRow[],
  startedAt: number,
): Promise<Published> {
  const reason = reasonOf(changes);
  const { db, clock, dataDir } = context;
  job.report({ step: 'code' });
  const code = await context.codeBuild(job.signal);
  // The pages will show these changes and later ones.
  const covered = await recordedChanges(db);
  await context.contentPages('');
  const renderer = await context.renderer(code.folder, true);
  const previous = readable(() => newestState(dataDir))?.manifest;
  // Contents may be damaged although their sizes are right.
  const anew = reason === publishingTexts.reasons.command || reason === publishingTexts.reasons.damaged;
  const kept = (address: string) => {
    const file = anew || !previous ? null : readable(() => previous.get(address));
    return file && isStored(dataDir, address, file) ? file : null;
  };
  const manifest = new Manifest(dataDir, {});
  for await (const [address, asset] of context.assets(code)) {
    const old = kept(address);
    // Another version of the compressor may make copies of another size, and other releases list those that are stored.
    const isSame = old?.hash === asset.file.hash;
    if (!isSame) await storeObjects(dataDir, address, asset, { durable: false, anew });
    manifest.set(address, isSame ? old : asset.file);
  }
  // Pages that are open in a browser load the assets of their own code build.
  for (const [address, file] of readable(() => [...(previous?.entries() ?? [])]) ?? [])
    if (address.startsWith('/_astro/') && manifest.get(address) === null && isStored(dataDir, address, file))
      manifest.set(address, file);
  const addresses = [...new Set(await Array.fromAsync(context.addresses(code.fixedAddresses)))];
  const failures = await render(context, job, renderer, addresses, {
    now: momentOf(context, changes),
    before: kept,
    anew,
    onFile: (address, file) => manifest.set(address, file),
  });
  // A site with holes must not replace one without.
  if (failures.length > 0) throw failures[0]!.error;
  job.report({ step: 'publish' });
  const finish = (record: ReleaseRecord) => (work: () => void) =>
    job.finish({ release: record, also: (trx) => deleteChanges(trx, covered) }, work);
  const guard = (record: ReleaseRecord) => ({ portion: job.portion, finish: finish(record) });
  const release = await addTree(dataDir, code.id, manifest, {
    now: clock.now(),
    startedAt,
    reason,
    guard,
    signal: job.signal,
  });
  return { release, rendered: addresses.length, failures: [] };
}

/**
 * Renders pages and stores their contents, `anew` also stored ones. `onFile` is called for each that could be rendered, with
 * null if it doesn’t exist (any more); the others are returned.
 */
async function render(
  { dataDir }: PublishContext,
  job: Job,
  renderer: Renderer,
  addresses: readonly string[],
  {
    now,
    before,
    anew = false,
    onFile,
  }: {
    readonly now: number;
    readonly before: (address: string) => StoredFile | null;
    readonly anew?: boolean;
    readonly onFile: (address: string, file: StoredFile | null) => void;
  },
): Promise<Failure[]> {
  const failures: Failure[] = [];
  let done = 0;
  const durable = addresses.length < syncEachBelow;
  let next = 0;
  const worker = async () => {
    for (let address = addresses[next++]; address !== undefined; address = addresses[next++]) {
      job.signal.throwIfAborted();
      const page = await renderer
        .render(address, now, before(address), { durable, anew })
        .catch((error: unknown) => errorOf(error));
      if (page instanceof Error) {
        job.signal.throwIfAborted();
        if (isOfDisk(page)) throw page;
        failures.push({
          address,
          error: new Error(publishingTexts.pageFailed(address, page.message), { cause: page }),
        });
        continue;
      }
      onFile(address, page?.file ?? null);
      done += 1;
      job.report({ step: 'pages', done, total: addresses.length });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (!durable) await syncAll(inReleases(dataDir));
  return failures;
}

function inOrder(files: readonly FileChange[], { manifest }: ReleaseState): FileChange[] {
  const order = (change: FileChange) =>
    publishOrder(change.address, change.file === null && manifest.get(change.address) !== null);
  return files.toSorted((a, b) => order(a) - order(b));
}

/** A damaged store is replaced by a new tree. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
