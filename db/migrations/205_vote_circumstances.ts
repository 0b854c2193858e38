import type { Knex } from 'knex';

const columns = ['votes_in_published_order', 'votes_embedded'];

/** How many of the votes received for an answer were cast under circumstances that are reported apart. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ballot_options', (table) => {
    for (const column of columns) table.bigInteger(column).notNullable().defaultTo(0);
  });
}

/** In SQL: Knex would rebuild SQLite’s table, and can’t read its checks. */
export async function down(knex: Knex): Promise<void> {
  for (const column of columns) await knex.raw('alter table ballot_options drop column ??', [column]);
}
