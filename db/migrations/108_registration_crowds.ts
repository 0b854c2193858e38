import type { Knex } from 'knex';

/** Accounts that were registered after many others of their /24 or /48 on one day; see `registrationCrowd`. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table users add column registered_in_crowd boolean not null default false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => t.dropColumn('registered_in_crowd'));
}
