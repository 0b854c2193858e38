import type { Knex } from 'knex';

/** Which process writes the vote log is decided by its row in `jobs`. */
export async function up(knex: Knex): Promise<void> {
  await knex('installation').where({ name: 'integrity.lease' }).del();
}

export async function down(knex: Knex): Promise<void> {
  await knex('jobs').where({ kind: 'vote-log' }).del();
}
