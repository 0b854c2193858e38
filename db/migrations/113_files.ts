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
  await knex.schema.alterTable('build_jobs', (t) => {
    t.bigInteger('requested_at').notNullable().defaultTo(0);
    t.bigInteger('not_before').notNullable().defaultTo(0);
    t.string('release_id', 40).nullable();
    t.index('release_id', 'build_jobs_release');
  });
  await knex.raw("create unique index build_jobs_one_queued on build_jobs (status) where status = 'queued'");
  await knex.raw('alter table build_jobs drop column changed');
}
