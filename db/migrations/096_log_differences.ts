import type { Knex } from 'knex';

/** What the comparison of a result with its log has found, for the operator and for readers; null if they agree. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table ballots add column log_difference text');
  await knex.raw('create index ballots_differing on ballots (key) where log_difference is not null');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index ballots_differing');
  await knex.raw('alter table ballots drop column log_difference');
}
