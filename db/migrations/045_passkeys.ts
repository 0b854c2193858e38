import type { Knex } from 'knex';

/** Passkeys of members, and the challenges that a browser is about to answer. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('passkeys', (t) => {
    t.string('id', 43).primary().comment('SHA-256 of the credential ID');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('name', 60).notNullable();
    t.text('credential_id').notNullable().comment('base64url');
    t.text('public_key').notNullable().comment('COSE key, base64url');
    t.bigInteger('counter').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_used_at').nullable();
    t.index(['user_id'], 'passkeys_user');
  });
  await knex.schema.createTable('passkey_challenges', (t) => {
    t.string('owner', 43).primary().comment('digest of the session or browser that asked for it');
    t.string('challenge', 43).notNullable();
    t.bigInteger('expires_at').notNullable();
    t.index(['expires_at'], 'passkey_challenges_expires_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['passkey_challenges', 'passkeys']) await knex.schema.dropTable(table);
}
