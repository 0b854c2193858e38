import type { Knex } from 'knex';

/**
 * Sums per poll and day: votes by referring host, shares by target, and embed views by host. Votes per hour are counted while
 * the times of votes are kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('insight_counts', (t) => {
    t.string('poll_id', 80).notNullable().references('id').inTable('ballots').onDelete('CASCADE');
    t.string('kind', 8).notNullable().checkIn(['vote', 'share', 'embed'], 'insight_counts_kind');
    t.integer('day').notNullable().comment('days since 1970 in UTC');
    t.string('label', 253).notNullable().comment('a host name or a target');
    t.bigInteger('count').notNullable();
    t.primary(['poll_id', 'kind', 'label', 'day']);
    t.index('day', 'insight_counts_day');
  });
  await knex.schema.createTable('vote_hours', (t) => {
    t.integer('ballot_key').notNullable().references('key').inTable('ballots').onDelete('CASCADE');
    t.integer('hour').notNullable().comment('hours since 1970');
    t.bigInteger('votes').notNullable().comment('received, whether counted or not');
    t.primary(['ballot_key', 'hour']);
    t.index('hour', 'vote_hours_hour');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['vote_hours', 'insight_counts']) await knex.schema.dropTable(table);
}
