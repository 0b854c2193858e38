import type { Knex } from 'knex';

/** Events of held votes told their moments to the millisecond. */
export async function up(knex: Knex): Promise<void> {
  await knex('events').where({ type: 'votes.held' }).del();
}

export async function down(): Promise<void> {
  // Nothing reads these events.
}
