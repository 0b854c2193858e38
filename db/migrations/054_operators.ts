import type { Knex } from 'knex';

/**
 * Members who are operators, and open invitations to become one; when a session's member last gave a password or passkey;
 * settings of the desk. The last owner can be neither removed nor demoted, however many try at once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('operators', (t) => {
    t.string('user_id', 40).primary().references('id').inTable('users').onDelete('CASCADE');
    t.string('role', 16).notNullable();
    t.bigInteger('created_at').notNullable();
    t.string('invited_by', 80).notNullable().comment('name at the time');
    t.check("role in ('owner', 'editor', 'moderator')", [], 'operators_role');
  });
  for (const statement of isPostgres(knex) ? postgresLastOwner : sqliteLastOwner) await knex.raw(statement);

  await knex.schema.createTable('operator_invitations', (t) => {
    t.increments('id');
    t.string('digest', 43).notNullable().unique({ indexName: 'operator_invitations_digest' });
    t.string('role', 16).notNullable();
    t.string('made_by', 80).notNullable().comment('name at the time');
    // What a former owner has handed out ends with the role.
    t.string('made_by_id', 40).nullable().references('user_id').inTable('operators').onDelete('CASCADE');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
    t.check("role in ('owner', 'editor', 'moderator')", [], 'operator_invitations_role');
    t.index(['made_by_id'], 'operator_invitations_maker');
  });

  await knex.schema.createTable('operator_settings', (t) => {
    t.string('name', 40).primary();
    t.text('value').notNullable();
  });

  await knex.schema.alterTable('sessions', (t) => {
    for (const name of confirmations) t.bigInteger(name).nullable();
  });
  // Moderators have names now.
  if (isPostgres(knex)) await knex.raw('alter table moderation_actions alter column actor type varchar(80)');
}

/** When the member of a session last gave a password, or a passkey, in milliseconds. */
const confirmations = ['password_at', 'passkey_at'];

const noOther = "not exists (select 1 from operators where role = 'owner' and user_id <> old.user_id)";

const sqliteLastOwner = [
  ['delete', 'delete', ''],
  ['update', 'update of role', "and new.role <> 'owner'"],
].map(
  ([name, event, condition]) =>
    `create trigger operators_last_owner_${name} before ${event} on operators
     when old.role = 'owner' ${condition} and ${noOther}
     begin select raise(abort, 'the last owner must stay'); end`,
);

const postgresLastOwner = [
  `create function operators_last_owner() returns trigger language plpgsql as $$
   begin
     if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') then
       perform pg_advisory_xact_lock(hashtextextended('owners', 0));
       if ${noOther} then raise exception 'the last owner must stay'; end if;
     end if;
     if tg_op = 'DELETE' then return old; end if;
     return new;
   end $$`,
  `create trigger operators_last_owner before delete or update of role on operators
   for each row execute function operators_last_owner()`,
];

export async function down(knex: Knex): Promise<void> {
  for (const table of ['operator_settings', 'operator_invitations', 'operators']) await knex.schema.dropTable(table);
  if (isPostgres(knex)) {
    await knex.raw('drop function operators_last_owner');
    await knex.raw('alter table moderation_actions alter column actor type varchar(16) using left(actor, 16)');
  }
  for (const name of confirmations) await knex.raw('alter table sessions drop column ??', [name]);
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
