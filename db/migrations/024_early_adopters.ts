import type { Knex } from 'knex';

/** The password hash of accounts that nobody signs in to. */
const dummyHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const ninetyDays = 90 * 86_400_000;

/**
 * A sign-up says whether it was an early one, instead of how many members there were before: the date until which members
 * are early adopters is a setting. Earlier sign-ups get its default, 90 days after the first account, and the first
 * hundred, who were promised the badge, keep it.
 */
export async function up(knex: Knex): Promise<void> {
  // First of all: deleting an account locks users before facts.
  await knex.schema.alterTable('users', (t) => t.index(['created_at'], 'users_created_at'));
  const { client } = (knex.client as { config: Knex.Config }).config;
  const before = client === 'pg' ? "(details::json ->> 'membersBefore')::bigint" : "(details ->> 'membersBefore')";
  await knex.raw(
    `update facts set details = case
       when ${before} < 100 or at < (select min(created_at) from users where password <> ?) + ? then '{"early":true}'
       else '{"early":false}'
     end
     where fact = 'account_created'`,
    [dummyHash, ninetyDays],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => t.dropIndex(['created_at'], 'users_created_at'));
  await knex.raw(
    `update facts set details = case when details like '%true%' then '{"membersBefore":0}' else '{"membersBefore":100}' end
     where fact = 'account_created'`,
  );
}
