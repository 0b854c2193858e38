import type { Knex } from 'knex';

/**
 * How a ballot is protected: its level (`api/domain/protection.ts`), and each raise since its first vote, as JSON.
 *
 * Addresses that were confirmed for a vote, as digests under a salt per ballot. Nothing joins them to votes: they have no
 * time and no id, and are stored by digest. PostgreSQL stores rows in the order of insertion, and each with its transaction;
 * `api/voting/used-addresses.service.ts` rewrites them.
 */
export async function up(knex: Knex): Promise<void> {
  const isPostgres = (knex.client as { config: Knex.Config }).config.client === 'pg';
  await knex.raw(
    'alter table ballots add column protection smallint not null default 0 check (protection between 0 and 4)',
  );
  await knex.raw('alter table ballots add column protection_raises text');
  await knex.raw('create index ballots_protected on ballots (key) where protection > 0');
  await knex.raw(
    `create table used_addresses (
       ballot_key integer not null references ballots (key) on delete cascade,
       digest varchar(43) not null,
       primary key (ballot_key, digest)
     )${isPostgres ? '' : ' without rowid'}`,
  );
  // Codes that were mailed; each row is deleted when it expires, ten minutes after the request.
  await knex.raw(
    `create table vote_codes (
       id varchar(43) primary key,
       ballot_key integer not null references ballots (key) on delete cascade,
       address varchar(43) not null,
       code varchar(43),
       tries smallint not null default 0,
       confirmed boolean not null default false,
       expires_at bigint not null
     )${isPostgres ? '' : ' without rowid'}`,
  );
  await knex.raw('create index vote_codes_expiry on vote_codes (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('vote_codes');
  await knex.schema.dropTable('used_addresses');
  await knex.raw('drop index ballots_protected');
  await knex.raw('alter table ballots drop column protection_raises');
  await knex.raw('alter table ballots drop column protection');
}
