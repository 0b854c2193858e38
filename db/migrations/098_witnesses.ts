import type { Knex } from 'knex';

/** Cosignatures of this site’s log by witnesses, and what this site, as a witness, has cosigned of other logs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('vote_log_cosignatures', (t) => {
    t.integer('log_key').notNullable().comment('of the site-wide log');
    t.string('witness', 500).notNullable().comment('its verifier key');
    t.bigInteger('size').notNullable().defaultTo(0).comment('of the newest checkpoint that it cosigned');
    t.text('note').nullable().comment('that checkpoint with its cosignature only; null: none yet');
    t.integer('failures').notNullable().defaultTo(0).comment('attempts since it cosigned last');
    t.bigInteger('failing_since').nullable();
    t.bigInteger('due_at').notNullable().defaultTo(0).comment('no attempt before');
    t.text('problem').nullable().comment('why the last attempt failed');
    t.primary(['log_key', 'witness']);
  });
  // A signed checkpoint is compared with this row and then stored here, before it is cosigned.
  await knex.schema.createTable('witnessed_logs', (t) => {
    t.string('origin', 255).primary();
    t.bigInteger('size').notNullable();
    t.string('root', 44).notNullable().comment('32 bytes in base64');
    t.text('note').nullable().comment('with the signatures of the log that were verified; null: none yet');
    t.bigInteger('cosigned_at').notNullable().comment('seconds since 1970, which are part of the cosignature');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('witnessed_logs');
  await knex.schema.dropTable('vote_log_cosignatures');
}
