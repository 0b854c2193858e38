import type { Knex } from 'knex';

/**
 * Times of votes are minutes from here on, as the privacy policy says. Those of earlier votes become minutes in the
 * background, in the pass that erases what is old: `api/voting/erasure.service.ts`.
 */
export async function up(knex: Knex): Promise<void> {
  const isPostgres = (knex.client as { config: Knex.Config }).config.client === 'pg';
  // PostgreSQL has no b-tree of the ids; its sequence knows.
  const newest = await (isPostgres
    ? knex('votes_id_seq').first<{ id: number | string | null }>(
        knex.raw('case when is_called then last_value end as id'),
      )
    : knex('votes').max('id as id').first<{ id: number | string | null }>());
  if (newest.id === null) return;
  await knex('vote_erasures')
    .insert({ id: 1, done_id: 0, last_id: Number(newest.id) })
    .onConflict('id')
    .merge();
}

/** Seconds that are gone do not come back, and the version before reads minutes as well. */
export function down(): Promise<void> {
  return Promise.resolve();
}
