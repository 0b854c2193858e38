import type { Knex } from 'knex';

/** Flags whose votes somebody took for genuine: once for each number of votes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table integrity_actions add column flag varchar(40)');
  await knex.raw(
    'create unique index integrity_actions_genuine on integrity_actions (ballot_id, flag, votes) where flag is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index integrity_actions_genuine');
  await knex.raw('alter table integrity_actions drop column flag');
}
