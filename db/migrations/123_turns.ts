import type { Knex } from 'knex';

/** Which process scores polls is decided by its job. */
export async function up(knex: Knex): Promise<void> {
  await knex('installation').where({ name: 'detector.until' }).del();
}

export async function down(): Promise<void> {
  // The next process that scores polls adds the row.
}
