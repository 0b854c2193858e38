import type { Knex } from 'knex';

/** The version of the result after which a log was reopened last, as the site-wide log says; 0 if it never was. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('vote_logs', (t) => void t.integer('reopened').notNullable().defaultTo(0));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('vote_logs', (t) => void t.dropColumn('reopened'));
}
