import type { Knex } from 'knex';

/**
 * A sign-up says whether it was an early one, instead of how many members there were before: the date until which members
 * are early adopters is a setting. The first hundred, who were promised the badge, stay early adopters.
 */
export async function up(knex: Knex): Promise<void> {
  const { client } = (knex.client as { config: Knex.Config }).config;
  const before = client === 'pg' ? "(details::json ->> 'membersBefore')::bigint" : "(details ->> 'membersBefore')";
  await knex.raw(
    `update facts set details = case when ${before} < 100 then '{"early":true}' else '{"early":false}' end
     where fact = 'account_created'`,
  );
  await knex.schema.alterTable('users', (t) => t.index(['created_at'], 'users_created_at'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => t.dropIndex(['created_at'], 'users_created_at'));
  await knex.raw(
    `update facts set details = case when details like '%true%' then '{"membersBefore":0}' else '{"membersBefore":100}' end
     where fact = 'account_created'`,
  );
}
