import type { PublishAudit } from '#contract/publishing.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';

/** A row of `publish_audits`. */
export interface AuditRow {
  readonly id: number;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly pages: number;
  /** JSON. */
  readonly missed: string;
}

/** The newest round, or null. */
export async function newestAuditRow(db: Database): Promise<AuditRow | null> {
  return (await db('publish_audits').orderBy('id', 'desc').first<AuditRow | undefined>()) ?? null;
}

/** The newest round for the operator, or null. */
export async function newestAudit(db: Database): Promise<PublishAudit | null> {
  const row = await newestAuditRow(db);
  return (
    row && {
      startedAt: iso(row.started_at),
      finishedAt: isoOrNull(row.finished_at),
      pages: row.pages,
      missed: JSON.parse(row.missed) as string[],
    }
  );
}

/** Begins a round and returns its id; older ones are deleted. */
export async function beginAudit(db: Database, now: number): Promise<number> {
  return db.transaction(async (trx) => {
    await trx('publish_audits').del();
    const [row] = await trx('publish_audits').insert({ started_at: now }).returning<{ id: number }[]>('id');
    return row!.id;
  });
}

/** Records how far a round is; false if it is not the newest any more. */
export async function recordAudit(
  db: Database,
  id: number,
  { pages, missed, finishedAt }: { pages: number; missed: readonly string[]; finishedAt: number | null },
): Promise<boolean> {
  const changed = await db('publish_audits')
    .where({ id })
    .update({ pages, missed: JSON.stringify(missed), finished_at: finishedAt });
  return changed === 1;
}
