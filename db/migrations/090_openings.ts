import type { Knex } from 'knex';

/** The rows of `poll_openings` say which polls have opened, for pages as for webhooks: there is no moment to remember. */
export async function up(knex: Knex): Promise<void> {
  await knex('installation').where({ name: 'openings recorded until' }).del();
}

/** Without the moment, an earlier version records all open polls once. */
export function down(): Promise<void> {
  return Promise.resolve();
}
