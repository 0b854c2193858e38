import type { Knex } from 'knex';

/** Whether an operator gets mail about what needs a decision. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('operators', (t) => {
    t.boolean('desk_mail').notNullable().defaultTo(true);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table operators drop column desk_mail');
}
