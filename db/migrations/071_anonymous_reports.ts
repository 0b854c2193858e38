import type { Knex } from 'knex';

/** Readers without an account report, too; an email address that they leave is gone once the report is decided. */
export async function up(knex: Knex): Promise<void> {
  if (isPostgres(knex)) {
    await knex.raw('alter table reports alter column user_id drop not null');
    await knex.raw('alter table reports add column email varchar(254)');
    await knex.raw(`alter table reports add constraint reports_email check (${emailRule})`);
    return;
  }
  await rebuild(knex, (t) => {
    t.string('user_id', 40).nullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('email', 254).nullable();
    t.check(emailRule, [], 'reports_email');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('delete from reports where user_id is null');
  if (isPostgres(knex)) {
    await knex.raw('alter table reports drop column email');
    await knex.raw('alter table reports alter column user_id set not null');
    return;
  }
  await rebuild(
    knex,
    (t) => void t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE'),
  );
}

const emailRule = 'email is null or (user_id is null and handled_at is null)';

const kept = 'id, user_id, kind, subject, comment_id, poll_id, member_id, category, reason, created_at, handled_at';

/** Makes the table again with other columns for who reports, since SQLite changes no constraint. No table refers to it. */
async function rebuild(knex: Knex, reporter: (t: Knex.CreateTableBuilder) => void): Promise<void> {
  await knex.schema.createTable('reports_rebuilt', (t) => {
    t.bigIncrements('id');
    reporter(t);
    t.string('kind', 16).notNullable().checkIn(['comment', 'poll', 'member'], 'reports_kind');
    t.string('subject', 80).notNullable();
    t.string('comment_id', 40).nullable().references('id').inTable('comments').onDelete('CASCADE');
    t.string('poll_id', 80).nullable().references('id').inTable('community_polls').onDelete('CASCADE');
    t.string('member_id', 40).nullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('category', 16).notNullable().defaultTo('other');
    t.string('reason', 2_000).nullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('handled_at').nullable();
    t.check('subject = coalesce(comment_id, poll_id, member_id)', [], 'reports_subject');
  });
  await knex.raw(`insert into reports_rebuilt (${kept}) select ${kept} from reports`);
  await knex.schema.dropTable('reports');
  await knex.schema.renameTable('reports_rebuilt', 'reports');
  await knex.schema.alterTable('reports', (t) => {
    t.unique(['kind', 'subject', 'user_id'], { indexName: 'reports_once' });
    for (const column of ['user_id', 'comment_id', 'poll_id', 'member_id']) t.index(column, `reports_${column}`);
  });
  for (const [state, rule] of Object.entries({ open: 'is null', handled: 'is not null' })) {
    await knex.raw(`create index reports_${state} on reports (created_at) where handled_at ${rule}`);
    await knex.raw(`create index reports_${state}_subjects on reports (kind, subject, id) where handled_at ${rule}`);
  }
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
