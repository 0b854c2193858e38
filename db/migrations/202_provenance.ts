import type { Knex } from 'knex';

/** What operators state of imported answers and of the waves of series. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('polls', (table) => {
    // A JSON object of texts.
    table.text('provenance').notNullable().defaultTo('{}');
    table.text('series_note').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('polls', (table) => table.dropColumns('provenance', 'series_note'));
}
