import type { Knex } from 'knex';

/**
 * Adds the columns on PostgreSQL, each in a transaction of its own: requests lock these tables in several orders, so that a
 * transaction with exclusive locks on two of them could deadlock.
 */
export async function prepare(db: Knex, locked: <T>(work: (trx: Knex) => Promise<T>) => Promise<T>): Promise<void> {
  if (isPostgres(db)) for (const column of columns) await locked((trx) => addColumn(trx, column));
}

/**
 * Votes can be set aside: they stay recorded, and the counters of ballots, options, and headline figures leave them out.
 * Earlier votes keep null in the new columns. Nothing here changes a row.
 */
export async function up(knex: Knex): Promise<void> {
  const postgres = isPostgres(knex);
  for (const column of columns) await addColumn(knex, column);
  if (postgres) await knex.raw('alter table ballots add constraint ballots_held check (held_votes <= set_aside_votes)');

  await knex.schema.createTable('network_salts', (t) => {
    t.integer('week').primary().comment('ISO weeks since 1970');
    t.string('salt', 44).notNullable().comment('32 random bytes in base64');
    t.bigInteger('created_at').notNullable();
  });
  await knex.schema.createTable('ballot_secrets', (t) => {
    t.integer('ballot_key').primary().references('key').inTable('ballots').onDelete('CASCADE');
    t.string('secret', 44).notNullable().comment('32 random bytes in base64');
    t.bigInteger('after_id').notNullable().comment('all votes on the ballot have higher ids');
  });
  await knex.schema.createTable('vote_decisions', (t) => {
    t.increments('key');
    t.integer('ballot_key').notNullable().references('key').inTable('ballots').onDelete('CASCADE');
    t.integer('number').notNullable().comment('from 1 within its ballot');
    t.string('action', 16).notNullable().checkIn(['hold', 'set-aside'], 'vote_decisions_action');
    t.string('state', 16).notNullable().checkIn(['held', 'set-aside', 'released', 'expired'], 'vote_decisions_state');
    t.string('reason', 32).notNullable();
    t.bigInteger('votes').notNullable();
    t.text('cluster').notNullable().comment('JSON: criteria and evidence');
    t.bigInteger('first_id').notNullable().comment('the votes have ids from this one');
    t.bigInteger('last_id').notNullable().comment('to this one');
    t.string('made_by', 80).notNullable();
    t.bigInteger('made_at').notNullable();
    t.string('decided_by', 80).nullable();
    t.bigInteger('decided_at').nullable();
    t.bigInteger('expires_at').nullable().comment('of a hold');
    t.text('note').notNullable().defaultTo('');
    t.unique(['ballot_key', 'number'], { indexName: 'vote_decisions_number' });
    t.check('votes >= 0', [], 'vote_decisions_votes');
  });
  await knex.raw("create index vote_decisions_held on vote_decisions (expires_at) where state = 'held'");
  await knex.schema.createTable('integrity_actions', (t) => {
    t.increments('id');
    t.bigInteger('at').notNullable();
    t.string('actor', 80).notNullable();
    t.string('action', 16).notNullable();
    // The log outlives ballots and their decisions.
    t.integer('ballot_key').notNullable();
    t.string('ballot_id', 80).notNullable().comment('a key may be given again');
    t.integer('decision_key').nullable();
    t.string('reason', 32).nullable();
    t.bigInteger('votes').notNullable().defaultTo(0);
    t.text('note').notNullable().defaultTo('');
    t.index(['ballot_id', 'id'], 'integrity_actions_of_ballot');
  });
  for (const statement of postgres ? postgresAppendOnly : sqliteAppendOnly) await knex.raw(statement);

  await knex.schema.createTable('vote_erasures', (t) => {
    t.increments('id');
    t.bigInteger('done_id').notNullable().comment('votes up to this id are erased');
    t.bigInteger('last_id').notNullable().comment('the newest vote when the erasure began');
  });
  await knex.raw(
    'create index ballots_unerased on ballots (closed_at) where erased_at is null and closed_at is not null',
  );
}

type Column = readonly [table: string, name: string, definition: string];

/** In this order a vote takes eight bytes less on PostgreSQL. */
const columns: readonly Column[] = [
  ['votes', 'traits', 'smallint'],
  ['votes', 'decision_key', 'integer'],
  ['votes', 'network', 'bigint'],
  ['ballots', 'held_votes', 'bigint not null default 0 check (held_votes >= 0)'],
  ['ballots', 'set_aside_votes', 'bigint not null default 0 check (set_aside_votes >= 0)'],
  ['ballots', 'challenge', "varchar(4) not null default 'auto' check (challenge in ('auto', 'on', 'off'))"],
  ['ballots', 'challenged_until', 'bigint'],
  ['ballots', 'publish_ballots', 'boolean not null default true'],
  // When erasing networks, traits, and times of its votes began; its secret is deleted since then.
  ['ballots', 'erased_at', 'bigint'],
  ['ballot_options', 'set_aside', 'bigint not null default 0 check (set_aside >= 0)'],
  ['statistics', 'set_aside_votes', 'bigint not null default 0'],
];

async function addColumn(trx: Knex, [table, name, definition]: Column): Promise<void> {
  if (!(await trx.schema.hasColumn(table, name)))
    await trx.raw(`alter table ?? add column ?? ${definition}`, [table, name]);
}

const sqliteAppendOnly = ['update', 'delete'].map(
  (change) =>
    `create trigger integrity_actions_no_${change} before ${change} on integrity_actions
     begin select raise(abort, 'integrity_actions is append-only'); end`,
);

const postgresAppendOnly = [
  `create function integrity_actions_append_only() returns trigger language plpgsql as $$
   begin raise exception 'integrity_actions is append-only'; end $$`,
  `create trigger integrity_actions_append_only before update or delete on integrity_actions
   for each row execute function integrity_actions_append_only()`,
];

/** Works only while all votes are counted: earlier releases would count the others again. */
export async function down(knex: Knex): Promise<void> {
  if ((await knex('ballots').where('set_aside_votes', '>', 0).first('id')) !== undefined)
    throw new Error('Earlier releases would count votes that are set aside. Release them first, or restore a backup.');
  const postgres = isPostgres(knex);
  await knex.raw('drop index ballots_unerased');
  for (const table of ['vote_erasures', 'integrity_actions', 'vote_decisions', 'ballot_secrets', 'network_salts'])
    await knex.schema.dropTable(table);
  if (postgres) {
    await knex.raw('drop function integrity_actions_append_only');
    await knex.raw('alter table ballots drop constraint ballots_held');
  }
  for (const [table, name] of columns) await knex.raw('alter table ?? drop column ??', [table, name]);
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
