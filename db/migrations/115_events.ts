import type { Knex } from 'knex';

/**
 * Everything that happened, one row each: what operators did, which nobody can change, and what happened to polls. Entries
 * of the audit log keep their ids; what others can do, too, is called what it is called there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('events', (t) => {
    t.bigIncrements('id');
    t.bigInteger('at').notNullable();
    t.string('type', 40).notNullable();
    t.string('subject_kind', 16).notNullable();
    t.string('subject', 130).notNullable();
    t.string('actor', 80).nullable().comment('an operator’s name at the time; null: a member, or time');
    t.string('actor_id', 40)
      .nullable()
      .comment('the operator at the time; null: shared password, terminal, or API token');
    t.string('member_id', 40)
      .nullable()
      .references('id')
      .inTable('users')
      .onDelete('CASCADE')
      .comment('whose deed it is: gone with the account');
    t.text('before').nullable().comment('JSON');
    t.text('after').nullable().comment('JSON');
  });
  for (const statement of [
    'create index events_of_operators on events (id) where actor is not null',
    // Who removed a poll, and what it was.
    'create index events_of_subject on events (subject_kind, subject) where actor is not null',
    'create unique index events_once_of_member on events (member_id, type, subject) where member_id is not null',
  ])
    await knex.raw(statement);
  const columns = ['id', 'at', 'subject', 'actor', 'actor_id', 'before', 'after'].map((name) => `"${name}"`).join(', ');
  const type = `case action ${renamed.map(([action, name]) => `when '${action}' then '${name}'`).join(' ')} else action end`;
  await knex.raw(`insert into events (${columns}, type, subject_kind) select ${columns}, ${type}, kind from audit_log`);
  await knex.schema.dropTable('audit_log');
  if (isPostgres(knex)) {
    await knex.raw('drop function audit_log_append_only');
    await knex.raw("select setval('events_id_seq', (select coalesce(max(id), 0) + 1 from events), false)");
  }
  for (const statement of isPostgres(knex) ? postgresAppendOnly : sqliteAppendOnly) await knex.raw(statement);
}

/** Entries of the audit log, and what the same is called whoever does it. */
const renamed = [
  ['poll.publish', 'poll.created'],
  ['poll.close', 'poll.closed'],
  ['poll.reopen', 'poll.reopened'],
  ['poll.edit', 'poll.edited'],
  ['poll.delete', 'poll.removed'],
] as const;

const sqliteAppendOnly = ['update', 'delete'].map(
  (change) =>
    `create trigger events_no_${change} before ${change} on events when old.actor is not null
     begin select raise(abort, 'what operators did is append-only'); end`,
);

const postgresAppendOnly = [
  `create function events_append_only() returns trigger language plpgsql as $$
   begin raise exception 'what operators did is append-only'; end $$`,
  `create trigger events_append_only before update or delete on events
   for each row when (old.actor is not null) execute function events_append_only()`,
];

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('audit_log', (t) => {
    t.bigIncrements('id');
    t.bigInteger('at').notNullable();
    t.string('actor', 80).notNullable();
    t.string('action', 40).notNullable();
    t.string('kind', 16).notNullable();
    t.string('subject', 130).notNullable();
    t.text('before').nullable().comment('JSON');
    t.text('after').nullable().comment('JSON');
    t.string('actor_id', 40)
      .nullable()
      .comment('the member at the time; null: shared password, terminal, or API token');
    t.index('at', 'audit_log_at');
    t.index(['kind', 'subject'], 'audit_log_subject');
  });
  const columns = ['id', 'at', 'subject', 'actor', 'actor_id', 'before', 'after'].map((name) => `"${name}"`).join(', ');
  const action = `case type ${renamed.map(([name, type]) => `when '${type}' then '${name}'`).join(' ')} else type end`;
  await knex.raw(
    `insert into audit_log (${columns}, action, kind) select ${columns}, ${action}, subject_kind from events where actor is not null`,
  );
  await knex.schema.dropTable('events');
  if (isPostgres(knex)) {
    await knex.raw('drop function events_append_only');
    await knex.raw("select setval('audit_log_id_seq', (select coalesce(max(id), 0) + 1 from audit_log), false)");
  }
  for (const statement of isPostgres(knex) ? earlierPostgres : earlierSqlite) await knex.raw(statement);
}

const earlierSqlite = ['update', 'delete'].map(
  (change) =>
    `create trigger audit_log_no_${change} before ${change} on audit_log
     begin select raise(abort, 'audit_log is append-only'); end`,
);

const earlierPostgres = [
  `create function audit_log_append_only() returns trigger language plpgsql as $$
   begin raise exception 'audit_log is append-only'; end $$`,
  `create trigger audit_log_append_only before update or delete on audit_log
   for each row execute function audit_log_append_only()`,
];

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
