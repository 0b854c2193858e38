import { repeat } from '#platform/repeat.ts';
import type { Logger } from '#platform/logger.ts';
import { enqueueEvent, hasListeners } from '#api/webhooks/events.service.ts';
import { readRecord, replaceRecord } from './records.queries.ts';
import { today } from './today.service.ts';
import type { DeskContext } from './today.service.ts';

/** Milliseconds between two looks at what waits. */
const everyMs = 60_000;

/**
 * Queues an event for webhooks when something of a kind waits for an operator of which nothing waited before. Several
 * processes may call it; one of them reports. Does nothing while no webhook is notified of it.
 */
export async function reportWaiting(context: DeskContext): Promise<void> {
  const { db, clock } = context;
  if (!(await hasListeners(db, 'desk.needs-decision'))) return;
  const { items } = await today(context, 'UTC');
  const waiting = items.filter(({ level }) => level !== 'note').map(({ kind, count }) => ({ kind, count }));
  const before = await readRecord(db, 'desk.notified');
  const known = before?.kinds ?? [];
  const kinds = waiting.map(({ kind }) => kind);
  if (kinds.length === known.length && kinds.every((kind) => known.includes(kind))) return;
  const at = clock.now();
  await db.transaction(async (trx) => {
    if (!(await replaceRecord(trx, 'desk.notified', before, { at, kinds }))) return;
    if (kinds.every((kind) => known.includes(kind))) return;
    await enqueueEvent(trx, { type: 'desk.needs-decision', at, data: { items: waiting, url: '/admin' } });
  });
}

/** Reports what waits in the background until stopped. */
export function startReportingWaiting(context: DeskContext & { readonly log: Logger }): { stop(): Promise<void> } {
  return repeat(() => reportWaiting(context), {
    everyMs,
    later: true,
    log: context.log,
    failed: 'could not look for what needs a decision; retrying',
  });
}
