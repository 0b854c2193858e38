import type { Knex } from 'knex';

/*
 * What lists of community polls sort and filter by, in the table that has their texts: a counter that every vote changes
 * can't be indexed, so `ranked_votes` follows it. `ballot_ends_at` and `ballot_closed_at` repeat the ballot’s; triggers keep
 * them equal.
 * `trend` is a logarithm of the votes in which each counts twice as much as one a day earlier, so it needs no decay: a new
 * poll has its creation, in millionths of a day.
 */
const creation = 'created_at * 10 / 864';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('community_polls', (t) => {
    t.bigInteger('ballot_ends_at').nullable();
    t.bigInteger('ballot_closed_at').nullable();
    t.bigInteger('ranked_votes').notNullable().defaultTo(0);
    t.bigInteger('trend').notNullable().defaultTo(0);
    t.dropIndex([], 'community_polls_newest');
    t.dropIndex([], 'community_polls_category');
  });
  await knex.raw(
    `update community_polls set trend = ${creation},
       (ballot_ends_at, ballot_closed_at, ranked_votes) = (select ends_at, closed_at, total_votes from ballots b where b.id = community_polls.id)`,
  );
  for (const [name, columns, condition] of indexes)
    await knex.raw(`create index community_polls_${name} on community_polls (${columns}) ${condition ?? ''}`);
  for (const statement of isPostgres(knex) ? postgresFollow : sqliteFollow) await knex.raw(statement);
}

/** The columns after the id let the database filter without reading rows. */
const indexes: readonly (readonly [name: string, columns: string, condition?: string])[] = [
  ['newest', 'visibility, created_at, id, category, ballot_closed_at'],
  ['category', 'visibility, category, created_at, id, ballot_closed_at'],
  ['votes', 'visibility, ranked_votes, created_at, id, category, ballot_closed_at'],
  ['trend', 'visibility, trend, created_at, id, category, ballot_closed_at'],
  [
    'ending',
    'visibility, ballot_ends_at, id, category',
    'where ballot_closed_at is null and ballot_ends_at is not null',
  ],
  ['open', 'visibility, created_at, id, category', 'where ballot_closed_at is null'],
  ['ranked', 'visibility, id, ranked_votes'],
];

// A row that is copied from another database has its values.
const sqliteFollow = [
  `create trigger community_polls_new after insert on community_polls when new.trend = 0 begin
     update community_polls set trend = new.${creation},
       (ballot_ends_at, ballot_closed_at, ranked_votes) = (select ends_at, closed_at, total_votes from ballots where id = new.id)
     where id = new.id;
   end`,
  `create trigger community_polls_follow after update of ends_at, closed_at on ballots
   when new.kind = 'community' and (new.ends_at is not old.ends_at or new.closed_at is not old.closed_at) begin
     update community_polls set ballot_ends_at = new.ends_at, ballot_closed_at = new.closed_at where id = new.id;
   end`,
];

const postgresFollow = [
  `create function community_polls_new() returns trigger language plpgsql as $$ begin
     select ends_at, closed_at, total_votes into new.ballot_ends_at, new.ballot_closed_at, new.ranked_votes
     from ballots where id = new.id;
     new.trend := new.${creation};
     new.ranked_votes := coalesce(new.ranked_votes, 0);
     return new;
   end $$`,
  `create trigger community_polls_new before insert on community_polls for each row
   when (new.trend = 0) execute function community_polls_new()`,
  `create function community_polls_follow() returns trigger language plpgsql as $$ begin
     update community_polls set ballot_ends_at = new.ends_at, ballot_closed_at = new.closed_at where id = new.id;
     return null;
   end $$`,
  `create trigger community_polls_follow after update of ends_at, closed_at on ballots for each row
   when (new.kind = 'community'
     and (new.ends_at is distinct from old.ends_at or new.closed_at is distinct from old.closed_at))
   execute function community_polls_follow()`,
];

export async function down(knex: Knex): Promise<void> {
  const postgres = isPostgres(knex);
  await knex.raw(`drop trigger community_polls_follow${postgres ? ' on ballots' : ''}`);
  await knex.raw(`drop trigger community_polls_new${postgres ? ' on community_polls' : ''}`);
  if (postgres) for (const name of ['follow', 'new']) await knex.raw(`drop function community_polls_${name}`);
  for (const [name] of indexes) await knex.raw(`drop index community_polls_${name}`);
  for (const column of ['trend', 'ranked_votes', 'ballot_closed_at', 'ballot_ends_at'])
    await knex.raw(`alter table community_polls drop column ${column}`);
  await knex.schema.alterTable('community_polls', (t) => {
    t.index(['visibility', 'created_at', 'id'], 'community_polls_newest');
    t.index(['visibility', 'category', 'created_at', 'id'], 'community_polls_category');
  });
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
