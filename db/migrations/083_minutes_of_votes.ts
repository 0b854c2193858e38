import type { Knex } from 'knex';

/** Times of votes are minutes from here on, as the privacy policy says; those of earlier votes become minutes, too. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('update votes set created_at = created_at - created_at % 60000 where created_at % 60000 <> 0');
}

/** Seconds that are gone do not come back, and the version before reads minutes as well. */
export function down(): Promise<void> {
  return Promise.resolve();
}
