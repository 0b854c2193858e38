import type { Knex } from 'knex';

/** Work that waits for its time, of all kinds; and the mail that waits, which becomes the first of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('jobs', (t) => {
    t.bigIncrements('id');
    t.string('kind', 24).notNullable();
    t.string('key', 130).nullable().comment('of the jobs of a kind with one key there is one');
    t.string('lane', 40).notNullable().defaultTo('').comment('a process does the jobs of a lane one after the other');
    t.string('user_id', 40).nullable().references('id').inTable('users').onDelete('CASCADE');
    t.text('payload').notNullable().defaultTo('{}').comment('JSON');
    t.bigInteger('due_at').notNullable().comment('of the next attempt, or when the lease ends');
    t.bigInteger('first_due_at').notNullable();
    t.integer('attempts').notNullable().defaultTo(0);
    t.string('lease', 120).nullable().comment('the process that does it now');
    t.index(['kind', 'due_at', 'id'], 'jobs_due');
    t.unique(['kind', 'key'], { indexName: 'jobs_once' });
    t.index(['user_id'], 'jobs_member');
  });
  await knex.raw('create index jobs_leased on jobs (lease) where lease is not null');
  const json = isPostgres(knex) ? 'json_build_object' : 'json_object';
  await knex.raw(`
    insert into jobs (kind, user_id, payload, due_at, first_due_at, attempts)
    select 'mail', user_id,
      cast(${json}('about', kind, 'recipient', recipient, 'data', data) as text), due_at, created_at, attempts
    from mail_outbox order by id
  `);
  await knex.schema.dropTable('mail_outbox');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('mail_outbox', (t) => {
    t.bigIncrements('id');
    t.string('kind', 24).notNullable();
    t.string('user_id', 40).references('id').inTable('users').onDelete('CASCADE').nullable();
    t.string('recipient', 254).nullable().comment('null: found when it is sent');
    t.text('data').nullable();
    t.integer('attempts').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('due_at').notNullable().comment('of the next attempt, or when a claim of a sender ends');
    t.index(['due_at', 'id'], 'mail_outbox_due');
    t.index(['user_id'], 'mail_outbox_user');
  });
  const field = (name: string) =>
    isPostgres(knex) ? `payload::json->>'${name}'` : `json_extract(payload, '$.${name}')`;
  await knex.raw(`
    insert into mail_outbox (kind, user_id, recipient, data, attempts, created_at, due_at)
    select ${field('about')}, user_id, ${field('recipient')}, ${field('data')}, attempts, first_due_at, due_at
    from jobs where kind = 'mail' order by id
  `);
  await knex.schema.dropTable('jobs');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
