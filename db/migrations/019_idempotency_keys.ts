import type { Knex } from 'knex';

/** What a member's Idempotency-Key has made, so that a repeated request is answered with the first result. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('idempotency_keys', (t) => {
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('key', 64).notNullable();
    t.string('request', 43).notNullable().comment('digest of call, parameters, and body');
    t.string('entity_id', 80).notNullable();
    t.bigInteger('expires_at').notNullable();
    t.primary(['user_id', 'key']);
    t.index(['expires_at'], 'idempotency_keys_expire');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('idempotency_keys');
}
