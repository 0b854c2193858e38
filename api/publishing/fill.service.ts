import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { buildFiles } from '#domain/build-files.ts';
import { compileCache } from '#platform/config.ts';
import { errorOf } from '#platform/errors.ts';
import type { Database } from '#platform/database.ts';
import {
  clientOf,
  earlierBuilds,
  inBuilds,
  pageAddresses,
  pageFiles,
  placePage,
  removeOldBuilds,
  servedBuild,
  serveBuild,
} from './builds.ts';
import {
  claimChanges,
  deleteChanges,
  giveBackChanges,
  moveCursor,
  recordedChanges,
  retryChanges,
  waitingChanges,
} from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';
import { readCodeBuild } from './code-build.ts';
import type { CodeBuild } from './code-build.ts';
import { disk, explainError, syncAll } from './disk.ts';
import { reasonOf, recordEnded } from './job.service.ts';
import type { PublishJob, JobEnd } from './job.service.ts';
import { chosenBuild, pausedSince, recordFill } from './state.service.ts';
import { momentOf, publishChanges, removeGone, renderPages, servedTarget } from './publish-changes.service.ts';
import type { PublishContext, Published, Target } from './publish-changes.service.ts';

/** Pages that are rendered before changes are published again: a poll that closes meanwhile waits for them. */
const pagesAtOnce = 256;
/** Attempts at a page: a poll may be removed while its page reads it. */
const attempts = 2;
/** Files that are deleted before anything else is looked at. */
const removedAtOnce = 100;
/** Milliseconds between looks for changes while the code is built, or files are synced or deleted. */
const lookMs = 250;

/**
 * Renders every page in the build of this code, beside the served one, and then serves it; in the served build itself if the code
 * is the same. Meanwhile single changes are published in both, so nothing waits for it, and a change is deleted only when
 * both show it. Throws, and what was served stays so, if a page can’t be rendered: a site with holes must not replace one
 * without.
 */
export async function fillBuild(
  context: PublishContext,
  job: PublishJob,
  changes: readonly ChangeRow[],
): Promise<Published> {
  const { dataDir } = context;
  const sites = changes.filter(({ kind }) => kind === 'site');
  // A publisher that ended afterward has filled it.
  const isFilled = sites.length > 0 && sites.every(({ cursor }) => cursor !== null);
  const filled = isFilled ? { changed: 0, rendered: 0, sites: idsOf(sites) } : await renderAll(context, job);
  if (filled === null) {
    // It goes on when publishing is resumed.
    await job.finish({ changed: 0 }, (trx) => giveBackChanges(trx, changes));
    return { changed: 0, rendered: 0, error: null };
  }
  await meanwhile(
    job,
    () => cleanUp(dataDir),
    () => publishMeanwhile(context, job, null),
  );
  await job.finish(filled, (trx) => deleteChanges(trx, filled.sites));
  return { ...filled, error: null };
}

const idsOf = (changes: readonly Pick<ChangeRow, 'id'>[]) => changes.map(({ id }) => id);

interface Filled {
  readonly changed: number;
  readonly rendered: number;
  /** The ids of the changes that are over when the builds before it are cleaned up. */
  readonly sites: readonly number[];
}

/** Fills the build and serves it; null if publishing was paused meanwhile. */
async function renderAll(context: PublishContext, job: PublishJob): Promise<Filled | null> {
  const { db, clock, dataDir } = context;
  // Those of a clock that is ahead are soon in the served build.
  const shown = await waitingChanges(db);
  job.report({ step: 'code' });
  const code = await meanwhile(
    job,
    (signal) => wantedBuild(context, signal),
    () => publishMeanwhile(context, job, null),
  );
  await context.loadContent();
  // The pages will show these changes and later ones.
  const covered = await recordedChanges(db, clock.now());
  const target: Target = { build: code.id, renderer: await context.renderer(code.folder, true) };
  const isServed = servedBuild(dataDir) === code.id;
  const client = clientOf(dataDir, code.id);
  const existing = new Set(await Array.fromAsync(context.addresses(code.fixedAddresses)));
  // Rendering those that shouldn’t be there removes them.
  const strays = pageAddresses(dataDir, code).filter((address) => !existing.has(address));
  const addresses = [...existing, ...strays];
  let changed = 0;
  let done = 0;
  for (let from = 0; from < addresses.length; from += pagesAtOnce) {
    let wanted: readonly string[] = addresses.slice(from, from + pagesAtOnce);
    for (let attempt = 1; wanted.length > 0; attempt++) {
      // Rendered one after the other with what is published meanwhile: none may show less than what was published before it.
      const { drafts, failures } = await renderPages(context, job, target, wanted, {
        now: momentOf(context, shown),
        durable: isServed,
        onDone: () => job.report({ step: 'pages', done: ++done, total: addresses.length }),
      });
      const failed = failures.filter(({ address }) => existing.has(address));
      if (attempt === attempts && failed.length > 0) throw failed[0]!.error;
      const gone = failures.filter((failure) => !failed.includes(failure));
      const placed = [...drafts, ...gone.map(({ address }) => ({ address, draft: null }))];
      await job.confirmed(() => {
        for (const { address, draft } of placed) placePage(client, address, draft);
      });
      changed += placed.filter(({ address, draft }) => draft !== null || !existing.has(address)).length;
      await publishMeanwhile(context, job, target);
      wanted = failed.map(({ address }) => address);
    }
    if ((await pausedSince(db)) !== null) return null;
  }
  job.report({ step: 'publish' });
  await meanwhile(
    job,
    () => syncAll(code.folder),
    () => publishMeanwhile(context, job, target),
  );
  const fill = randomBytes(12).toString('hex');
  const draft = inBuilds(dataDir, buildFiles.drafts, fill);
  await disk.write(draft, fill, { durable: true });
  const sites = covered.filter(({ kind }) => kind === 'site');
  const others = idsOf(covered.filter(({ kind }) => kind !== 'site'));
  await job.confirmed(async (trx) => {
    await deleteChanges(trx, others);
    for (const site of sites) await moveCursor(trx, site, code.id);
    await recordFill(trx, fill);
    disk.rename(draft, inBuilds(dataDir, code.id, buildFiles.fill));
    serveBuild(dataDir, code.id, clock.now());
  });
  return { changed, rendered: addresses.length, sites: idsOf(sites) };
}

/** The build that an operator went back to, or that of this code, made now if there is none. */
async function wantedBuild(
  { db, dataDir, codeBuild, codeId }: PublishContext,
  signal: AbortSignal,
): Promise<CodeBuild> {
  return (await chosenBuild(db, dataDir, codeId())) ?? codeBuild(signal);
}

/** Repeats `step` until `work` is over; an error of either ends both. */
async function meanwhile<T>(
  job: PublishJob,
  work: (signal: AbortSignal) => Promise<T>,
  step: () => Promise<void>,
): Promise<T> {
  const stop = new AbortController();
  let isOver = false;
  const working = work(AbortSignal.any([job.signal, stop.signal]));
  const over = working.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  try {
    while (!isOver) {
      await step();
      await Promise.race([over, pause(lookMs)]);
    }
  } finally {
    stop.abort();
    await over;
  }
  return working;
}

/**
 * Publishes what is due of single changes in the served build and the one that is being filled, if any. What fails is recorded,
 * and tried again later.
 */
async function publishMeanwhile(context: PublishContext, job: PublishJob, filled: Target | null): Promise<void> {
  const { db, clock, dataDir, onPublish } = context;
  const startedAt = clock.now();
  const due = await claimChanges(db, startedAt, 'single events');
  if (due.length === 0) return;
  await removeGone(context, job, due);
  // If its code can’t be loaded, they wait for the new build.
  const served = await servedTarget(context).catch(() => undefined);
  if (served === undefined || (served === null && filled === null)) return giveBackChanges(db, due);
  const targets = [served, filled].filter((one) => one !== null);
  const distinct = targets.filter(({ build }, at) => targets.findIndex((one) => one.build === build) === at);
  const record = (trx: Database, end: JobEnd) => recordEnded(trx, { changes: due, startedAt, ...end }, clock.now());
  const published = await publishChanges(context, job, due, distinct, (end, work) =>
    job.confirmed(async (trx) => {
      await record(trx, end);
      await work(trx);
    }),
  ).catch(async (thrown: unknown): Promise<Published> => {
    job.signal.throwIfAborted();
    const error = explainError(errorOf(thrown), dataDir);
    await job.confirmed((trx) => record(trx, { changed: 0, error: error.message }));
    return { error, changed: 0, rendered: 0 };
  });
  if (published.error !== null) await retryChanges(db, due, clock.now());
  onPublish?.({ ...published, reason: reasonOf(due), milliseconds: clock.now() - startedAt });
}

/** Deletes the pages of earlier builds, and builds that nobody goes back to. */
async function cleanUp(dataDir: string): Promise<void> {
  for (const { id } of earlierBuilds(dataDir)) {
    const code = await readCodeBuild(inBuilds(dataDir, id));
    for (const [place, file] of (code ? pageFiles(dataDir, code) : []).entries()) {
      if (place % removedAtOnce === 0) await nextTurn();
      disk.remove(join(clientOf(dataDir, id), file));
    }
  }
  // Node never deletes what it has compiled of removed code, and compiles the rest again.
  if (await removeOldBuilds(dataDir)) await disk.removeFolder(compileCache(dataDir));
  // Up to version 0.2.0.
  await disk.removeFolder(join(dataDir, 'releases'));
}
