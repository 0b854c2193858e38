import type { Knex } from 'knex';

/**
 * Devices, by a digest of the secret in their cookie and of the account, so that nothing joins the accounts of one browser.
 * From `known_from` on, wrong passwords from elsewhere don't concern a device; until then it waits for a second step.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('known_devices', (t) => {
    t.string('digest', 43).primary();
    t.string('user_id', 40)
      .notNullable()
      .references('id')
      .inTable('users')
      .onDelete('CASCADE')
      .index('devices_of_member');
    t.string('name', 40).nullable().comment('browser and system');
    t.bigInteger('known_from').notNullable();
    t.bigInteger('expires_at').notNullable().index('known_devices_expiry');
    t.string('code', 43).nullable().comment('digest of the mailed code');
    t.smallint('code_tries').notNullable().defaultTo(0);
    t.bigInteger('code_expires_at').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('known_devices');
}
