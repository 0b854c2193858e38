import type { Knex } from 'knex';

/**
 * How many options a vote chooses, and how they count. Further options of a vote are in its row, in the order in which it names
 * them: their keys with commas around, such as “,12,15,”. A vote for one option has none, and costs what it did.
 */
export async function up(knex: Knex): Promise<void> {
  for (const statement of [
    `alter table ballots add column method varchar(8) not null default 'single'
       constraint ballots_method check (method in ('single', 'several', 'ranked'))`,
    'alter table ballots add column min_choices smallint not null default 1',
    `alter table ballots add column max_choices smallint not null default 1
       constraint ballots_choices check (
         min_choices between 1 and max_choices and (method = 'single') = (max_choices = 1)
         and (kind <> 'poll' or method = 'single')
       )`,
    'alter table votes add column further_options varchar(400)',
    'create index votes_further on votes (ballot_key) where further_options is not null',
  ])
    await knex.raw(statement);
}

/** In SQL: Knex would rebuild SQLite’s tables. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index votes_further');
  await knex.raw('alter table votes drop column further_options');
  for (const column of ['max_choices', 'min_choices', 'method'])
    await knex.raw(`alter table ballots drop column ${column}`);
}
