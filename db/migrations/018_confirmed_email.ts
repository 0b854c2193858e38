import type { Knex } from 'knex';

/** An email address is unique among confirmed ones only: nobody can reserve an address by typing it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => {
    t.bigInteger('email_confirmed_at').nullable();
    t.dropUnique(['email_key'], 'users_email_key');
  });
  await knex.raw('create index users_email on users (email_key)');
  await knex.raw('create unique index users_confirmed_email on users (email_key) where email_confirmed_at is not null');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index users_confirmed_email');
  await knex.raw('drop index users_email');
  await knex.schema.alterTable('users', (t) => {
    t.unique(['email_key'], { indexName: 'users_email_key' });
    t.dropColumn('email_confirmed_at');
  });
}
