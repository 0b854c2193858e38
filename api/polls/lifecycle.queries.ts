import type { Database } from '#platform/database.ts';

/** Closes ballots whose end has come and counts them into the archive; answers their ids. */
export async function closeDueBallots(trx: Database, now: number): Promise<string[]> {
  const closed = await trx('ballots')
    .whereNull('closed_at')
    .where('ends_at', '<=', now)
    .update({ is_active: false, closed_at: trx.ref('ends_at') })
    .returning<{ id: string; kind: string; category: string | null }[]>(['id', 'kind', 'category']);
  await countIntoArchive(
    trx,
    closed.filter(({ kind }) => kind === 'poll').map(({ category }) => category),
  );
  return closed.map(({ id }) => id);
}

/** Adds closed polls to the archive's counters, one entry of `categories` for each poll (null: without one). */
export async function countIntoArchive(trx: Database, categories: readonly (string | null)[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const category of categories) counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + 1);
  // In the order of names, so that two processes cannot wait for each other in a circle.
  for (const [category, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await trx('archive_categories')
      .insert({ category, closed_polls: count })
      .onConflict('category')
      .merge({ closed_polls: trx.raw('archive_categories.closed_polls + ?', [count]) });
  }
}

/** The next moment at which a ballot opens or closes, or null. */
export async function nextTurn(db: Database, now: number): Promise<number | null> {
  const ends = await db('ballots').whereNull('closed_at').min('ends_at as moment').first<Moment>();
  const starts = await db('ballots')
    .whereNull('closed_at')
    .where('starts_at', '>', now)
    .min('starts_at as moment')
    .first<Moment>();
  const moments = [ends.moment, starts.moment].filter((moment) => moment !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** How many polls opened after `from` and not after `to`. */
export async function startedSince(db: Database, from: number, to: number): Promise<number> {
  const row = await db('ballots')
    .where({ kind: 'poll' })
    .whereNull('closed_at')
    .where('starts_at', '>', from)
    .where('starts_at', '<=', to)
    .count('* as count')
    .first<{ count: number }>();
  return Number(row.count);
}

interface Moment {
  moment: number | null;
}
