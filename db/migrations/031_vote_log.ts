import type { Knex } from 'knex';

/**
 * The vote log: each poll’s Merkle tree of votes, and the site-wide log of their checkpoints. Votes that exist by now are
 * in none; their number per option is kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('vote_logs', (t) => {
    t.increments('key');
    t.string('origin', 500).notNullable().unique({ indexName: 'vote_logs_origin' });
    t.string('ballot_id', 80).nullable().comment('null: a site-wide log');
    t.integer('ballot_key').nullable().comment('null: a site-wide log, a deleted poll, or replaced after a restore');
    t.foreign('ballot_key').references('key').inTable('ballots').onDelete('SET NULL');
    t.boolean('is_public').notNullable().comment('has entries in the site-wide log');
    t.text('paper').nullable().comment('JSON; null: a site-wide log, or nothing of it is kept but its origin');
    t.string('tag', 44).nullable();
    t.string('wording', 44).nullable().comment('tag of the paper with the wording of the newest amendment');
    t.bigInteger('size').notNullable().defaultTo(0).comment('leaves in the newest checkpoint');
    t.bigInteger('waiting').notNullable().defaultTo(0).comment('collected leaves for later checkpoints');
    t.integer('checkpoints').notNullable().defaultTo(0);
    t.integer('results').notNullable().defaultTo(0);
    t.bigInteger('first_id').nullable().comment('of its first vote');
    t.bigInteger('last_id').notNullable().defaultTo(0).comment('of its newest collected vote');
    t.bigInteger('last_action').notNullable().defaultTo(0).comment('the newest integrity action that has its entry');
    t.bigInteger('opened_at').notNullable();
    t.bigInteger('published_at').notNullable().comment('when leaves were published last, or it opened');
    t.bigInteger('checked_at').notNullable().comment('when its wording was compared with the poll’s');
    t.bigInteger('closed_at').nullable();
    t.boolean('result_due').notNullable().defaultTo(false).comment('closed, and something in its result has changed');
    t.text('problem').nullable().comment('why it could not be closed or continued');
  });
  for (const index of [
    'unique index vote_logs_ballot on vote_logs (ballot_key) where ballot_key is not null',
    'index vote_logs_poll on vote_logs (ballot_id)',
    'index vote_logs_open on vote_logs (key) where ballot_key is not null and closed_at is null',
    'index vote_logs_waiting on vote_logs (published_at) where waiting > 0',
    'index vote_logs_ended on vote_logs (key) where ballot_key is null and paper is not null',
    'index vote_logs_result on vote_logs (key) where result_due',
    'index vote_logs_problem on vote_logs (key) where problem is not null',
  ])
    await knex.raw(`create ${index}`);

  await knex.schema.createTable('vote_log_tiles', (t) => {
    t.integer('log_key').notNullable();
    t.smallint('level').notNullable();
    t.integer('tile').notNullable();
    t.binary('hashes')
      .notNullable()
      .comment('up to 256 of 32 bytes; those beyond the size of the log do not count yet');
    t.primary(['log_key', 'level', 'tile']);
  });
  await knex.schema.createTable('vote_log_waiting', (t) => {
    t.integer('log_key').notNullable();
    t.bigInteger('first_id').notNullable().comment('of its first vote, which orders them');
    t.binary('hashes').notNullable().comment('leaves in the order of their votes');
    t.primary(['log_key', 'first_id']);
  });
  await knex.schema.createTable('vote_log_checkpoints', (t) => {
    t.integer('log_key').notNullable();
    t.integer('number').notNullable().comment('of a site-wide log: 0, for only the newest is kept');
    t.bigInteger('size').notNullable();
    t.text('note').notNullable();
    t.primary(['log_key', 'number']);
  });
  await knex.schema.createTable('vote_log_entries', (t) => {
    t.integer('log_key').notNullable().comment('of the site-wide log');
    t.bigInteger('number').notNullable();
    t.integer('poll_log_key').nullable().comment('of the poll’s log that it is about');
    t.text('text').notNullable();
    t.primary(['log_key', 'number']);
    t.index(['poll_log_key', 'number'], 'vote_log_entries_poll');
  });
  await knex.schema.createTable('vote_log_results', (t) => {
    t.integer('log_key').notNullable();
    t.integer('version').notNullable();
    t.bigInteger('ballots').notNullable();
    t.bigInteger('size').notNullable();
    t.string('sha256', 44).notNullable();
    t.bigInteger('bytes').notNullable().comment('of the compressed file; 0: ballots are not published');
    t.string('content', 44).notNullable().comment('digest of what it shows, apart from its version');
    t.bigInteger('published_at').notNullable();
    t.primary(['log_key', 'version']);
  });
  await knex.schema.createTable('vote_log_files', (t) => {
    t.integer('log_key').notNullable();
    t.integer('version').notNullable();
    t.integer('part').notNullable();
    t.binary('content').notNullable();
    t.primary(['log_key', 'version', 'part']);
  });
  await knex.schema.createTable('vote_log_keys', (t) => {
    t.string('public_key', 44).primary();
    t.bigInteger('announced_at').notNullable().comment('when it got its entry in the site-wide log');
  });
  await knex.schema.createTable('vote_log_earlier', (t) => {
    t.integer('option_key').primary();
    t.bigInteger('votes').notNullable().comment('cast here before there was a log');
  });

  // No vote may be recorded between counting and reading the newest id.
  if (isPostgres(knex)) await knex.raw('lock table votes in share row exclusive mode');
  await knex('vote_log_earlier').insert(
    knex('ballot_options as o').whereRaw('o.votes > o.base_votes').select('o.key', knex.raw('o.votes - o.base_votes')),
  );
  const newest = await (isPostgres(knex)
    ? knex('votes_id_seq').first<{ id: number | string | null }>(
        knex.raw('case when is_called then last_value end as id'),
      )
    : knex('votes').max('id as id').first<{ id: number | string | null }>());
  for (const name of ['integrity.since', 'integrity.watermark'])
    await knex('installation').insert({ name, value: String(newest.id ?? 0) });
}

export async function down(knex: Knex): Promise<void> {
  await knex('installation').where('name', 'like', 'integrity.%').del();
  for (const table of ['earlier', 'keys', 'files', 'results', 'entries', 'checkpoints', 'waiting', 'tiles'])
    await knex.schema.dropTable(`vote_log_${table}`);
  await knex.schema.dropTable('vote_logs');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
