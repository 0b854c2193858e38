import type { Knex } from 'knex';

/**
 * Addresses that hear about events, and what is to be sent to them. A row of `poll_openings` is written once per opening of
 * a ballot, so that of several processes one reports it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhooks', (t) => {
    t.string('id', 24).primary();
    t.string('url', 2_000).notNullable();
    t.string('events', 400).notNullable().comment('names, separated by spaces');
    t.string('secret', 80).notNullable().comment('signs deliveries, so it can’t be a digest');
    t.string('previous_secret', 80).nullable();
    t.bigInteger('previous_until').nullable().comment('until when the previous secret signs, too');
    t.string('paused_by', 16).nullable().checkIn(['operator', 'failures'], 'webhooks_paused_by');
    t.bigInteger('failing_since').nullable().comment('the first failure since the last success');
    t.bigInteger('created_at').notNullable();
    t.check('(previous_secret is null) = (previous_until is null)', [], 'webhooks_previous');
  });
  await knex.schema.createTable('webhook_deliveries', (t) => {
    t.bigIncrements('id');
    t.string('webhook_id', 24).notNullable().references('id').inTable('webhooks').onDelete('CASCADE');
    t.string('message_id', 40).notNullable();
    t.string('type', 40).notNullable();
    t.text('data').notNullable().comment('JSON');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('due_at').nullable().comment('null: delivered or given up');
    t.integer('attempts').notNullable().defaultTo(0);
    t.bigInteger('attempted_at').nullable();
    t.bigInteger('delivered_at').nullable();
    t.integer('status').nullable().comment('of the last response');
    t.integer('milliseconds').nullable();
    t.text('answer').nullable().comment('the beginning of the last response, or why there was none');
    t.index(['webhook_id', 'id'], 'webhook_deliveries_newest');
    t.index('created_at', 'webhook_deliveries_expiry');
  });
  await knex.raw('create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null');
  await knex.schema.createTable('poll_openings', (t) => {
    t.string('ballot_id', 80).primary().references('id').inTable('ballots').onDelete('CASCADE');
  });
  // One statement, where the first start would need many.
  await knex.raw(
    'insert into poll_openings (ballot_id) select id from ballots where closed_at is null and starts_at <= ?',
    [Date.now()],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['poll_openings', 'webhook_deliveries', 'webhooks']) await knex.schema.dropTable(table);
}
