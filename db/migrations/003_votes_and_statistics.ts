import type { Knex } from 'knex';

/**
 * Votes and the counters behind the headline figures. One device, one voter cookie and one account have one
 * vote per ballot each: three unique indexes, so that no race can count a voter twice. Only a digest of the
 * device id is stored (the id itself is the visitor's secret). The voter stands before the ballot in those
 * indexes, so that the same look-up tells whether this installation has seen the voter before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('votes', (t) => {
    t.bigIncrements('id');
    t.string('ballot_id', 80).notNullable();
    t.string('option_id', 80).notNullable();
    t.string('voter_fingerprint', 43).notNullable().comment('digest of the device id');
    t.string('voter_cookie', 43).nullable();
    t.string('user_id', 40).nullable().references('id').inTable('users').onDelete('SET NULL');
    t.bigInteger('created_at').notNullable();
    t.foreign(['ballot_id', 'option_id'], 'votes_option')
      .references(['ballot_id', 'option_id'])
      .inTable('ballot_options')
      .onDelete('CASCADE');
    t.unique(['voter_fingerprint', 'ballot_id'], { indexName: 'votes_one_per_device' });
    t.index(['ballot_id', 'option_id'], 'votes_of_option');
  });
  await knex.raw(
    'create unique index votes_one_per_cookie on votes (voter_cookie, ballot_id) where voter_cookie is not null',
  );
  await knex.raw('create unique index votes_one_per_user on votes (ballot_id, user_id) where user_id is not null');
  await knex.raw('create index votes_of_user on votes (user_id, created_at) where user_id is not null');

  // Voters whose votes went with a deleted ballot: they stay participants, and coming again they are no new ones.
  await knex.schema.createTable('voters', (t) => {
    t.string('voter_key', 43).primary().comment('digest of a device id, or a voter cookie');
  });

  // Sharded by writer, so that API processes on one database do not wait for each other; a read adds the few rows.
  await knex.schema.createTable('statistics', (t) => {
    t.integer('shard').primary();
    t.bigInteger('total_votes').notNullable().defaultTo(0);
    t.bigInteger('total_participants').notNullable().defaultTo(0);
    t.bigInteger('total_polls').notNullable().defaultTo(0);
  });
  await knex('statistics').insert(Array.from({ length: 16 }, (_, shard) => ({ shard })));
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['statistics', 'voters', 'votes']) await knex.schema.dropTableIfExists(table);
}
