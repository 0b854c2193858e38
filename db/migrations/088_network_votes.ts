import type { Knex } from 'knex';

/**
 * Networks of votes are single addresses from here on, and their digests have a salt per poll, so that one network is
 * recognized for as long as a poll is open.
 *
 * Votes of open polls by network and option, so that the detector reads each vote once and still judges polls over their
 * whole life. Counting begins with the oldest vote whose network may be known.
 */
export async function up(knex: Knex): Promise<void> {
  const isPostgres = (knex.client as { config: Knex.Config }).config.client === 'pg';
  await knex.raw(
    `create table network_votes (
       ballot_key integer not null references ballots (key) on delete cascade,
       network bigint not null,
       option_key integer not null,
       votes integer not null check (votes > 0),
       primary key (ballot_key, network, option_key)
     )${isPostgres ? '' : ' without rowid'}`,
  );
  await knex.schema.dropTable('network_salts');
  await knex.schema.createTable('network_salts', (t) => {
    t.string('scope', 40).primary().comment('"week" and ISO weeks since 1970, or "ballot" and its key');
    t.string('salt', 44).notNullable().comment('32 random bytes in base64');
    t.bigInteger('created_at').notNullable();
  });
  const first = knex('ballot_secrets').min('after_id');
  await knex('installation').insert({
    name: 'detector.votes',
    value: knex.raw('cast(coalesce((?), 0) as text)', [first]),
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex('installation').where({ name: 'detector.votes' }).del();
  await knex.schema.dropTable('network_votes');
  await knex.schema.dropTable('network_salts');
  await knex.schema.createTable('network_salts', (t) => {
    t.integer('week').primary().comment('ISO weeks since 1970');
    t.string('salt', 44).notNullable().comment('32 random bytes in base64');
    t.bigInteger('created_at').notNullable();
  });
}
