import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { pauseRow } from './changes.service.ts';

/** Since when publishing is paused, in milliseconds; null while it isn’t. A pause holds back everything except removals. */
export async function pausedSince(db: Database): Promise<number | null> {
  const found = await db('installation').where(pauseRow).first<{ value: string } | undefined>('value');
  return found === undefined ? null : Number(found.value);
}

/** Pauses publishing, or resumes it, which publishes everything since; false if it was so already. */
export async function setPaused(
  db: Database,
  clock: Clock,
  isPaused: boolean,
  actor: Actor = 'terminal',
): Promise<boolean> {
  const at = clock.now();
  return db.transaction(async (trx) => {
    if (isPaused) {
      const added = await trx('installation')
        .insert({ ...pauseRow, value: String(at) })
        .onConflict('name')
        .ignore()
        .returning<{ name: string }[]>('name');
      if (added.length === 0) return false;
    } else if ((await trx('installation').where(pauseRow).del()) === 0) return false;
    const event = { at, actor, subject: { kind: 'site', id: '' } };
    if (isPaused) await record(trx, { ...event, type: 'publishing.pause' });
    else await record(trx, { ...event, type: 'publishing.resume', whole: null });
    return true;
  });
}
