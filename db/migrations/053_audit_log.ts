import type { Knex } from 'knex';

/** What operators changed, when, before and after. Entries are never changed or deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('audit_log', (t) => {
    t.bigIncrements('id');
    t.bigInteger('at').notNullable();
    t.string('actor', 80).notNullable();
    t.string('action', 40).notNullable();
    t.string('kind', 16).notNullable();
    t.string('subject', 80).notNullable();
    t.text('before').nullable().comment('JSON');
    t.text('after').nullable().comment('JSON');
    t.index('at', 'audit_log_at');
    t.index(['kind', 'subject'], 'audit_log_subject');
  });
  for (const statement of isPostgres(knex) ? postgresAppendOnly : sqliteAppendOnly) await knex.raw(statement);
}

const sqliteAppendOnly = ['update', 'delete'].map(
  (change) =>
    `create trigger audit_log_no_${change} before ${change} on audit_log
     begin select raise(abort, 'audit_log is append-only'); end`,
);

const postgresAppendOnly = [
  `create function audit_log_append_only() returns trigger language plpgsql as $$
   begin raise exception 'audit_log is append-only'; end $$`,
  `create trigger audit_log_append_only before update or delete on audit_log
   for each row execute function audit_log_append_only()`,
];

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_log');
  if (isPostgres(knex)) await knex.raw('drop function audit_log_append_only');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
