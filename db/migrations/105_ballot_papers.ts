import type { Knex } from 'knex';

/**
 * Papers of polls that were voted on before their log was opened, which takes seconds: what these voters were promised is
 * about the paper, so that the log opens with it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ballot_papers', (t) => {
    t.integer('ballot_key').primary().references('key').inTable('ballots').onDelete('CASCADE');
    t.text('paper').notNullable().comment('JSON');
    t.bigInteger('checked_at').notNullable().comment('when the texts that it has were changed last');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('ballot_papers');
}
