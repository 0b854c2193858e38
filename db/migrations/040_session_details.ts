import type { Knex } from 'knex';

/**
 * What members see of their sessions, and when each began, for its absolute lifetime. Null for earlier sessions, which
 * count as begun when they were last renewed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sessions', (t) => {
    t.bigInteger('created_at').nullable();
    t.bigInteger('last_used_at').nullable().comment('to a day');
    t.string('device', 40).nullable().comment('browser and system, such as "Firefox on Windows"');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sessions', (t) => {
    t.dropColumns('created_at', 'last_used_at', 'device');
  });
}
