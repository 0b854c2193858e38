import type { Knex } from 'knex';

/** The next digest of a member is a job. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into jobs (kind, key, user_id, due_at, first_due_at)
    select 'digest', user_id, user_id, digest_due_at, digest_due_at
    from notification_readers where digest is not null and digest_due_at is not null
  `);
  await knex.schema.alterTable('notification_readers', (t) =>
    t.dropIndex(['digest_due_at'], 'notification_readers_digest'),
  );
  await knex.raw('alter table notification_readers drop column digest_due_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('notification_readers', (t) => {
    t.bigInteger('digest_due_at').nullable();
    t.index(['digest_due_at'], 'notification_readers_digest');
  });
  await knex.raw(`
    update notification_readers
    set digest_due_at = (select due_at from jobs where kind = 'digest' and jobs.user_id = notification_readers.user_id)
  `);
  await knex('jobs').where({ kind: 'digest' }).del();
}
