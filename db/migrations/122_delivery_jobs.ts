import type { Knex } from 'knex';

/** Deliveries of webhooks that wait are jobs; the table remains as what operators see of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into jobs (kind, key, lane, due_at, first_due_at, attempts)
    select 'delivery', cast(id as varchar(130)), webhook_id, due_at, created_at, attempts
    from webhook_deliveries where due_at is not null order by id
  `);
  await knex.raw('drop index webhook_deliveries_due');
  await knex.raw('alter table webhook_deliveries drop column due_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_deliveries add column due_at bigint');
  await knex.raw(`
    update webhook_deliveries set due_at = (
      select due_at from jobs where kind = 'delivery' and key = cast(webhook_deliveries.id as varchar(130))
    )
  `);
  await knex.raw('create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null');
  await knex('jobs').where({ kind: 'delivery' }).del();
}
