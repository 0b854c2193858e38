import type { Knex } from 'knex';

/** Invitations to private polls that were mailed to an address, and addresses whose owners want no more of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('email_invites', (t) => {
    t.string('id', 16).primary();
    t.string('poll_id', 80).notNullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('email', 254).notNullable();
    t.string('email_key', 254).notNullable();
    t.string('digest', 43).nullable().unique({ indexName: 'email_invites_digest' }).comment('SHA-256 of the secret');
    t.bigInteger('invited_at').notNullable();
    t.unique(['poll_id', 'email_key'], { indexName: 'email_invites_once' });
    t.index(['invited_at'], 'email_invites_invited');
  });
  await knex.schema.createTable('stopped_invitations', (t) => {
    t.string('digest', 43).primary().comment('SHA-256 of the key of the address');
    t.bigInteger('stopped_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['stopped_invitations', 'email_invites']) await knex.schema.dropTable(table);
}
