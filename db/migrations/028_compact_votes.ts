import type { Knex } from 'knex';

/** Moves the votes to their new table and gives it its constraints. */
export async function up(knex: Knex): Promise<void> {
  for (const statement of isPostgres(knex) ? postgresIndexes : sqliteIndexes) await knex.raw(statement);
  // One vote per voter cookie and per account; the voter comes first, so that the same look-up finds earlier votes.
  await knex.raw('create unique index votes_cookie on votes (cookie, ballot_key) where cookie is not null');
  await knex.raw('create unique index votes_user on votes (user_id, ballot_key) where user_id is not null');
  await knex.raw('create index votes_pending on votes (user_id) where user_id is not null and not noted');
  for (const table of ['old_votes', 'old_voters']) await knex.schema.dropTable(table);
}

/** The newest votes are found without an index entry per vote. */
const postgresIndexes = [
  'alter table votes add constraint votes_device primary key (device, ballot_key)',
  'create index votes_newest on votes using brin (id) with (pages_per_range = 16)',
];

const sqliteIndexes = ['create unique index votes_device on votes (device, ballot_key)'];

/** The digests cannot be turned back. */
export function down(): Promise<void> {
  return Promise.reject(new Error('Earlier releases cannot read the digests of voters. Restore a backup instead.'));
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
