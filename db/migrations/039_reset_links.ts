import type { Knex } from 'knex';

/** Password reset links from the operator. Used and expired ones are kept for 30 days. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('reset_links', (t) => {
    t.string('digest', 43).primary().comment('SHA-256 of the secret in the link');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('made_by', 20).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
    t.bigInteger('used_at').nullable();
    t.index(['user_id'], 'reset_links_user');
    t.index(['expires_at'], 'reset_links_expires_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('reset_links');
}
