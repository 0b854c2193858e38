import type { Knex } from 'knex';

/** Accounts behind the community polls that come with the software. */
const demonstrationMembers = ['demonstration-desk', 'demonstration-reader'];

/**
 * Which ballots count toward the headline figures: those that anyone may list, without demonstration polls. How many of
 * their votes came with imports is a figure of its own, because imports bring votes but no voters.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ballots', (t) => {
    t.boolean('in_totals').notNullable().defaultTo(true).comment('listed, and not a demonstration poll');
  });
  await knex.schema.alterTable('statistics', (t) => {
    t.bigInteger('imported_votes').notNullable().defaultTo(0);
  });
  await knex('ballots').where({ listed: false }).update({ in_totals: false });
  await knex('ballots')
    .whereIn('id', knex('polls').select('id').where('demonstration', true))
    .orWhereIn('id', knex('community_polls').select('id').whereIn('created_by', demonstrationMembers))
    .update({ in_totals: false });
  await recount(knex, 'in_totals');
  await knex('statistics')
    .where({ shard: 0 })
    .update({
      imported_votes: knex('ballots').where({ in_totals: true }).select(knex.raw('coalesce(sum(base_votes), 0)')),
    });
}

export async function down(knex: Knex): Promise<void> {
  await recount(knex, 'listed');
  // Knex would copy the SQLite table, and cannot where there are generated columns.
  await knex.raw('alter table statistics drop column imported_votes');
  await knex.raw('alter table ballots drop column in_totals');
}

/** Puts the difference to the sums over the ballots into one shard. */
async function recount(knex: Knex, column: 'listed' | 'in_totals'): Promise<void> {
  await knex.raw(
    `update statistics set
       total_votes = total_votes - (select sum(total_votes) from statistics)
         + (select coalesce(sum(total_votes), 0) from ballots where ${column}),
       total_polls = total_polls - (select sum(total_polls) from statistics)
         + (select count(*) from ballots where ${column})
     where shard = 0`,
  );
}
