import type { Knex } from 'knex';

/**
 * Build jobs and the releases they made. Two partial unique indexes say that at most one job waits and at most
 * one runs, whatever the number of API processes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('build_jobs', (t) => {
    t.bigIncrements('id');
    t.string('status', 16).notNullable().checkIn(['queued', 'running', 'succeeded', 'failed'], 'build_jobs_status');
    t.text('reason').notNullable();
    t.bigInteger('requested_at').notNullable();
    t.bigInteger('not_before').notNullable().comment('debounce: more requests may join until then');
    t.bigInteger('started_at').nullable();
    t.bigInteger('finished_at').nullable();
    t.bigInteger('heartbeat_at').nullable();
    t.string('runner', 120).nullable();
    t.text('progress').notNullable().defaultTo('{}');
    t.text('error').nullable();
    t.string('release_id', 40).nullable();
  });
  await knex.raw("create unique index build_jobs_one_queued on build_jobs (status) where status = 'queued'");
  await knex.raw("create unique index build_jobs_one_running on build_jobs (status) where status = 'running'");

  await knex.schema.createTable('site_releases', (t) => {
    t.string('id', 40).primary();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('published_at').nullable();
    t.integer('pages').notNullable();
    t.bigInteger('bytes').notNullable();
    t.boolean('is_current').notNullable().defaultTo(false);
  });
  await knex.raw('create unique index site_releases_one_current on site_releases (is_current) where is_current');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('site_releases');
  await knex.schema.dropTableIfExists('build_jobs');
}
