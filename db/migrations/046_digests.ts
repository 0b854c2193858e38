import type { Knex } from 'knex';

/** How often a member gets unread notifications by mail, and when next. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('notification_readers', (t) => {
    t.string('digest', 8).nullable().comment('daily or weekly; null: never');
    t.bigInteger('digest_due_at').nullable();
    t.index(['digest_due_at'], 'notification_readers_digest');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('notification_readers', (t) => {
    t.dropIndex(['digest_due_at'], 'notification_readers_digest');
    t.dropColumns('digest', 'digest_due_at');
  });
}
