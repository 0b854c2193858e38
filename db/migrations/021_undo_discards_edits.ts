import type { Knex } from 'knex';

/** Whether the undo of an import also undoes polls that were edited since: a process that continues it has to know. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('poll_imports', (t) => {
    t.boolean('discards_edits').notNullable().defaultTo(false);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table poll_imports drop column discards_edits');
}
