import type { Knex } from 'knex';

/** One-time codes for members who have lost their password; a used code is deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('recovery_codes', (t) => {
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.smallint('position').notNullable().checkBetween([1, 8], 'recovery_codes_position');
    t.string('digest', 43).notNullable().comment('SHA-256 of account and code');
    t.primary(['user_id', 'position']);
    t.unique(['user_id', 'digest'], { indexName: 'recovery_codes_digest' });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('recovery_codes');
}
