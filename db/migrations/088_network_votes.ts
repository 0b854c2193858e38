import type { Knex } from 'knex';

/**
 * Networks of votes are single addresses from here on, and their digests have a salt per poll, so that one network is
 * recognized for as long as a poll is open.
 *
 * Votes of open polls by network and option, so that the detector reads each vote once and still judges polls over their
 * whole life. Counting begins with the first vote after the update.
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
  // Processes of the version before still read "network_salts"; a later version drops it.
  await knex.schema.createTable('digest_salts', (t) => {
    t.string('scope', 40).primary().comment('"week" and ISO weeks since 1970, or "ballot" and its key');
    t.string('salt', 44).notNullable().comment('32 random bytes in base64');
    t.bigInteger('created_at').notNullable();
  });
  // Earlier votes have digests of subnets, which would look like networks of many people.
  const newest = await (isPostgres
    ? knex('votes_id_seq').first<{ id: number | string | null }>(
        knex.raw('case when is_called then last_value end as id'),
      )
    : knex('votes').max('id as id').first<{ id: number | string | null }>());
  await knex('installation').insert({ name: 'detector.votes', value: String(newest.id ?? 0) });
}

export async function down(knex: Knex): Promise<void> {
  await knex('installation').where({ name: 'detector.votes' }).del();
  await knex.schema.dropTable('network_votes');
  await knex.schema.dropTable('digest_salts');
}
