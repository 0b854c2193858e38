import { setTimeout as pause } from 'node:timers/promises';
import { recordAudit } from '#api/audit/audit.service.ts';
import type { AuditActor } from '#api/audit/audit.service.ts';
import type { ReleaseRecord } from '#contract/publishing.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { recordChanges } from './changes.service.ts';
import { cancelRunningJob, pinnedReleaseId, unpinReleases } from './jobs.queries.ts';
import { holdJob } from './job.service.ts';
import type { Job } from './job.service.ts';
import { recover } from './publish.service.ts';
import { isKept, returnTo } from './releases.ts';
import { currentHead } from './store.ts';
import { removePolls, takeDownMissingPolls } from './takedowns.service.ts';

interface ReturnContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
}

/** Milliseconds between attempts to get the job. */
const jobPollMs = 20;

/**
 * Serves an earlier release again and returns its record, or null if there is none with that id. A publish that is running
 * began earlier and is canceled (decision 030). Polls deleted since then are removed from the release first. The next
 * change replaces it unless it is pinned.
 */
export async function rollbackRelease(
  context: ReturnContext,
  id: string,
  { pin = false, actor = 'terminal' }: { readonly pin?: boolean; readonly actor?: AuditActor } = {},
): Promise<ReleaseRecord | null> {
  const { dataDir } = context;
  if (!isKept(dataDir, id)) return null;
  const job = await takeJob(context);
  try {
    await recover(context, job);
    await takeDownMissingPolls(context, id);
    await removePolls(context, job);
    const before = currentHead(dataDir)?.release ?? null;
    const release = await returnTo(dataDir, id, (record) => ({
      portion: job.portion,
      finish: (work) =>
        job.finish(
          {
            ...{ release: record, pin },
            also: (trx) =>
              recordAudit(trx, {
                at: context.clock.now(),
                actor,
                action: 'release.return',
                subject: { kind: 'release', id },
                before: { release: before },
                after: { release: id, pin },
              }),
          },
          work,
        ),
    }));
    if (release === null) await job.fail(new Error(publishingTexts.noSuchRelease(id)));
    return release;
  } catch (error) {
    await job.fail(error as Error).catch(() => undefined);
    throw error;
  } finally {
    await job.release();
  }
}

/** Cancels the running publish and holds the job. */
async function takeJob(context: ReturnContext): Promise<Job> {
  for (;;) {
    await cancelRunningJob(context.db, context.clock.now(), publishingTexts.overruled);
    const job = await holdJob(context, publishingTexts.reasons.returned);
    if (job !== null) return job;
    await pause(jobPollMs);
  }
}

/** The pinned release, which no publish replaces; the pin of a release that is not served here is dropped. */
export async function pinnedRelease(db: Database, dataDir: string): Promise<string | null> {
  await unpinReleases(db, currentHead(dataDir)?.release ?? null);
  return pinnedReleaseId(db);
}

/** Unpins the release and publishes everything since; false if none was pinned. */
export async function releasePin(db: Database, clock: Clock, actor: AuditActor = 'terminal'): Promise<boolean> {
  return db.transaction(async (trx) => {
    const before = await pinnedReleaseId(trx);
    if (!(await unpinReleases(trx))) return false;
    const subject = { kind: 'release', id: before ?? '' };
    await recordAudit(trx, { at: clock.now(), actor, action: 'release.unpin', subject });
    // Something has to be due, so that the newest release is served again.
    await recordChanges(trx, clock.now(), [{ kind: 'content', key: '' }]);
    return true;
  });
}
