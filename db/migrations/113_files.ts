import type { Knex } from 'knex';

/**
 * Published pages are files in the folder of a build, so nothing in the database names releases: a publish says how many
 * files it changed. Without the columns that go, processes of 0.2.0 can’t begin a publish during an update: they would delete
 * changes that only their folder shows. Their health checks read the table `site_releases`, which the next version deletes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('build_jobs', (t) => {
    t.integer('changed').notNullable().defaultTo(0).comment('files');
    t.dropIndex('release_id', 'build_jobs_release');
  });
  // A release changed at least one.
  await knex('build_jobs').whereNotNull('release_id').update({ changed: 1 });
  await knex.raw('drop index build_jobs_one_queued');
  for (const column of ['release_id', 'requested_at', 'not_before'])
    await knex.raw(`alter table build_jobs drop column ${column}`);
}

export async function down(knex: Knex): Promise<void> {
  // SQLite adds no column without a default to rows that exist.
  const rows = await knex('build_jobs').orderBy('id').select<Record<string, unknown>[]>('*');
  await knex.schema.dropTable('build_jobs');
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
    t.text('about').notNullable().defaultTo('[]').comment('what is published, for the operator');
    t.index('release_id', 'build_jobs_release');
  });
  await knex.raw("create unique index build_jobs_one_queued on build_jobs (status) where status = 'queued'");
  await knex.raw("create unique index build_jobs_one_running on build_jobs (status) where status = 'running'");
  for (const row of rows) {
    const kept = Object.entries(row).filter(([name]) => name !== 'id' && name !== 'changed');
    await knex('build_jobs').insert({ ...Object.fromEntries(kept), requested_at: row.started_at ?? 0, not_before: 0 });
  }
}
