import type { Knex } from 'knex';

/**
 * Reports of comments, community polls, and members in one table, what moderators did about them with appeals, suspended
 * members, and what was taken down with the reason it comes back: the end of a suspension restores only what it hid.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('reports', (t) => {
    t.bigIncrements('id');
    reporter(t);
    t.string('kind', 16).notNullable().checkIn(['comment', 'poll', 'member'], 'reports_kind');
    t.string('subject', 80).notNullable();
    t.string('comment_id', 40).nullable().references('id').inTable('comments').onDelete('CASCADE');
    t.string('poll_id', 80).nullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('member_id', 40).nullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('category', 16).notNullable().defaultTo('other');
    t.string('reason', 2_000).nullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('handled_at').nullable();
    t.check('subject = coalesce(comment_id, poll_id, member_id)', [], 'reports_subject');
    t.unique(['kind', 'subject', 'user_id'], { indexName: 'reports_once' });
    for (const column of ['user_id', 'comment_id', 'poll_id', 'member_id']) t.index(column, `reports_${column}`);
  });
  // Worded like the query of the queue.
  await knex.raw('create index reports_open on reports (created_at) where handled_at is null');
  await knex.raw(
    `insert into reports (user_id, kind, subject, comment_id, reason, created_at)
     select user_id, 'comment', comment_id, comment_id, reason, created_at from comment_reports`,
  );
  await knex.schema.dropTable('comment_reports');

  await knex.schema.createTable('moderation_actions', (t) => {
    t.bigIncrements('id');
    t.string('actor', 16).notNullable();
    t.string('action', 16).notNullable();
    t.string('kind', 16).notNullable();
    t.string('subject', 80).notNullable();
    t.string('label', 200).nullable().comment('what it was about; null once the member’s account is deleted');
    t.string('member_id', 40).nullable().references('id').inTable('users').onDelete('SET NULL');
    t.string('reason', 2_000).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('until').nullable().comment('of a suspension; null: for good');
    t.bigInteger('ended_at').nullable().comment('when it was taken back');
    t.string('appeal', 2_000).nullable();
    t.bigInteger('appealed_at').nullable();
    t.boolean('granted').nullable();
    t.bigInteger('decided_at').nullable();
    t.string('decision_reason', 2_000).nullable();
    t.check('(appeal is null) = (appealed_at is null)', [], 'moderation_actions_appeal');
    t.check(
      'decided_at is null or (appealed_at is not null and granted is not null)',
      [],
      'moderation_actions_decision',
    );
    t.index(['member_id', 'id'], 'moderation_actions_member');
    t.index(['kind', 'subject'], 'moderation_actions_subject');
    t.index('created_at', 'moderation_actions_expiry');
  });
  await knex.raw(
    `create index moderation_actions_appeals on moderation_actions (appealed_at)
     where appealed_at is not null and decided_at is null`,
  );

  await knex.schema.createTable('content_origins', (t) => {
    t.string('kind', 16).notNullable();
    t.string('subject', 80).notNullable();
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.bigInteger('network').notNullable().comment('a digest with a salt of its week');
    t.bigInteger('created_at').notNullable();
    t.primary(['kind', 'subject']);
    t.index('network', 'content_origins_network');
    t.index('user_id', 'content_origins_user');
    t.index('created_at', 'content_origins_expiry');
  });

  await knex.schema.alterTable('users', (t) => {
    t.bigInteger('suspended_at').nullable();
    t.bigInteger('suspended_until').nullable().comment('null: for good');
  });
  await knex.raw('create index users_suspended on users (suspended_until) where suspended_until is not null');
  await knex.schema.alterTable('community_polls', (t) => {
    t.string('taken_down_by', 16).nullable().comment('moderator or suspension; the visibility is private meanwhile');
    t.string('taken_down_from', 16).nullable().comment('the visibility to restore');
  });
  await knex.schema.alterTable('comments', (t) => {
    t.boolean('hidden_by_suspension').notNullable().defaultTo(false);
  });
}

function reporter(t: Knex.CreateTableBuilder) {
  return t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table comments drop column hidden_by_suspension');
  for (const column of ['taken_down_by', 'taken_down_from'])
    await knex.raw(`alter table community_polls drop column ${column}`);
  await knex.raw('drop index users_suspended');
  for (const column of ['suspended_at', 'suspended_until']) await knex.raw(`alter table users drop column ${column}`);
  for (const table of ['content_origins', 'moderation_actions']) await knex.schema.dropTable(table);
  await knex.schema.createTable('comment_reports', (t) => {
    t.string('comment_id', 40).notNullable().references('id').inTable('comments').onDelete('CASCADE');
    reporter(t);
    t.string('reason', 2_000).nullable();
    t.bigInteger('created_at').notNullable();
    t.primary(['comment_id', 'user_id']);
    t.index(['created_at', 'comment_id'], 'comment_reports_newest');
    t.index(['user_id'], 'comment_reports_user');
  });
  await knex.raw(
    `insert into comment_reports (comment_id, user_id, reason, created_at)
     select comment_id, user_id, reason, created_at from reports where comment_id is not null`,
  );
  await knex.schema.dropTable('reports');
}
