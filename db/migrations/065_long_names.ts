import type { Knex } from 'knex';

/** Takedowns and the audit log name articles, whose addresses are longer than ids of polls. SQLite limits no lengths. */
export async function up(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) return;
  await knex.raw('alter table takedowns alter column poll_id type varchar(130)');
  await knex.raw('alter table audit_log alter column subject type varchar(130)');
}

export async function down(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) return;
  await knex.raw('delete from takedowns where length(poll_id) > 80');
  await knex.raw('alter table takedowns alter column poll_id type varchar(80)');
  await knex.raw('alter table audit_log alter column subject type varchar(80) using left(subject, 80)');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
