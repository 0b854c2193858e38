import type { Knex } from 'knex';

/** What the detector said last about each open poll with enough recent votes, for the operator’s page. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('integrity_scores', (t) => {
    t.integer('ballot_key').primary().references('key').inTable('ballots').onDelete('CASCADE');
    t.smallint('score').notNullable();
    t.text('detection').notNullable().comment('JSON');
    t.bigInteger('scored_at').notNullable();
    t.index('score', 'integrity_scores_score');
  });
  await knex.raw(
    "create index ballots_challenged on ballots (key) where challenge = 'on' or challenged_until is not null",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index ballots_challenged');
  await knex.schema.dropTable('integrity_scores');
}
