import type { Knex } from 'knex';

/*
 * PostgreSQL counts public polls, all of them or the open or closed ones, in a small index: it reads the whole table rather
 * than one of the wide indexes that the lists are sorted by. SQLite counts in those.
 */
export async function up(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) return;
  await knex.raw(
    "create index community_polls_counted on community_polls (ballot_closed_at) where visibility = 'public'",
  );
}

export async function down(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('drop index community_polls_counted');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
