import type { Knex } from 'knex';

/** The links that members join private polls with; a poll has one at most, and a revoked one is deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('invite_links', (t) => {
    t.string('poll_id', 80).primary().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('digest', 43).notNullable().unique({ indexName: 'invite_links_digest' }).comment('SHA-256 of the secret');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
    t.integer('uses').notNullable().defaultTo(0);
    t.integer('max_uses').notNullable();
    t.check('uses between 0 and max_uses', [], 'invite_links_uses');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('invite_links');
}
