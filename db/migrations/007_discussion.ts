import type { Knex } from 'knex';

/** How many comments a community poll shows, as a counter, and what readers told the operator about comments. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('community_polls', (t) => {
    t.integer('comment_count').notNullable().defaultTo(0).comment('rows in comments that are not hidden');
  });

  await knex.schema.createTable('comment_reports', (t) => {
    t.string('comment_id', 40).notNullable().references('id').inTable('comments').onDelete('CASCADE');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('reason', 2_000).nullable();
    t.bigInteger('created_at').notNullable();
    t.primary(['comment_id', 'user_id']);
    t.index(['created_at', 'comment_id'], 'comment_reports_newest');
    t.index(['user_id'], 'comment_reports_user');
  });

  // The public lists: featured polls, and those of one category.
  await knex.raw('create index community_polls_featured on community_polls (created_at, id) where featured');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('comment_reports');
  await knex.raw('drop index community_polls_featured');
  await knex.schema.alterTable('community_polls', (t) => t.dropColumn('comment_count'));
}
