import type { Knex } from 'knex';

/**
 * Decisions whose votes are being marked before they take effect, or are still marked after they ended: such marks don’t
 * count. Refers to no table, because votes outlive their deleted ballot for a while, and with them their marks.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('unfinished_decisions', (t) => {
    t.integer('key').primary().comment('of the decision');
    t.integer('ballot_key').notNullable();
    t.boolean('is_staged').notNullable().comment('not in effect yet; otherwise over, or given up');
    t.bigInteger('after_id').notNullable().comment('votes with this mark have higher ids');
    t.bigInteger('last_id').notNullable().comment('up to this one');
    t.bigInteger('touched_at').notNullable().comment('when a vote was marked last');
  });
  await knex.raw(
    'create unique index unfinished_decisions_staged on unfinished_decisions (ballot_key) where is_staged',
  );
  // A reader who knows only the key before trusts the new one by it.
  await knex.schema.alterTable('vote_log_keys', (t) => {
    t.text('handover').nullable().comment('site-wide checkpoint that announces this key, signed by the one before');
  });
}

/** Removes the marks that don’t count: earlier releases would take them for those of a decision. */
export async function down(knex: Knex): Promise<void> {
  const marked = knex('votes').whereIn('decision_key', knex('unfinished_decisions').select('key'));
  await marked.update({ decision_key: null, noted: false });
  await knex.schema.dropTable('unfinished_decisions');
  await knex.raw('alter table vote_log_keys drop column handover');
}
