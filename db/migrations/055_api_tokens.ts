import type { Knex } from 'knex';

/** Tokens for programs that call the API for the operator, and which operator an entry of the audit log is by. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('api_tokens', (t) => {
    t.increments('id');
    t.string('digest', 43).notNullable().unique({ indexName: 'api_tokens_digest' });
    t.string('name', 60).notNullable();
    t.string('scopes', 80).notNullable().comment('separated by spaces');
    t.string('made_by', 80).notNullable().comment('name at the time');
    // What a former owner has handed out ends with the role.
    t.string('made_by_id', 40).nullable().references('user_id').inTable('operators').onDelete('CASCADE');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').nullable();
    t.integer('last_used_day').nullable().comment('days since 1970');
    t.index(['made_by_id'], 'api_tokens_maker');
  });
  await knex.schema.alterTable('audit_log', (t) => {
    t.string('actor_id', 40)
      .nullable()
      .comment('the member at the time; null: shared password, terminal, or API token');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('api_tokens');
  await knex.raw('alter table audit_log drop column actor_id');
}
