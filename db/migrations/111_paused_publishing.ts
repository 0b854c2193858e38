import type { Knex } from 'knex';

/**
 * The site has one published state: no release is pinned, and there are no earlier ones from which removed polls would have to
 * be taken. A pinned release becomes a pause.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into installation (name, value)
    select 'publishing.paused', cast(published_at as varchar(20)) from site_releases where pinned
  `);
  await knex.raw('drop index site_releases_one_pinned');
  await knex.raw('alter table site_releases drop column pinned');
  await knex.raw('alter table site_releases drop column last_change');
  await knex.schema.dropTable('takedowns');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('takedowns', (t) => {
    t.string('poll_id', isPostgres(knex) ? 130 : 80).primary();
    t.bigInteger('requested_at').notNullable();
  });
  await knex.schema.alterTable('site_releases', (t) => {
    t.boolean('pinned').notNullable().defaultTo(false);
    t.bigInteger('last_change').nullable();
  });
  await knex.raw('create unique index site_releases_one_pinned on site_releases (pinned) where pinned');
  await knex.raw(`
    update site_releases set pinned = true
    where is_current and exists (select 1 from installation where name = 'publishing.paused')
  `);
  await knex('installation').where({ name: 'publishing.paused' }).del();
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
