/**
 * The process that publishes, started by the API service when something is due; see api/publishing/publisher.service.ts.
 * It ends itself after some idle minutes, and when the API service has ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import { releaseFiles } from '#contract/publishing.ts';
import { nextTransition } from '#api/lifecycle/lifecycle.service.ts';
import { startAudit } from '#api/publishing/audit.service.ts';
import type { Audit } from '#api/publishing/audit.service.ts';
import { newestAuditRow } from '#api/publishing/audit.queries.ts';
import { readCodeBuild } from '#api/publishing/code-build.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import { isAuditDue, warmUpMs } from '#api/publishing/publisher.service.ts';
import type { PublisherMessage } from '#api/publishing/publisher.service.ts';
import { currentHead, inReleases, releaseIds } from '#api/publishing/store.ts';
import { applyTakedowns } from '#api/publishing/takedowns.service.ts';
import { stopSignal } from './command-line.ts';
import { publishContext } from './publishing.ts';

/** Milliseconds between checks whether something is due. */
const pollMs = 100;
/** Milliseconds until the next attempt after a failure. */
const failedMs = 1_000;
/** Milliseconds until takedowns that failed are tried again; everything else is published meanwhile. */
const takedownRetryMs = 10_000;
/** Milliseconds without anything to publish after which the process ends. */
const idleMs = 30 * 60_000;

const stop = stopSignal();
const config = readConfig();
// Connections of its own: votes never wait for a check.
const db = openDatabase(config.databaseUrl);
const context = publishContext(db, config, stop);
const send = (message: PublisherMessage) => process.send?.(message);
let audit: Audit | null = null;
let lastWork = performance.now();
let isWarm = false;
/** When takedowns are tried again after a failure. */
let takedownsFrom = 0;

process.on('disconnect', () => process.exit());
try {
  while (!stop.aborted && performance.now() - lastWork < idleMs) {
    if (performance.now() >= takedownsFrom) await applyTakedowns(context).catch(postponeTakedowns);
    const outcome = await publishDue(context);
    if (outcome.status === 'nothing-due') {
      if (!(await useIdleTime())) await wait(pollMs);
      continue;
    }
    lastWork = performance.now();
    isWarm = true;
    if (outcome.status === 'failed') {
      send({ level: 'error', text: 'could not publish', reason: outcome.error.message });
      await wait(failedMs);
    } else if (outcome.release !== null) {
      const { id, reason, changes } = outcome.release;
      const { rendered, milliseconds } = outcome;
      const facts = { release: id, reason, changed: changes.length, rendered, milliseconds };
      send({ level: 'info', text: 'published', ...facts });
    }
  }
} finally {
  await context.close();
  await db.destroy();
}
process.exit();

function postponeTakedowns(error: unknown): void {
  takedownsFrom = performance.now() + takedownRetryMs;
  send({ level: 'error', text: 'could not remove deleted polls from all releases', reason: errorOf(error).message });
}

/** Waits unless the process has to stop. */
async function wait(ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stop }).catch(() => undefined);
}

/** Warms up the renderer before a poll opens or closes, and goes on with the audit; false if there is nothing to do. */
async function useIdleTime(): Promise<boolean> {
  const head = currentHead(config.dataDir);
  if (head === null) return false;
  const folder = inReleases(config.dataDir, releaseFiles.code, head.code);
  const next = await nextTransition(db, Date.now());
  if (next !== null && next - Date.now() < warmUpMs) {
    lastWork = performance.now();
    if (!isWarm) await (await context.renderer(folder, false)).render('/404');
    isWarm = true;
    return false;
  }
  isWarm = false;
  // A repair would replace a release that was returned to.
  if (head.release !== releaseIds(config.dataDir)[0]) return false;
  if (audit === null && isAuditDue(await newestAuditRow(db), Date.now())) {
    const code = await readCodeBuild(folder);
    const log = { error: (facts: object, text: string) => send({ level: 'error', text, ...facts }) };
    audit = code && (await startAudit(context, code.fixedAddresses, log));
  }
  if (audit === null) return false;
  lastWork = performance.now();
  if (await audit.step(await context.renderer(folder, false))) audit = null;
  return true;
}
