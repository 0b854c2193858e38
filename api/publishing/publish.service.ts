import { buildFiles } from '#domain/build-files.ts';
import { freeLeases } from '#platform/jobs/jobs.service.ts';
import { errorOf } from '#platform/errors.ts';
import { isGone } from '#platform/runner.ts';
import { inBuilds } from './builds.ts';
import { newestReport } from './change-facts.queries.ts';
import { areChangesDue, claimChanges, giveBackChanges, priorities, retryChanges } from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';
import { disk, explainError, namesIn } from './disk.ts';
import { fillBuild } from './fill.service.ts';
import { pausedSince } from './state.service.ts';
import { holdJob, reasonOf } from './job.service.ts';
import type { PublishJob } from './job.service.ts';
import { changesStep, publishChanges, removeGone, servedTarget } from './publish-changes.service.ts';
import type { Publish, PublishContext, Published } from './publish-changes.service.ts';
import type { Renderer } from './renderer.ts';

export type PublishOutcome =
  | { readonly status: 'nothing-due' }
  | ({ readonly status: 'published' } & Publish)
  | ({ readonly status: 'failed' } & Publish & { readonly error: Error });

/**
 * Publishes the most urgent changes that are due: renders the pages that show them, writes those that differ, and puts them in
 * their places. Does nothing while another process publishes. After a failure the changes are tried again later.
 */
export async function publishDue(context: PublishContext): Promise<PublishOutcome> {
  const { db, clock, dataDir } = context;
  // A process that died here or elsewhere has left what it had claimed.
  await freeLeases(db, isGone, clock.now());
  if (!(await areChangesDue(db, clock.now()))) {
    context.showing.clear();
    return { status: 'nothing-due' };
  }
  const startedAt = clock.now();
  let due: ChangeRow[] = [];
  const job = await holdJob(context, async (trx) => (due = await claimChanges(trx, startedAt, 'all')));
  if (job === null) return { status: 'nothing-due' };
  try {
    await removeDrafts(dataDir, job);
    await removeGone(context, job, due);
    const published = await publish(context, job, due);
    if (published.error !== null) await retryChanges(db, due, clock.now());
    return over(context, { ...published, reason: reasonOf(due), milliseconds: clock.now() - startedAt });
  } catch (thrown) {
    const explained = explainError(errorOf(thrown), dataDir);
    // If the database can’t be written either (a full disk), the original reason must still be reported.
    const error = await job.fail(explained).catch(() => explained);
    const back = context.signal?.aborted ? giveBackChanges(db, due) : retryChanges(db, due, clock.now());
    await back.catch(() => undefined);
    const milliseconds = clock.now() - startedAt;
    return over(context, { error, reason: reasonOf(due), changed: 0, rendered: 0, milliseconds });
  } finally {
    await job.release();
  }
}

function over({ onPublish }: PublishContext, publish: Publish): PublishOutcome {
  onPublish?.(publish);
  const { error } = publish;
  return error === null ? { status: 'published', ...publish } : { status: 'failed', ...publish, error };
}

/** Deletes what a publisher that died has left. */
async function removeDrafts(dataDir: string, job: PublishJob): Promise<void> {
  const find = () => namesIn(inBuilds(dataDir, buildFiles.drafts));
  let left = find();
  if (left.length === 0) return;
  // Read while the job certainly belongs to this process: later, another one may have drafts of its own.
  await job.confirmed(() => {
    left = find();
  });
  for (const name of left) await disk.removeFolder(inBuilds(dataDir, buildFiles.drafts, name));
}

async function publish(context: PublishContext, job: PublishJob, due: readonly ChangeRow[]): Promise<Published> {
  const served = await servedTarget(context);
  const isWhole = due.some(({ kind }) => kind === 'site');
  // Without pages there is nothing in which a single change could be shown, and removed pages are gone.
  if (isWhole || (served === null && (await pausedSince(context.db)) === null)) return fillBuild(context, job, due);
  return publishChanges(context, job, due, served ? [served] : [], (end, work) => job.finish(end, work));
}

/**
 * Renders the pages that show the closing of a poll, without publishing them; before the first one, the home page. False if
 * `isOver` ended it.
 */
export async function warmUp(context: PublishContext, renderer: Renderer, isOver: () => boolean): Promise<boolean> {
  const key = await newestReport(context.db);
  const waiting = { id: 0, queue: priorities.now, at: 0, attempts: 0, cursor: null, lease: null };
  const closing = async (key: string) =>
    (await changesStep(context, [{ kind: 'poll', key, event: 'closed', ...waiting }])).addresses;
  for (const address of key === null ? ['/'] : await closing(key)) {
    if (isOver()) return false;
    // A page that can’t be rendered fails in the publish that shows it.
    await renderer.render(address).catch(() => undefined);
  }
  return true;
}
