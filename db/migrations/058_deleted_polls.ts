import type { Knex } from 'knex';

/** Weekly polls that an operator deleted: their addresses say why or lead elsewhere, and no poll gets their ids again. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('deleted_polls', (t) => {
    t.string('id', 80).primary();
    t.bigInteger('deleted_at').notNullable();
    t.string('reason', 500).notNullable();
    t.string('redirect_to', 80).nullable().comment('the poll that the address leads to');
    t.check('redirect_to is null or redirect_to <> id', [], 'deleted_polls_redirect');
  });
  for (const statement of isPostgres(knex) ? postgres : sqlite) await knex.raw(statement);
}

const isDeleted = 'exists (select 1 from deleted_polls where id = new.id)';
const message = 'the id of a deleted poll';

const sqlite = [
  `create trigger polls_keep_deleted_ids before insert on polls when ${isDeleted} begin
     select raise(abort, '${message}');
   end`,
];

const postgres = [
  `create function polls_keep_deleted_ids() returns trigger language plpgsql as $$ begin
     if ${isDeleted} then raise exception '${message}'; end if;
     return new;
   end $$`,
  `create trigger polls_keep_deleted_ids before insert on polls for each row
   execute function polls_keep_deleted_ids()`,
];

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop trigger polls_keep_deleted_ids${isPostgres(knex) ? ' on polls' : ''}`);
  if (isPostgres(knex)) await knex.raw('drop function polls_keep_deleted_ids');
  await knex.schema.dropTable('deleted_polls');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
