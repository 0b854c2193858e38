import type { Knex } from 'knex';

/**
 * What changes with every vote stands in no index of its ballot any more: PostgreSQL then writes a vote's new count
 * beside the old one and touches no index (handbook decision 124). Columns that the database computes stay the same while
 * votes come in: `archive_votes` is empty until a ballot is closed, `unnoted` stays what it is until facts follow.
 */
export async function up(knex: Knex): Promise<void> {
  for (const index of ['ballots_archive_votes', 'ballots_category_votes', 'ballots_unnoted'])
    await knex.raw(`drop index ${index}`);
  // SQLite adds no stored column to a table that is there, and computes one that is in an index once as well.
  const kept = isPostgres(knex) ? 'stored' : 'virtual';
  await knex.raw(
    `alter table ballots add column archive_votes bigint
     generated always as (case when closed_at is not null then total_votes end) ${kept}`,
  );
  await knex.raw(`alter table ballots add column unnoted boolean generated always as (${unnotedBallot}) ${kept}`);
  await knex.raw('create index ballots_archive_votes on ballots (kind, archive_votes, id) where closed_at is not null');
  await knex.raw(
    'create index ballots_category_votes on ballots (kind, category, archive_votes, id) where closed_at is not null',
  );
  await knex.raw('create index ballots_unnoted on ballots (id) where unnoted');
}

const unnotedBallot = "kind = 'community' and (total_votes > noted_votes or (closed_at is not null and not noted_end))";

export async function down(knex: Knex): Promise<void> {
  for (const index of ['ballots_archive_votes', 'ballots_category_votes', 'ballots_unnoted'])
    await knex.raw(`drop index ${index}`);
  for (const column of ['archive_votes', 'unnoted']) await knex.raw(`alter table ballots drop column ${column}`);
  await knex.raw('create index ballots_archive_votes on ballots (kind, total_votes, id) where closed_at is not null');
  await knex.raw(
    'create index ballots_category_votes on ballots (kind, category, total_votes, id) where closed_at is not null',
  );
  await knex.raw(`create index ballots_unnoted on ballots (id) where ${unnotedBallot}`);
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
