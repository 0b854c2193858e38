import type { Knex } from 'knex';

/**
 * Polls that were removed and may still be shown by releases that are kept: each row goes once every release is without
 * the poll. And whether the release that is served is pinned, so that no build replaces it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('takedowns', (t) => {
    t.string('poll_id', 80).primary();
    t.bigInteger('requested_at').notNullable();
  });
  await knex.schema.alterTable('site_releases', (t) => {
    t.boolean('pinned').notNullable().defaultTo(false);
  });
  await knex.raw('create unique index site_releases_one_pinned on site_releases (pinned) where pinned');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index site_releases_one_pinned');
  await knex.raw('alter table site_releases drop column pinned');
  await knex.schema.dropTable('takedowns');
}
