import type { Knex } from 'knex';

/** Counters of attempts on passwords and the like, for limits that hold across processes. Keys are digests. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('attempts', (t) => {
    t.string('key', 43).primary();
    t.integer('used').notNullable();
    t.bigInteger('resets_at').notNullable();
    t.index(['resets_at'], 'attempts_resets_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('attempts');
}
