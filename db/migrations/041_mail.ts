import type { Knex } from 'knex';

/**
 * Mail that has not been accepted by the mail server yet, and email addresses that wait for their owner to confirm them.
 * Links are created when a mail is sent, so that only their digests are ever stored.
 */
export async function up(knex: Knex): Promise<void> {
  const member = (t: Knex.CreateTableBuilder) =>
    t.string('user_id', 40).references('id').inTable('users').onDelete('CASCADE');
  await knex.schema.createTable('mail_outbox', (t) => {
    t.bigIncrements('id');
    t.string('kind', 24).notNullable();
    member(t).nullable();
    t.string('recipient', 254).nullable().comment('null: found when it is sent');
    t.text('data').nullable();
    t.integer('attempts').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('due_at').notNullable().comment('of the next attempt, or when a claim of a sender ends');
    t.index(['due_at', 'id'], 'mail_outbox_due');
    t.index(['user_id'], 'mail_outbox_user');
  });
  await knex.schema.createTable('email_changes', (t) => {
    member(t).primary();
    t.string('email', 254).notNullable();
    t.bigInteger('requested_at').notNullable();
    t.string('digest', 43).nullable().unique({ indexName: 'email_changes_digest' });
    t.bigInteger('expires_at').nullable();
    t.index(['requested_at'], 'email_changes_requested');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['email_changes', 'mail_outbox']) await knex.schema.dropTable(table);
}
