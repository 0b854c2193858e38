import type { ExportState } from '#contract/exports.ts';
import type { Database } from '#platform/database.ts';

/** Polls that are read at once. */
const batchPolls = 200;

export interface ExportFilter {
  readonly state: ExportState;
  /** Only this poll. */
  readonly poll?: string;
}

/** The ids of the weekly polls that match, in batches and in their order; polls may change between two batches. */
export async function* matchingPolls(
  db: Database,
  { state, poll }: ExportFilter,
  now: number,
): AsyncGenerator<string[]> {
  for (let last = ''; ;) {
    const query = db('ballots').where({ kind: 'poll' }).where('id', '>', last);
    if (poll !== undefined) void query.where({ id: poll });
    if (state === 'closed') void query.where((one) => void one.whereNotNull('closed_at').orWhere('ends_at', '<=', now));
    else if (state !== 'all')
      void query
        .whereNull('closed_at')
        .where('ends_at', '>', now)
        .where('starts_at', state === 'open' ? '<=' : '>', now);
    const ids = await query.orderBy('id').limit(batchPolls).pluck<string[]>('id');
    if (ids.length > 0) yield ids;
    if (ids.length < batchPolls) return;
    last = ids.at(-1)!;
  }
}

/** The votes of these polls that are not counted, by id. */
export async function setAsideVotes(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db('ballots')
    .whereIn('id', [...ids])
    .select<{ id: string; set_aside_votes: number }[]>('id', 'set_aside_votes');
  return new Map(rows.map((row) => [row.id, row.set_aside_votes]));
}
