import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildFiles, fileOf } from '#contract/publishing.ts';
import { compileCache } from '#platform/config.ts';
import { errorOf } from '#platform/errors.ts';
import type { Database } from '#platform/database.ts';
import { explainError } from './build-errors.ts';
import {
  clientOf,
  earlierBuilds,
  inBuilds,
  otherFiles,
  placePage,
  removeOldBuilds,
  servedBuild,
  serveBuild,
} from './builds.ts';
import { aboutOf, reasonOf } from './change-names.ts';
import { countAttempt, deleteChanges, dueChanges, recordedChanges, uncountAttempt } from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';
import { readCodeBuild } from './code-build.ts';
import type { CodeBuild } from './code-build.ts';
import { disk, syncAll } from './disk.ts';
import { recordEnded } from './job.service.ts';
import type { Job } from './job.service.ts';
import type { JobEnd } from './jobs.queries.ts';
import { pausedSince } from './pause.service.ts';
import { publishChanges, renderPages, servedTarget } from './publish-changes.service.ts';
import type { PublishContext, Published, Target } from './publish-changes.service.ts';
import { chosenBuild, recordFill } from './wanted-build.service.ts';

/** Pages that are rendered before changes are published again: a poll that closes meanwhile waits for them. */
const pagesAtOnce = 256;
/** Attempts at a page: a poll may be removed while its page reads it. */
const attempts = 2;
/** Milliseconds between looks for changes while the code is built. */
const lookMs = 250;

/**
 * Renders every page in the build of this code, beside the served one, and then serves it; in the served build itself if the code
 * is the same. Meanwhile single changes are published in both, so nothing waits for it, and a change is deleted only when
 * both show it. Throws, and what was served stays so, if a page can’t be rendered: a site with holes must not replace one
 * without.
 */
export async function fillBuild(context: PublishContext, job: Job, changes: readonly ChangeRow[]): Promise<Published> {
  const { db, clock, dataDir } = context;
  job.report({ step: 'code' });
  const code = await meanwhile(wantedBuild(context, job), () => publishMeanwhile(context, job, null));
  await context.contentPages('');
  // The pages will show these changes and later ones.
  const covered = await recordedChanges(db);
  const target: Target = { build: code.id, renderer: await context.renderer(code.folder, true) };
  const isServed = servedBuild(dataDir) === code.id;
  const client = clientOf(dataDir, code.id);
  const addresses = [...new Set(await Array.fromAsync(context.addresses(code.fixedAddresses)))];
  let changed = 0;
  let done = 0;
  for (let from = 0; from < addresses.length; from += pagesAtOnce) {
    let wanted: readonly string[] = addresses.slice(from, from + pagesAtOnce);
    for (let attempt = 1; wanted.length > 0; attempt++) {
      // Rendered one after the other with what is published meanwhile: none may show less than what was published before it.
      const { drafts, failures } = await renderPages(context, job, target, wanted, {
        now: clock.now(),
        durable: isServed,
        onDone: () => job.report({ step: 'pages', done: ++done, total: addresses.length }),
      });
      if (attempt === attempts && failures.length > 0) throw failures[0]!.error;
      await job.confirmed(() => {
        for (const { address, draft } of drafts) placePage(client, address, draft);
      });
      changed += drafts.filter(({ draft }) => draft !== null).length;
      await publishMeanwhile(context, job, target);
      wanted = failures.map(({ address }) => address);
    }
    if ((await pausedSince(db)) === null) continue;
    // It goes on when publishing is resumed.
    await uncountAttempt(db, changes, clock.now());
    await job.finish({ changed: 0 });
    return { changed: 0, rendered: done, error: null };
  }
  job.report({ step: 'publish' });
  changed += await removeOthers(context, job, code);
  await syncAll(code.folder);
  const fill = randomBytes(12).toString('hex');
  const draft = inBuilds(dataDir, buildFiles.drafts, fill);
  await disk.write(draft, fill, { durable: true });
  await job.confirmed(async (trx) => {
    await deleteChanges(trx, covered);
    await recordFill(trx, fill);
    disk.rename(draft, inBuilds(dataDir, code.id, buildFiles.fill));
    serveBuild(dataDir, code.id, clock.now());
  });
  await cleanUp(dataDir);
  await job.finish({ changed });
  return { changed, rendered: addresses.length, error: null };
}

/** The build that an operator went back to, or that of this code, made now if there is none. */
async function wantedBuild({ db, dataDir, codeBuild, codeId }: PublishContext, job: Job): Promise<CodeBuild> {
  return (await chosenBuild(db, dataDir, codeId())) ?? codeBuild(job.signal);
}

/** Repeats `step` until the promise is settled. */
async function meanwhile<T>(promise: Promise<T>, step: () => Promise<void>): Promise<T> {
  let isOver = false;
  const over = promise.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver) {
    await step();
    await Promise.race([over, pause(lookMs)]);
  }
  return promise;
}

/**
 * Publishes what is due of single changes in the served build and the one that is being filled, if any. What fails is recorded,
 * and tried again later.
 */
async function publishMeanwhile(context: PublishContext, job: Job, filled: Target | null): Promise<void> {
  const { db, clock, dataDir, onPublish } = context;
  const startedAt = clock.now();
  const due = await dueChanges(db, startedAt, { single: true });
  if (due.length === 0) return;
  // If its code can’t be loaded, they wait for the new build.
  const served = await servedTarget(context).catch(() => undefined);
  if (served === undefined || (served === null && filled === null)) return;
  const targets = [served, filled].filter((one) => one !== null);
  const distinct = targets.filter(({ build }, at) => targets.findIndex((one) => one.build === build) === at);
  await countAttempt(db, due, startedAt);
  const [reason, about] = [reasonOf(due), aboutOf(due)];
  const record = (trx: Database, end: JobEnd) => recordEnded(trx, { reason, about, startedAt, ...end }, clock.now());
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
  onPublish?.({ ...published, reason, milliseconds: clock.now() - startedAt });
}

/** Removes pages that don’t exist any more; returns how many files that were. */
async function removeOthers({ dataDir, addresses }: PublishContext, job: Job, code: CodeBuild): Promise<number> {
  const files = new Set((await Array.fromAsync(addresses(code.fixedAddresses))).map(fileOf));
  const others = otherFiles(dataDir, code, files);
  if (others.length > 0) await job.confirmed(() => others.forEach((file) => disk.remove(file)));
  return others.length;
}

/** Deletes the pages of earlier builds, and builds that nobody goes back to. */
async function cleanUp(dataDir: string): Promise<void> {
  for (const { id } of earlierBuilds(dataDir)) {
    const code = await readCodeBuild(inBuilds(dataDir, id));
    if (code) for (const file of otherFiles(dataDir, code)) disk.remove(file);
  }
  // Node never deletes what it has compiled of removed code, and compiles the rest again.
  if (await removeOldBuilds(dataDir)) await disk.removeFolder(compileCache(dataDir));
  // Up to version 0.2.0.
  await disk.removeFolder(join(dataDir, 'releases'));
}
