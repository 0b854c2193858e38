import type { Knex } from 'knex';

/**
 * Drafts of weekly polls, in a table of their own so that nothing public can show one, and earlier texts of published
 * polls. Neither refers to `polls`: a draft may be of a poll that isn't published yet, and versions outlive unpublishing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('poll_drafts', (t) => {
    t.string('id', 80).primary().comment('the id that the poll has, or will have');
    t.integer('version').notNullable().comment('grows by one with each save');
    t.text('question').notNullable().comment('for lists and searches; also in content');
    t.text('content').notNullable().comment('JSON, see PollContent');
    t.text('base').nullable().comment('what was published when the draft was begun; null: nothing');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('changed_at').notNullable();
    t.string('changed_by', 200).notNullable();
    t.check('version > 0', [], 'poll_drafts_version');
  });
  await knex.raw('create index poll_drafts_newest on poll_drafts (changed_at, id)');
  await knex.schema.createTable('poll_versions', (t) => {
    t.string('poll_id', 80).notNullable();
    t.integer('number').notNullable();
    t.text('content').notNullable().comment('JSON, see PollContent');
    t.bigInteger('created_at').notNullable();
    t.string('created_by', 200).nullable().comment('null: by an import, or unknown');
    t.primary(['poll_id', 'number']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('poll_versions');
  await knex.schema.dropTable('poll_drafts');
}
