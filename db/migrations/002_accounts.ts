import type { Knex } from 'knex';

/** Accounts and their sessions. `*_key` columns are the lower-case forms that make names unique. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (t) => {
    t.string('id', 40).primary();
    t.string('username', 30).notNullable();
    t.string('username_key', 30).notNullable().unique({ indexName: 'users_username_key' });
    t.string('email', 254).nullable();
    t.string('email_key', 254).nullable().unique({ indexName: 'users_email_key' });
    t.text('password').notNullable().comment('PHC string of a memory-hard hash');
    t.string('first_name', 100).nullable();
    t.string('last_name', 100).nullable();
    t.text('profile_image_url').nullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
  });

  await knex.schema.createTable('sessions', (t) => {
    t.string('sid', 128).primary();
    t.text('sess').notNullable().comment('JSON');
    t.string('user_id', 40).nullable().references('id').inTable('users').onDelete('CASCADE');
    t.bigInteger('expire').notNullable();
    t.index(['expire'], 'sessions_expire');
    t.index(['user_id'], 'sessions_user');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('sessions');
  await knex.schema.dropTableIfExists('users');
}
