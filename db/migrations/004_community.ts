import type { Knex } from 'knex';

/** Community polls, their guests and comments, and what people did and earned. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('community_polls', (t) => {
    t.string('id', 80).primary().references('id').inTable('ballots').onDelete('CASCADE');
    t.string('question', 400).notNullable();
    t.text('description').notNullable().defaultTo('');
    t.string('visibility', 16)
      .notNullable()
      .defaultTo('public')
      .checkIn(['public', 'unlisted', 'private'], 'community_polls_visibility');
    t.boolean('featured').notNullable().defaultTo(false);
    t.string('created_by', 40)
      .nullable()
      .references('id')
      .inTable('users')
      .onDelete('SET NULL')
      .comment('null: a former member');
    t.text('tags').notNullable().defaultTo('[]');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.index(['visibility', 'created_at', 'id'], 'community_polls_newest');
    t.index(['created_by', 'created_at'], 'community_polls_of_user');
  });

  await knex.schema.createTable('community_poll_guests', (t) => {
    t.string('poll_id', 80).notNullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.bigInteger('invited_at').notNullable();
    t.bigInteger('accepted_at').nullable();
    t.primary(['poll_id', 'user_id']);
    t.index(['user_id'], 'community_poll_guests_user');
  });

  await knex.schema.createTable('comments', (t) => {
    t.string('id', 40).primary();
    t.string('poll_id', 80).notNullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.text('content').notNullable();
    t.boolean('hidden').notNullable().defaultTo(false);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.index(['poll_id', 'created_at', 'id'], 'comments_of_poll');
    t.index(['user_id'], 'comments_of_user');
  });

  await knex.schema.createTable('activities', (t) => {
    t.bigIncrements('id');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('activity_type', 24)
      .notNullable()
      .checkIn(['vote', 'poll_created', 'comment', 'badge_earned'], 'activities_type');
    t.string('entity_id', 80).notNullable();
    t.string('entity_type', 24).notNullable();
    t.text('metadata').notNullable().defaultTo('{}');
    t.bigInteger('created_at').notNullable();
    t.index(['user_id', 'created_at', 'id'], 'activities_newest');
    t.index(['user_id', 'activity_type', 'created_at', 'id'], 'activities_by_type');
  });

  await knex.schema.createTable('badges', (t) => {
    t.bigIncrements('id');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('badge_type', 64).notNullable();
    t.bigInteger('earned_at').notNullable();
    t.text('metadata').notNullable().defaultTo('{}');
    t.unique(['user_id', 'badge_type'], { indexName: 'badges_once' });
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['badges', 'activities', 'comments', 'community_poll_guests', 'community_polls'])
    await knex.schema.dropTableIfExists(table);
}
