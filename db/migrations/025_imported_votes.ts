import type { Knex } from 'knex';

/**
 * How many of the total votes came with imports is a figure of its own, because imports bring votes but no voters. All
 * figures are counted anew, without the ballots that no longer count toward totals. Locks no ballots: votes lock a ballot
 * first and a row of statistics last.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('statistics', (t) => {
    t.bigInteger('imported_votes').notNullable().defaultTo(0);
  });
  await recount(knex, 'listed and in_totals');
  await knex('statistics')
    .where({ shard: 0 })
    .update({
      imported_votes: knex('ballots').whereRaw('listed and in_totals').select(knex.raw('coalesce(sum(base_votes), 0)')),
    });
}

export async function down(knex: Knex): Promise<void> {
  await recount(knex, 'listed');
  await knex.raw('alter table statistics drop column imported_votes');
}

/** Puts the difference to the sums over the counting ballots into one shard, in one statement: votes go on meanwhile. */
async function recount(knex: Knex, counting: string): Promise<void> {
  await knex.raw(
    `update statistics set
       total_votes = total_votes - (select sum(total_votes) from statistics)
         + (select coalesce(sum(total_votes), 0) from ballots where ${counting}),
       total_polls = total_polls - (select sum(total_polls) from statistics)
         + (select count(*) from ballots where ${counting})
     where shard = 0`,
  );
}
