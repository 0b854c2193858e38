import type { Knex } from 'knex';

/** The operator's list says how many polls came with the software: few or none, which should not be looked for in all. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index polls_demonstration on polls (id) where demonstration');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index polls_demonstration');
}
