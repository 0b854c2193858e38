import type { Knex } from 'knex';

/**
 * Any import can be undone, not only the last one: polls that later imports changed are kept, and are found by their
 * previous states.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('poll_import_images', (t) => {
    t.index(['poll_id', 'import_id'], 'poll_import_images_poll');
  });
  await knex.schema.alterTable('poll_imports', (t) => {
    t.integer('kept_later').notNullable().defaultTo(0).comment('polls that stay: a later import changed them');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table poll_imports drop column kept_later');
  await knex.raw('drop index poll_import_images_poll');
}
