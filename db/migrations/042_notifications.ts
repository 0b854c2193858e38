import type { Knex } from 'knex';

/**
 * What members are notified of, which kinds each of them turned off, and the feeds they subscribe to. `poll_id` refers to no
 * table, so that deleting a poll deletes no row per voter: readers leave out polls that are gone.
 */
export async function up(knex: Knex): Promise<void> {
  const member = (t: Knex.CreateTableBuilder) =>
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
  await knex.schema.createTable('notifications', (t) => {
    t.bigIncrements('id');
    member(t);
    t.string('kind', 16).notNullable();
    t.string('subject', 80).notNullable().comment('the poll, comment, or badge');
    t.string('poll_id', 80).nullable();
    t.text('reason').nullable();
    t.bigInteger('created_at').notNullable().comment('of the first event in a group');
    t.bigInteger('latest_at').notNullable().comment('of the last one');
    t.bigInteger('read_at').nullable();
    t.index(['user_id', 'latest_at', 'id'], 'notifications_of_member');
    t.index('latest_at', 'notifications_expiry');
  });
  await knex.raw(
    'create unique index notifications_unread on notifications (user_id, kind, subject) where read_at is null',
  );
  await knex.schema.createTable('notification_mutes', (t) => {
    member(t);
    t.string('kind', 16).notNullable();
    t.primary(['user_id', 'kind']);
  });
  await knex.schema.createTable('notification_readers', (t) => {
    member(t).primary();
    t.bigInteger('results_after').notNullable().comment('polls that closed earlier are not looked at again');
    t.string('feed_digest', 43).nullable().unique({ indexName: 'notification_readers_feed' });
    t.bigInteger('feed_created_at').nullable();
  });
  // No notifications for results that precede this release.
  await knex.raw('insert into notification_readers (user_id, results_after) select id, cast(? as bigint) from users', [
    Date.now(),
  ]);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['notification_readers', 'notification_mutes', 'notifications'])
    await knex.schema.dropTable(table);
}
