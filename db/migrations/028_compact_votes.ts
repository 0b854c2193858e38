import type { Knex } from 'knex';
import { finishConversion } from '#db/conversions/compact-votes.ts';

/** Runs before this migration, in many short transactions. */
export { convertInBatches as prepare } from '#db/conversions/compact-votes.ts';

/** Moves the votes to their new table, as far as that has not been done yet, and gives it its constraints. */
export async function up(knex: Knex): Promise<void> {
  const postgres = isPostgres(knex);
  if (postgres) await knex.raw("set local maintenance_work_mem = '256MB'");
  await finishConversion(knex, [...(postgres ? postgresIndexes : sqliteIndexes), ...indexes]);
  for (const table of ['old_votes', 'old_voters']) await knex.schema.dropTable(table);
  if (postgres) await knex.raw('analyze votes, voters');
}

/** The newest votes are found without an index entry per vote. */
const postgresIndexes = [
  'alter table votes add constraint votes_device primary key (device, ballot_key)',
  'create index votes_newest on votes using brin (id) with (pages_per_range = 16)',
];

const sqliteIndexes = ['create unique index votes_device on votes (device, ballot_key)'];

/** One vote per voter cookie and per account; the voter comes first, so that the same look-up finds earlier votes. */
const indexes = [
  'create unique index votes_cookie on votes (cookie, ballot_key) where cookie is not null',
  'create unique index votes_user on votes (user_id, ballot_key) where user_id is not null',
  'create index votes_pending on votes (user_id) where user_id is not null and not noted',
];

/** Works only without votes: their digests cannot be turned back. */
export async function down(knex: Knex): Promise<void> {
  for (const table of ['votes', 'voters'])
    if ((await knex(table).first(knex.raw('1 as found'))) !== undefined)
      throw new Error('Earlier releases cannot read the digests of voters. Restore a backup instead.');
  const postgres = isPostgres(knex);
  if (postgres) await knex.raw('alter table votes drop constraint votes_device');
  for (const index of [postgres ? 'newest' : 'device', 'cookie', 'user', 'pending'])
    await knex.raw(`drop index votes_${index}`);
  await knex.schema.createTable('old_votes', (t) => {
    if (postgres)
      t.bigInteger('id').primary({ constraintName: 'old_votes_pkey' }).defaultTo(knex.raw("nextval('votes_id_seq')"));
    else t.bigIncrements('id');
    t.string('ballot_id', 80).notNullable();
    t.string('option_id', 80).notNullable();
    t.string('voter_fingerprint', 43).notNullable();
    t.string('voter_cookie', 43).nullable();
    t.string('user_id', 40).nullable();
    t.bigInteger('created_at').notNullable();
    t.boolean('noted').notNullable().defaultTo(false);
    // On PostgreSQL, migration 027 adds them again.
    if (!postgres) {
      t.foreign('user_id').references('id').inTable('users').onDelete('SET NULL');
      t.foreign(['ballot_id', 'option_id'], 'votes_option')
        .references(['ballot_id', 'option_id'])
        .inTable('ballot_options')
        .onDelete('CASCADE');
    }
    t.unique(['voter_fingerprint', 'ballot_id'], { indexName: 'votes_one_per_device' });
    t.index(['ballot_id', 'option_id'], 'votes_of_option');
  });
  for (const index of [
    'unique index votes_one_per_cookie on old_votes (voter_cookie, ballot_id) where voter_cookie is not null',
    'unique index votes_one_per_user on old_votes (ballot_id, user_id) where user_id is not null',
    'index votes_of_user on old_votes (user_id, created_at) where user_id is not null',
    'index votes_unnoted on old_votes (user_id, id) where user_id is not null and not noted',
  ])
    await knex.raw(`create ${index}`);
  await knex.raw(
    `create table old_voters (
       voter_key varchar(43) not null constraint old_voters_pkey primary key, counted integer not null default 0
     )`,
  );
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
