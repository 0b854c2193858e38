import type { Knex } from 'knex';

/** Whether the options of a ballot are shown in an order of each browser’s own, and how many of the last ones stay. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table ballots add column option_order varchar(8) not null default 'fixed'
     constraint ballots_option_order check (option_order in ('fixed', 'random', 'random-1', 'random-2', 'random-3'))`,
  );
}

/** In SQL: Knex would rebuild SQLite’s table, and can’t read its checks. */
export const down = (knex: Knex): Promise<void> => knex.raw('alter table ballots drop column option_order');
