import type { Knex } from 'knex';

/** Nothing reads or writes these tables of 0.3.0. */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['site_releases', 'network_salts']) await knex.schema.dropTable(table);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('site_releases', (table) => {
    table.string('id', 40).primary();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('published_at').nullable();
    table.integer('pages').notNullable();
    table.bigInteger('bytes').notNullable();
    table.boolean('is_current').notNullable().defaultTo(false);
  });
  await knex.raw('create unique index site_releases_one_current on site_releases (is_current) where is_current');
  await knex.schema.createTable('network_salts', (table) => {
    table.integer('week').primary();
    table.string('salt', 44).notNullable();
    table.bigInteger('created_at').notNullable();
  });
}
