import type { Knex } from 'knex';

/**
 * Votes per option and day of closed polls, for the chart of a report; per hour at the beginning of busy ones. Counted after
 * the end of a poll, because the times of its votes are not kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('counted_ballots', (t) => {
    t.integer('ballot_key').primary().references('key').inTable('ballots').onDelete('CASCADE');
    t.bigInteger('votes').notNullable().comment('the votes cast here when they were counted');
    t.bigInteger('counted_at').notNullable();
  });
  await knex.schema.createTable('option_days', (t) => {
    t.integer('ballot_key').notNullable().references('key').inTable('ballots').onDelete('CASCADE');
    t.integer('option_key').notNullable();
    t.smallint('hours').notNullable().checkIn(['1', '24'], 'option_days_hours').comment('length of the period');
    t.bigInteger('starts_at').notNullable();
    t.bigInteger('votes').notNullable();
    t.primary(['ballot_key', 'hours', 'starts_at', 'option_key']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('option_days');
  await knex.schema.dropTable('counted_ballots');
}
