import type { Knex } from 'knex';

/**
 * Votes for several options count for each of them, in `votes` of each option’s row. `further` has those that name the option
 * after their first one, so that without them each vote is counted once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table network_votes add column further integer not null default 0
    constraint network_votes_further check (further between 0 and votes)`);
}

/** In SQL: Knex would rebuild SQLite’s tables. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('delete from network_votes where further = votes');
  await knex.raw('update network_votes set votes = votes - further');
  await knex.raw('alter table network_votes drop column further');
}
