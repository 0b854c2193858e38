import type { Knex } from 'knex';

/**
 * Everything that can be voted on is a ballot: the narrow, hot part of a poll or a community poll (opening
 * times, options, counters). Texts live beside it, so that a counter change never rewrites a long analysis.
 * Moments are integers: milliseconds since 1970 in UTC.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ballots', (t) => {
    t.string('id', 80).primary();
    t.string('kind', 16).notNullable().checkIn(['poll', 'community'], 'ballots_kind');
    t.boolean('is_active').notNullable().defaultTo(true);
    t.boolean('listed').notNullable().defaultTo(true).comment('anyone may find it in lists and statistics');
    t.string('category', 200).nullable();
    t.bigInteger('starts_at').notNullable();
    t.bigInteger('ends_at').nullable();
    t.bigInteger('closed_at').nullable();
    t.bigInteger('base_votes').notNullable().defaultTo(0).comment('votes that came with an import');
    t.bigInteger('total_votes').notNullable().defaultTo(0).comment('base_votes + rows in votes');
    t.check('ends_at is null or ends_at > starts_at', [], 'ballots_end_after_start');
    t.check('total_votes >= base_votes and base_votes >= 0', [], 'ballots_votes');
    t.check("kind <> 'poll' or ends_at is not null", [], 'ballots_poll_ends');
  });

  await knex.schema.createTable('ballot_options', (t) => {
    t.string('ballot_id', 80).notNullable().references('id').inTable('ballots').onDelete('CASCADE');
    t.string('option_id', 80).notNullable();
    t.integer('position').notNullable();
    t.boolean('offered').notNullable().defaultTo(true).comment('can be voted for');
    t.text('text').notNullable();
    t.bigInteger('base_votes').notNullable().defaultTo(0);
    t.bigInteger('votes').notNullable().defaultTo(0).comment('base_votes + rows in votes');
    t.primary(['ballot_id', 'option_id']);
    t.unique(['ballot_id', 'position']);
    t.check('votes >= base_votes and base_votes >= 0', [], 'ballot_options_votes');
  });

  await knex.schema.createTable('polls', (t) => {
    t.string('id', 80).primary().references('id').inTable('ballots').onDelete('CASCADE');
    t.text('question').notNullable();
    t.text('description').notNullable();
    t.text('tags').notNullable().defaultTo('[]').comment('JSON array of texts');
    t.string('author', 200).nullable();
    t.text('summary').nullable();
    t.text('analysis').nullable().comment('HTML, made safe at import');
    t.text('methodology_notes').nullable();
    t.text('country_breakdown').notNullable().defaultTo('[]').comment('JSON array of {name, percentage}');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.boolean('demonstration').notNullable().defaultTo(false);
  });

  // The lists: open ballots by end, the archive by closing time and by votes, each with and without category.
  await knex.raw('create index ballots_open on ballots (kind, starts_at, ends_at) where closed_at is null');
  await knex.raw('create index ballots_due on ballots (ends_at) where closed_at is null');
  await knex.raw('create index ballots_archive_time on ballots (kind, closed_at, id) where closed_at is not null');
  await knex.raw('create index ballots_archive_votes on ballots (kind, total_votes, id) where closed_at is not null');
  await knex.raw(
    'create index ballots_category_time on ballots (kind, category, closed_at, id) where closed_at is not null',
  );
  await knex.raw(
    'create index ballots_category_votes on ballots (kind, category, total_votes, id) where closed_at is not null',
  );

  await knex.schema.createTable('archive_categories', (t) => {
    t.string('category', 200).primary().comment('empty text: polls without a category');
    t.bigInteger('closed_polls').notNullable();
    t.check('closed_polls >= 0', [], 'archive_categories_count');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['archive_categories', 'polls', 'ballot_options', 'ballots'])
    await knex.schema.dropTableIfExists(table);
}
