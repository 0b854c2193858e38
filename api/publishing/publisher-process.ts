import { setTimeout as pause } from 'node:timers/promises';
import { errorOf } from '#platform/errors.ts';
import { isAuditDue, newestAuditRow, startAudit } from './audit.service.ts';
import type { Audit } from './audit.service.ts';
import { inBuilds, servedBuild } from './builds.ts';
import { readCodeBuild } from './code-build.ts';
import { publishDue, warmUp } from './publish.service.ts';
import type { Publish, PublishContext } from './publish-changes.service.ts';
import { staysReady, warmUpMs } from './publisher.service.ts';
import type { NextTransition, PublisherMessage } from './publisher.service.ts';
import type { Renderer } from './renderer.ts';

/** Milliseconds between checks for what other processes have recorded. */
const defaultPollMs = 250;
/** Milliseconds until the next attempt after a failure. */
const failedMs = 1_000;
/** Milliseconds between checks for what can be done while nothing is due. */
const idleCheckMs = 1_000;
/**
 * How often a new renderer renders the pages of a closing beforehand, once per check: they take nine times as long the first
 * time, and a third more than later until the tenth.
 */
const warmUps = 12;
/** Milliseconds until it renders them again: it ends when it has been idle for longer. */
const keepWarmMs = 4 * 60_000;
/** How much longer than a step of the audit the pause after it takes: votes need the processor, too. */
const auditPause = 4;
/** Milliseconds without anything to publish after which the process ends. */
const defaultIdleMs = 30 * 60_000;

interface PublisherProcess {
  readonly context: PublishContext;
  readonly nextTransition: NextTransition;
  readonly stop: AbortSignal;
  /** Is given a function that has the next check run at once. */
  readonly onWake: (wake: () => void) => void;
  readonly send: (message: PublisherMessage) => void;
  /** For tests. */
  readonly pollMs?: number;
  readonly idleMs?: number;
}

/**
 * Publishes whatever is due until stopped or, with little memory, until there has been nothing for some idle minutes: at once
 * when it is woken, and otherwise when it next checks.
 */
export async function runPublisher(options: PublisherProcess): Promise<void> {
  const { nextTransition, stop, onWake, send, pollMs = defaultPollMs, idleMs = defaultIdleMs } = options;
  const context: PublishContext = { ...options.context, onPublish };
  const { db, clock, dataDir } = context;
  let audit: Audit | null = null;
  let lastWork = performance.now();
  let warmedUp = 0;
  let warmedUpAt = 0;
  let warmRenderer: Renderer | null = null;
  /** The code build that could not be loaded, and when. */
  let broken: { readonly folder: string; readonly at: number } | null = null;
  let isFirstLook = true;
  let idleCheckedAt = -Infinity;
  let isWoken = false;
  let endPause: (() => void) | undefined;
  onWake(() => {
    isWoken = true;
    endPause?.();
  });

  while (!stop.aborted && performance.now() - lastWork < idleMs) {
    isWoken = false;
    const outcome = await publishDue(context);
    if (outcome.status === 'nothing-due') {
      if (!(await useIdleTime()) && !isWoken) await wait(pollMs);
      continue;
    }
    lastWork = performance.now();
    if (outcome.status === 'failed') await wait(failedMs);
    else broken = null;
  }

  function onPublish({ reason, changed, rendered, milliseconds, error }: Publish): void {
    if (error !== null) sendError({ reason: error.message }, 'could not publish');
    else if (changed > 0) send({ level: 'info', text: 'published', reason, changed, rendered, milliseconds });
  }

  /** Work that is given up because this process must stop has not failed. */
  function sendError(facts: object, text: string): void {
    if (!stop.aborted) send({ level: 'error', text, ...facts });
  }

  /** Waits until woken, unless the process has to stop. */
  async function wait(ms: number): Promise<void> {
    const woken = new AbortController();
    endPause = () => woken.abort();
    const signal = AbortSignal.any([stop, woken.signal]);
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }

  async function loaded(folder: string): Promise<Renderer | null> {
    // Each publish says again why it can't be loaded.
    if (folder === broken?.folder && performance.now() - broken.at < keepWarmMs) return null;
    return context.renderer(folder, false).catch((error: unknown) => {
      broken = { folder, at: performance.now() };
      sendError({ reason: errorOf(error).message }, 'could not load the code build');
      return null;
    });
  }

  async function keepWarm(renderer: Renderer): Promise<void> {
    if (renderer !== warmRenderer) warmedUp = 0;
    warmRenderer = renderer;
    if (warmedUp >= warmUps && performance.now() - warmedUpAt < keepWarmMs) return;
    if (!(await warmUp(context, renderer, () => isWoken || stop.aborted))) return;
    warmedUp += 1;
    warmedUpAt = performance.now();
  }

  /** Warms up the renderer and goes on with the audit; false if there is nothing to do. */
  async function useIdleTime(): Promise<boolean> {
    const isCheckDue = performance.now() - idleCheckedAt >= idleCheckMs;
    if (audit === null && !isCheckDue) return false;
    if (isCheckDue) idleCheckedAt = performance.now();
    const build = servedBuild(dataDir);
    if (build === null) return false;
    const folder = inBuilds(dataDir, build);
    const left = ((await nextTransition(db, clock.now())) ?? Infinity) - clock.now();
    if (staysReady() || left < warmUpMs) {
      lastWork = performance.now();
      const renderer = isCheckDue ? await loaded(folder) : null;
      if (renderer !== null) await keepWarm(renderer);
    } else warmRenderer = null;
    if (left < warmUpMs) return false;
    const newest = await newestAuditRow(db);
    // A process that ended has left its round.
    if (audit === null && (isAuditDue(newest, clock.now()) || (isFirstLook && newest?.finished_at === null))) {
      const code = await readCodeBuild(folder);
      const log = { error: (facts: object, text: string) => send({ level: 'error', text, ...facts }) };
      audit = code && (await startAudit(context, code, log));
    }
    isFirstLook = false;
    const renderer = audit && (await loaded(folder));
    if (audit === null || renderer === null) return false;
    const begun = performance.now();
    if (await audit.step(renderer)) audit = null;
    lastWork = performance.now();
    if (!isWoken) await wait(auditPause * (lastWork - begun));
    return true;
  }
}
