import type { Knex } from 'knex';

/**
 * What creators decide about their community polls: who sees the results, whether comments are open, which are hidden, and
 * which members can't comment. And what they changed once a poll had votes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table community_polls add column result_visibility varchar(16) not null default 'after-voting'
     check (result_visibility in ('after-voting', 'always', 'after-end', 'creator'))`,
  );
  await knex.schema.alterTable('community_polls', (t) => {
    t.boolean('comments_open').notNullable().defaultTo(true);
    t.integer('wording').notNullable().defaultTo(0).comment('how often the texts were replaced before the first vote');
    t.bigInteger('edited_at').nullable().comment('of the newest row in community_poll_edits');
  });
  await knex.raw(`alter table comments add column hidden_by varchar(8) check (hidden_by in ('creator', 'operator'))`);
  await knex('comments').where('hidden', true).update({ hidden_by: 'operator' });

  await knex.schema.createTable('community_poll_edits', (t) => {
    t.bigIncrements('key');
    t.string('poll_id', 80).notNullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.bigInteger('edited_at').notNullable();
    t.text('changes').notNullable().comment('JSON array of {field, before, after}');
    t.index(['poll_id', 'key'], 'community_poll_edits_of_poll');
  });
  await knex.schema.createTable('member_blocks', (t) => {
    const member = (name: string) =>
      t.string(name, 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    member('blocker_id');
    member('blocked_id');
    t.bigInteger('blocked_at').notNullable();
    t.primary(['blocker_id', 'blocked_id']);
    t.index(['blocked_id'], 'member_blocks_blocked');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('member_blocks');
  await knex.schema.dropTable('community_poll_edits');
  for (const column of ['edited_at', 'wording', 'comments_open', 'result_visibility'])
    await knex.raw(`alter table community_polls drop column ${column}`);
  await knex.raw('alter table comments drop column hidden_by');
}
