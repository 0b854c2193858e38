import type { Knex } from 'knex';

/** Votes of flagged polls with at most one per network, as results disclose them; see `independent-votes.service`. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('independent_votes', (t) => {
    t.integer('ballot_key').primary().references('key').inTable('ballots').onDelete('CASCADE');
    t.text('votes').notNullable().comment('JSON: votes by option id');
    t.text('flagged').comment('JSON: the networks that the detector flagged; null 30 days after the end');
    t.bigInteger('counted_at').notNullable();
    t.boolean('final').notNullable().comment('Counted after the end');
    t.bigInteger('logged_at').comment('counted_at of the entry in the site-wide log');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('independent_votes');
}
