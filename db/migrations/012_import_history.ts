import type { Knex } from 'knex';

/**
 * What imports did, and what is needed to take the last one back. A partial unique index says that at most one import
 * writes, or is taken back, at a time, whatever the number of processes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('poll_imports', (t) => {
    t.bigIncrements('id');
    t.bigInteger('started_at').notNullable();
    t.bigInteger('finished_at').nullable();
    t.bigInteger('heartbeat_at').notNullable();
    t.string('origin', 16).notNullable().checkIn(['page', 'terminal'], 'poll_imports_origin');
    t.string('file_name', 255).nullable();
    t.string('mode', 16).notNullable();
    t.string('state', 16)
      .notNullable()
      .checkIn(['running', 'done', 'refused', 'stopped', 'undoing', 'undone'], 'poll_imports_state');
    t.boolean('busy').notNullable().defaultTo(false).comment('running or undoing');
    t.text('message').notNullable().defaultTo('');
    t.integer('inserted').notNullable().defaultTo(0);
    t.integer('updated').notNullable().defaultTo(0);
    t.integer('unchanged').notNullable().defaultTo(0);
    t.integer('rejected').notNullable().defaultTo(0);
    t.bigInteger('undone_at').nullable();
    t.integer('removed').notNullable().defaultTo(0).comment('by the undo');
    t.integer('restored').notNullable().defaultTo(0).comment('by the undo');
    t.integer('kept_voted').notNullable().defaultTo(0).comment('new polls that stay: people voted on them');
    t.integer('kept_changed').notNullable().defaultTo(0).comment('updated polls that stay: changed by hand since');
  });
  await knex.raw('create unique index poll_imports_one_busy on poll_imports (busy) where busy');

  await knex.schema.createTable('poll_import_images', (t) => {
    t.bigInteger('import_id').notNullable().references('id').inTable('poll_imports').onDelete('CASCADE');
    t.string('poll_id', 80).notNullable();
    t.text('before').nullable().comment('JSON of the poll as it was; null: there was none');
    t.integer('size').notNullable().comment('characters of the poll before and after');
    t.bigInteger('updated_at').notNullable().comment("the poll's after the import: another one is a later change");
    t.string('kept', 16).nullable().checkIn(['votes', 'changes'], 'poll_import_images_kept');
    t.primary(['import_id', 'poll_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('poll_import_images');
  await knex.schema.dropTableIfExists('poll_imports');
}
