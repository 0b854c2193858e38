import { shownTopics, topicAddresses, wavesOf } from '#api/polls/topics/topics.service.ts';
import { isLateList, isOfSitemap, pagesOf, publishOrder } from '#domain/pages-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import { hasLittleMemory } from '#platform/little-memory.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { buildIds, clientOf, hasPage, inBuilds, placePage, servedBuild, syncPlaces } from './builds.ts';
import type { PageDraft } from './builds.ts';
import { categoriesLedBy, factsOf, reportsOfCategory } from './change-facts.queries.ts';
import {
  deleteChanges,
  moveCursor,
  priorities,
  recordChanges,
  recordPages,
  relatedChanges,
  waitingChanges,
} from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';
import { readCodeBuild } from './code-build.ts';
import type { CodeBuild } from './code-build.ts';
import { isOfDisk } from './disk.ts';
import type { PublishJob, JobEnd, JobProgress } from './job.service.ts';
import { RendererEnded } from './renderer.ts';
import type { Renderer } from './renderer.ts';

/** What publishing needs; commands and tests pass in what renders. */
export interface PublishContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
  /** The code build of this code, made now if there is none. */
  readonly codeBuild: (signal: AbortSignal) => Promise<CodeBuild>;
  /** The id that it has or will have. */
  readonly codeId: () => string;
  /** A renderer with the code build in a folder; `many` pages will be rendered. Kept by the caller. */
  readonly renderer: (codeFolder: string, many: boolean) => Promise<Renderer>;
  /** The address of every page, `fixed` ones first. */
  readonly addresses: (fixed: readonly string[]) => AsyncIterable<string>;
  /** Loads content files that have changed, which records what that changes. */
  readonly loadContent: () => Promise<unknown>;
  /** The addresses that may show a changed text, by its file. */
  readonly contentPages: (file: string) => Promise<readonly string[]>;
  /** Those of these addresses that certainly don’t exist any more. */
  readonly goneAddresses: (wanted: readonly string[]) => Promise<readonly string[]>;
  /**
   * By the addresses of reports that this process has rendered, the ids of waiting changes of related polls that they show.
   * Those of one publish share a set.
   */
  readonly showing: Map<string, Set<number>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
  /** Hears of each publish that is over, also of those while a build is filled. */
  readonly onPublish?: (publish: Publish) => void;
}

/** A publish that is over. */
export interface Publish {
  readonly reason: string;
  /** Files that it changed. */
  readonly changed: number;
  readonly rendered: number;
  readonly milliseconds: number;
  readonly error: Error | null;
}

/** A build whose pages are published, with what renders them. */
export interface Target {
  readonly build: string;
  readonly renderer: Renderer;
}

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
/** Pages that one transaction puts in their places: a few milliseconds on a fast disk. On SQLite, votes wait for it. */
const placedAtOnce = 64;

export type Published = Pick<Publish, 'changed' | 'rendered' | 'error'>;

/** The build that is served, with its renderer; null if there is none, or none that this version can read. */
export async function servedTarget({ dataDir, renderer }: PublishContext): Promise<Target | null> {
  const build = servedBuild(dataDir);
  const code = build === null ? null : await readCodeBuild(inBuilds(dataDir, build));
  return code && { build: code.id, renderer: await renderer(code.folder, false) };
}

/** Ends a publish in one transaction with `work`. */
type End = (end: JobEnd, work: (trx: Database) => Promise<void>) => Promise<void>;

/**
 * Renders the pages that show these changes, in each of these builds, and puts them in their places: pages before the lists
 * that link to them, removals last. The changes are deleted in the transaction that places the last pages.
 */
export async function publishChanges(
  context: PublishContext,
  job: PublishJob,
  changes: readonly ChangeRow[],
  targets: readonly Target[],
  end: End,
): Promise<Published> {
  const { dataDir } = context;
  const { loaded, problem } = await loadFiles(context, changes);
  const [first] = loaded;
  const step = first?.kind === 'related' ? await relatedStep(context, first) : await changesStep(context, loaded);
  const now = momentOf(context, changes);
  const failures: Failure[] = [];
  const places: Placing[] = [];
  for (const target of targets) {
    const pages = await renderPages(context, job, target, step.addresses, { now, durable: true });
    failures.push(...pages.failures);
    const found = [...pages.drafts, ...step.gone.map((address) => ({ address, draft: null }))];
    places.push(...found.map((page) => ({ ...page, build: target.build })));
  }
  const error = problem ?? failures[0]?.error ?? null;
  const changed = await place(dataDir, job, places, (last) =>
    end({ changed: last.changed, error: error?.message }, async (trx) => {
      await step.done(trx, failures);
      last.work();
    }),
  );
  return { changed, rendered: step.addresses.length, error };
}

/** Loads changed content files, and adds what that has recorded: it is one publish. A problem with a file is theirs alone. */
async function loadFiles(
  { db, loadContent }: PublishContext,
  changes: readonly ChangeRow[],
): Promise<{ readonly loaded: readonly ChangeRow[]; readonly problem: Error | null }> {
  const others = changes.filter(({ kind, event }) => kind !== 'content' || event !== null);
  if (others.length === changes.length) return { loaded: changes, problem: null };
  try {
    await loadContent();
  } catch (error) {
    return { loaded: others, problem: errorOf(error) };
  }
  const newer = await waitingChanges(db, [priorities.now], Math.max(...changes.map(({ id }) => id)));
  const recorded = newer.filter(({ kind }) => kind === 'content' || kind === 'page');
  return { loaded: [...changes, ...recorded], problem: null };
}

/** Deletes pages that are gone, in every build, before anything is rendered: that needs no renderer and no space. */
export async function removeGone(
  context: PublishContext,
  job: PublishJob,
  changes: readonly ChangeRow[],
): Promise<void> {
  const removed = changes.filter(({ event }) => event === 'removed');
  if (removed.length === 0) return;
  const { dataDir, goneAddresses } = context;
  const gone = await goneAddresses((await changesStep(context, removed)).addresses);
  await job.confirmed(() => {
    for (const client of buildIds(dataDir).map((build) => clientOf(dataDir, build))) {
      for (const address of gone) placePage(client, address, null);
      syncPlaces(client, gone);
    }
  });
}

/** A page with its place; without a draft it is removed. */
interface Placing {
  readonly build: string;
  readonly address: string;
  readonly draft: PageDraft | null;
}

/**
 * Puts pages in their places, and returns how many files that changed. All but the last are placed in transactions of their own;
 * those of the last are left to `end`.
 */
async function place(
  dataDir: string,
  job: PublishJob,
  pages: readonly Placing[],
  end: (last: { readonly changed: number; readonly work: () => void }) => Promise<void>,
): Promise<number> {
  const order = ({ address, draft }: Placing) => publishOrder(address, draft === null);
  const sorted = pages
    .filter(({ build, address, draft }) => draft !== null || hasPage(clientOf(dataDir, build), address))
    .sort((a, b) => order(a) - order(b));
  const put = (some: readonly Placing[]) => {
    for (const { build, address, draft } of some) placePage(clientOf(dataDir, build), address, draft);
    for (const [build, placed] of Map.groupBy(some, (one) => one.build))
      syncPlaces(
        clientOf(dataDir, build),
        placed.map(({ address }) => address),
      );
  };
  const last = Math.max(0, sorted.length - placedAtOnce);
  for (let from = 0; from < last; from += placedAtOnce)
    await job.confirmed(() => put(sorted.slice(from, Math.min(last, from + placedAtOnce))));
  await end({ changed: sorted.length, work: () => put(sorted.slice(last)) });
  return sorted.length;
}

interface Failure {
  readonly address: string;
  readonly error: Error;
}

/** What a publish renders, and what its last transaction does. */
interface Step {
  readonly addresses: readonly string[];
  /** These don’t exist any more. */
  readonly gone: readonly string[];
  readonly done: (trx: Database, failures: readonly Failure[]) => Promise<void>;
}

export async function changesStep(context: PublishContext, changes: readonly ChangeRow[]): Promise<Step> {
  const { db, clock, contentPages } = context;
  const keys = (kind: ChangeRow['kind']) => changes.filter((change) => change.kind === kind).map(({ key }) => key);
  const polls = changes.filter(({ queue }) => queue === priorities.now).map(({ key }) => key);
  const [related, facts, reports, lists, led] = await Promise.all([
    // Before the pages are rendered, which therefore show them.
    relatedChanges(db),
    factsOf(db, changes),
    shownTopics(db, keys('report')),
    topicAddresses(db, keys('poll')),
    categoriesLedBy(db, polls),
  ]);
  const shown = new Set(related.map(({ id }) => id));
  const topics = new Map([...reports, ...lists]);
  const pages = new Map<ChangeRow, readonly string[]>();
  for (const change of changes) {
    const { kind, key } = change;
    const pagesOfChange = () => pagesOf(change, { ...facts(change), topics: topics.get(key) ?? [] });
    pages.set(change, kind === 'content' ? await contentPages(key) : pagesOfChange());
  }
  const addresses = [...new Set([...pages.values()].flat())];
  const waves = (await wavesOf(db, addresses)).map((id) => `/poll/${id}`);
  const queue = changes[0]?.queue ?? priorities.now;
  const event = removalIn(changes);
  const sitemap = addresses.filter(queue === priorities.many ? isLateList : isOfSitemap);
  const isLater = queue === priorities.many || (queue === priorities.now && sitemap.length > sitemapAtOnce);
  const later = new Set(isLater ? sitemap : []);
  // The site service draws the pictures of closed polls.
  const closed = changes.filter((change) => change.kind === 'poll' && facts(change).place !== null);
  const gone = new Set(closed.map(({ key }) => `/poll/${key}.png`));
  return {
    addresses: addresses.filter((address) => !later.has(address) && !gone.has(address)),
    gone: [...gone],
    async done(trx, failures) {
      await recordPages(trx, clock.now(), [...later], priorities.sitemap, event);
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
      await recordPages(trx, clock.now(), others, priorities.background, event);
    },
  };
}

/** The event of pages that follow: those that show something removed don’t wait for the end of a pause. */
const removalIn = (changes: readonly ChangeRow[]) =>
  changes.some(({ event }) => event === 'removed') ? 'removed' : null;

/** Some reports of a category whose most voted polls have changed. */
async function relatedStep({ db, clock, showing }: PublishContext, change: ChangeRow): Promise<Step> {
  const waiting = change.cursor === null ? await relatedChanges(db) : [];
  const same = waiting.filter(({ id, key }) => key === change.key && id !== change.id).map(({ id }) => id);
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
      // They must not hold up the others.
      const failed = failures.map(({ address }) => address);
      await recordPages(trx, clock.now(), failed, priorities.background, removalIn([change]));
      if (isLast) await deleteChanges(trx, [change.id]);
      else await moveCursor(trx, change, (ids.length < relatedAtOnce ? found : ids).at(-1)!);
    },
  };
}

/** Milliseconds by which the clocks of machines may differ. */
const clockSkewMs = 60_000;

/** The moment that pages show: a machine whose clock is ahead may have recorded that a poll has opened. */
export function momentOf({ clock }: PublishContext, changes: readonly ChangeRow[]): number {
  const now = clock.now();
  return Math.max(now, ...changes.map(({ at }) => at).filter((at) => at <= now + clockSkewMs));
}

/**
 * Renders pages in a build. Returns the drafts of those that differ from the stored ones, null for addresses that don’t exist
 * (any more), and which could not be rendered.
 */
export async function renderPages(
  { dataDir }: PublishContext,
  job: PublishJob,
  { build, renderer }: Target,
  addresses: readonly string[],
  { now, durable, onDone }: { readonly now: number; readonly durable: boolean; readonly onDone?: () => void },
): Promise<{
  readonly drafts: readonly { readonly address: string; readonly draft: PageDraft | null }[];
  readonly failures: readonly Failure[];
}> {
  const drafts: { address: string; draft: PageDraft | null }[] = [];
  const failures: Failure[] = [];
  const storing = { client: clientOf(dataDir, build), write: durable ? 'durable draft' : 'draft' } as const;
  const unanswered: string[] = [];
  const renderOne = async (address: string, isAlone: boolean) => {
    job.signal.throwIfAborted();
    const page = await renderer.render(address, now, storing).catch((error: unknown) => errorOf(error));
    if (page instanceof Error) {
      job.signal.throwIfAborted();
      if (isOfDisk(page)) throw page;
      if (page instanceof RendererEnded && !isAlone) unanswered.push(address);
      else
        failures.push({
          address,
          error: new Error(publishingTexts.pageFailed(address, page.message), { cause: page }),
        });
      return;
    }
    if (page?.isSame !== true) drafts.push({ address, draft: page?.draft ?? null });
    onDone?.();
  };
  let next = 0;
  const worker = async () => {
    for (let address = addresses[next++]; address !== undefined; address = addresses[next++])
      await renderOne(address, false);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  // One of them has ended the process of all, or is never over.
  for (const address of unanswered) await renderOne(address, true);
  return { drafts, failures };
}
