import type { Knex } from 'knex';

/** Accounts behind the community polls that come with the software. */
const demonstrationMembers = ['demonstration-desk', 'demonstration-reader'];

/**
 * Which ballots count toward the headline figures: of the listed ones, those with this flag. A process of the previous
 * release creates private polls without clearing it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ballots', (t) => {
    t.boolean('in_totals').notNullable().defaultTo(true).comment('false: a demonstration poll, or not listed');
  });
  await knex('ballots').where({ listed: false }).update({ in_totals: false });
  await knex('ballots')
    .whereIn('id', knex('polls').select('id').where('demonstration', true))
    .orWhereIn('id', knex('community_polls').select('id').whereIn('created_by', demonstrationMembers))
    .update({ in_totals: false });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would copy the SQLite table, and cannot where there are generated columns.
  await knex.raw('alter table ballots drop column in_totals');
}
