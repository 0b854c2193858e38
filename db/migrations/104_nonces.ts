import type { Knex } from 'knex';

/**
 * What a voter's browser contributed to the receipt of a vote, 16 bytes; null for votes from before, whose receipts have no
 * such part. It is deleted with the secret of the poll.
 */
export async function up(knex: Knex): Promise<void> {
  const isPostgres = (knex.client as { config: Knex.Config }).config.client === 'pg';
  await knex.raw(`alter table votes add column nonce ${isPostgres ? 'uuid' : 'blob'}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table votes drop column nonce');
}
