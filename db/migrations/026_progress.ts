import type { Knex } from 'knex';

/**
 * Progress has a new format and is folded in order of time; late events replay a member's history at once, so nothing
 * marks or versions a row any more. One event of each member is marked as not projected, so that the next sweep computes
 * all progress in the new format. Processes of the previous release cannot project events any more; the new ones will.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index progress_stale');
  for (const column of ['stale', 'revision']) await knex.raw(`alter table progress drop column ${column}`);
  await knex.raw("update facts set counted = false where fact = 'account_created'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('progress', (t) => {
    t.integer('revision').notNullable().defaultTo(0);
    t.boolean('stale').notNullable().defaultTo(false);
  });
  await knex.raw('create index progress_stale on progress (user_id) where stale');
  await knex.raw("update facts set counted = false where fact = 'account_created'");
}
