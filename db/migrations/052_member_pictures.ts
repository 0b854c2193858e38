import type { Knex } from 'knex';

/** Uploaded pictures of members; addresses of pictures on other sites, which readers’ browsers loaded, are dropped. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('member_pictures', (t) => {
    t.string('user_id', 40).primary().references('id').inTable('users').onDelete('CASCADE');
    t.string('hash', 43).notNullable().comment('SHA-256 of the content, base64url');
    t.binary('content').notNullable().comment('WebP');
    t.index(['hash'], 'member_pictures_hash');
  });
  await dropAddresses(knex);
}

export async function down(knex: Knex): Promise<void> {
  await dropAddresses(knex);
  await knex.schema.dropTable('member_pictures');
}

async function dropAddresses(knex: Knex): Promise<void> {
  await knex('users').whereNotNull('profile_image_url').update({ profile_image_url: null });
}
