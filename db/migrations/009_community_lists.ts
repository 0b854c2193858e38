import type { Knex } from 'knex';

/**
 * What the lists of community polls walk through: a page is found in one index, however deep it lies. The category is
 * a copy of the ballot's, which never changes. And, for who left with a deleted ballot, whether they were counted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('community_polls', (t) => {
    t.string('category', 200).nullable().comment("the ballot's, so that one index has all that a list sorts by");
    t.dropIndex(['created_by', 'created_at'], 'community_polls_of_user');
  });
  await knex('community_polls').update({
    category: knex('ballots').where('ballots.id', knex.ref('community_polls.id')).select('category'),
  });
  await knex.schema.alterTable('community_polls', (t) => {
    t.index(['visibility', 'category', 'created_at', 'id'], 'community_polls_category');
    t.index(['created_by', 'created_at', 'id'], 'community_polls_of_user');
  });

  // On PostgreSQL an index answers alone only for rows whose pages were vacuumed since they were changed last.
  if (isPostgres(knex))
    await knex.raw(
      'alter table community_polls set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)',
    );

  await knex.schema.alterTable('voters', (t) => {
    t.integer('counted')
      .notNullable()
      .defaultTo(0)
      .comment('1: the vote that made this voter a participant went with its ballot');
  });
}

export async function down(knex: Knex): Promise<void> {
  if (isPostgres(knex))
    await knex.raw(
      'alter table community_polls reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)',
    );
  await knex.schema.alterTable('voters', (t) => t.dropColumn('counted'));
  await knex.schema.alterTable('community_polls', (t) => {
    t.dropIndex([], 'community_polls_category');
    t.dropIndex([], 'community_polls_of_user');
    t.dropColumn('category');
    t.index(['created_by', 'created_at'], 'community_polls_of_user');
  });
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
