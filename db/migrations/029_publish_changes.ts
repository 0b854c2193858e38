import type { Knex } from 'knex';

/**
 * What changed since the last publish. Whoever changes something that pages show inserts a row in the same transaction;
 * the publisher deletes it in the transaction that publishes it. Rows are only inserted and deleted, so that writers never
 * wait for each other.
 */
export async function up(knex: Knex): Promise<void> {
  // Builds that wait: the first publish covers them.
  await knex('build_jobs').where({ status: 'queued' }).del();
  await knex.schema.createTable('publish_changes', (t) => {
    t.bigIncrements('id');
    t.string('kind', 16).notNullable();
    t.text('key').notNullable();
    t.string('event', 16).nullable().comment('what happened, for the operator');
    t.smallint('priority').notNullable().comment('0 now, 1 many at once, 2 their sitemap, 3 while nothing else waits');
    t.bigInteger('due_at').notNullable().comment('later than now after a failure');
    t.integer('attempts').notNullable().defaultTo(0);
    t.text('cursor').nullable().comment('of a change of many pages: the last one that is done');
    t.index(['priority', 'id'], 'publish_changes_order');
  });
  await knex.schema.alterTable('build_jobs', (t) => {
    t.text('about').notNullable().defaultTo('[]').comment('what is published, for the operator');
    t.index('release_id', 'build_jobs_release');
  });
  await knex.schema.alterTable('site_releases', (t) => {
    t.bigInteger('last_change').nullable().comment('the newest change when it became the current release');
  });
  await knex.schema.createTable('publish_audits', (t) => {
    t.bigIncrements('id');
    t.bigInteger('started_at').notNullable();
    t.bigInteger('finished_at').nullable();
    t.integer('pages').notNullable().defaultTo(0);
    t.text('missed').notNullable().defaultTo('[]').comment('addresses that differed although nobody recorded a change');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('publish_audits');
  await knex.raw('alter table site_releases drop column last_change');
  await knex.schema.alterTable('build_jobs', (t) => {
    t.dropIndex('release_id', 'build_jobs_release');
    t.dropColumn('about');
  });
  await knex.schema.dropTable('publish_changes');
}
