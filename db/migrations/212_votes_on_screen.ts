import type { Knex } from 'knex';

/** How many of the votes received for an answer were cast with the code that a screen showed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ballot_options', (table) => {
    table.bigInteger('votes_on_screen').notNullable().defaultTo(0);
  });
}

/** In SQL: Knex would rebuild SQLite’s table, and can’t read its checks. */
export const down = (knex: Knex): Promise<void> => knex.raw('alter table ballot_options drop column votes_on_screen');
