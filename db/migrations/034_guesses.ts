import type { Knex } from 'knex';

/**
 * Voters’ guesses of results as totals: per poll, option, and percentage; and per member, how many guesses and by how many
 * points they were off. Nothing records who guessed what.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('guesses', (t) => {
    t.integer('ballot_key').notNullable().references('key').inTable('ballots').onDelete('CASCADE');
    t.integer('option_key').notNullable();
    t.smallint('percent').notNullable();
    t.bigInteger('guesses').notNullable();
    t.primary(['ballot_key', 'option_key', 'percent']);
    t.check('percent between 0 and 100', [], 'guesses_percent');
  });
  await knex.schema.createTable('guess_accuracy', (t) => {
    t.string('user_id', 40).primary().references('id').inTable('users').onDelete('CASCADE');
    t.bigInteger('guesses').notNullable();
    t.bigInteger('points').notNullable().comment('sum of the points by which they were off');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('guess_accuracy');
  await knex.schema.dropTable('guesses');
}
