import type { Knex } from 'knex';

/**
 * What badges are counted from, and what they come to. A fact stands in `facts` once; `progress` is all that is needed
 * to count one more. What other tables have to tell carries a mark of its own, and a partial index finds what is
 * unmarked: nothing is lost when a process dies between a vote and its fact. See handbook decision 081.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('facts', (t) => {
    t.bigIncrements('id');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('fact', 24).notNullable();
    t.string('subject', 130).notNullable().comment('what makes it one fact: the poll, the comment, the day …');
    t.bigInteger('at').notNullable();
    t.bigInteger('amount').nullable().comment('of a fact that is a total: it only grows');
    t.text('details').notNullable().defaultTo('{}').comment('JSON: what the rules ask, as it was then');
    t.boolean('counted').notNullable().defaultTo(false).comment('is part of progress');
    t.unique(['user_id', 'fact', 'subject'], { indexName: 'facts_once' });
    t.index(['user_id', 'at', 'id'], 'facts_in_time');
  });
  await knex.raw('create index facts_uncounted on facts (user_id, at, id) where not counted');

  await knex.schema.createTable('progress', (t) => {
    t.string('user_id', 40).primary().references('id').inTable('users').onDelete('CASCADE');
    t.text('figures').notNullable().comment('JSON: domain/badges/progress');
    t.integer('revision').notNullable().defaultTo(0).comment('changes with the figures');
    t.boolean('stale').notNullable().defaultTo(false).comment('a fact came too late: to be counted anew');
  });
  await knex.raw('create index progress_stale on progress (user_id) where stale');

  await knex.schema.createTable('activity_days', (t) => {
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.integer('day').notNullable().comment('days since 1970 in UTC');
    t.integer('count').notNullable().comment('votes, polls and comments');
    t.primary(['user_id', 'day']);
  });

  await knex.schema.alterTable('activities', (t) => {
    t.unique(['user_id', 'activity_type', 'entity_id'], { indexName: 'activities_once' });
  });
  await knex.schema.alterTable('badges', (t) => {
    t.boolean('announced').notNullable().defaultTo(false);
  });

  await knex.schema.alterTable('votes', (t) => {
    t.boolean('noted').notNullable().defaultTo(false).comment('stands in facts; of votes of members only');
  });
  await knex.raw('create index votes_unnoted on votes (user_id, id) where user_id is not null and not noted');

  await knex.schema.alterTable('ballots', (t) => {
    t.bigInteger('noted_votes').notNullable().defaultTo(0).comment('of a community poll: total_votes in facts');
    t.boolean('noted_end').notNullable().defaultTo(false).comment('of a community poll: its result stands in facts');
  });
  await knex.raw(`create index ballots_unnoted on ballots (id) where ${unnotedBallot}`);

  await knex.schema.alterTable('community_poll_guests', (t) => {
    t.boolean('noted').notNullable().defaultTo(false).comment('that the guest came stands in facts');
  });
  await knex.raw(
    'create index community_poll_guests_unnoted on community_poll_guests (user_id) where accepted_at is not null and not noted',
  );

  for (const statement of earlierFacts) await knex.raw(statement);
}

const unnotedBallot = "kind = 'community' and (total_votes > noted_votes or (closed_at is not null and not noted_end))";

/** What was there before facts were; votes, guests and results are found by their marks. */
const earlierFacts = [
  `insert into facts (user_id, fact, subject, at, details)
   select id, 'account_created', '', created_at,
     '{"membersBefore":' || (row_number() over (order by created_at, id) - 1) || '}'
   from users`,
  `insert into facts (user_id, fact, subject, at, details)
   select created_by, 'poll_created', id, created_at,
     '{"pollId":"' || id || '","visibility":"' || visibility || '","category":'
     || coalesce('"' || category || '"', 'null') || ',"options":'
     || (select count(*) from ballot_options where ballot_id = community_polls.id) || '}'
   from community_polls where created_by is not null`,
  `insert into facts (user_id, fact, subject, at, details)
   select created_by, 'own_poll_featured', id, updated_at, '{"pollId":"' || id || '"}'
   from community_polls where created_by is not null and featured`,
  `insert into facts (user_id, fact, subject, at, details)
   select user_id, 'comment_posted', id, created_at,
     '{"commentId":"' || id || '","pollId":"' || poll_id || '","length":' || length(content) || '}'
   from comments`,
];

export async function down(knex: Knex): Promise<void> {
  for (const index of ['community_poll_guests_unnoted', 'ballots_unnoted', 'votes_unnoted'])
    await knex.raw(`drop index ${index}`);
  await knex.schema.alterTable('community_poll_guests', (t) => t.dropColumn('noted'));
  await knex.schema.alterTable('ballots', (t) => t.dropColumns('noted_votes', 'noted_end'));
  await knex.schema.alterTable('votes', (t) => t.dropColumn('noted'));
  await knex.schema.alterTable('badges', (t) => t.dropColumn('announced'));
  await knex.schema.alterTable('activities', (t) => {
    t.dropUnique([], 'activities_once');
  });
  for (const table of ['activity_days', 'progress', 'facts']) await knex.schema.dropTableIfExists(table);
}
