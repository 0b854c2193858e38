import type { Knex } from 'knex';

/** Replies to comments, which become comments of their own when the one they answer is deleted, and edited comments. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table comments add column reply_to varchar(40) null references comments (id) on delete set null',
  );
  await knex.raw('alter table comments add column edited_at bigint null');
  // What a page lists, and with all columns that decide which replies are shown.
  await knex.raw('create index comments_of_poll_first on comments (poll_id, created_at, id) where reply_to is null');
  await knex.raw(
    `create index comments_replies on comments (reply_to, created_at, id, hidden, hidden_by)
     where reply_to is not null`,
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const index of ['comments_replies', 'comments_of_poll_first']) await knex.raw(`drop index ${index}`);
  for (const column of ['edited_at', 'reply_to']) await knex.raw(`alter table comments drop column ${column}`);
}
