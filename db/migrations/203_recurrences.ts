import type { Knex } from 'knex';

/** Series whose polls are asked again and again. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('recurrences', (table) => {
    table.string('series', 200).primary();
    // JSON, see PollContent: the texts of each wave, and the times of the first.
    table.text('content').notNullable();
    // JSON, see Recurrence.
    table.text('rule').notNullable();
    // When the newest wave opens that was begun as a draft, or the first one.
    table.bigInteger('newest_at').notNullable();
    table.string('changed_by', 200).notNullable();
  });
}

export const down = (knex: Knex): Promise<void> => knex.schema.dropTable('recurrences');
