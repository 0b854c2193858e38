import type { Knex } from 'knex';

/** Votes of others from which badges count a poll. */
const otherVotes = 5;

/**
 * Badges count polls on which enough others have voted. Recorded totals tell which polls have qualified so far, deleted
 * ones included; badges that were earned are kept. One event of each member is marked as not projected, so that the next
 * sweep computes all progress in the new format.
 *
 * The queue of moderators reads its pages, and the newest report of each thing, from indexes worded like its queries.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into facts (user_id, fact, subject, at, details)
     select created.user_id, 'own_poll_qualified', created.subject, voted.at, created.details
     from facts created
     join facts voted on voted.user_id = created.user_id and voted.fact = 'own_poll_voted'
       and voted.subject = created.subject
     where created.fact = 'poll_created' and voted.amount - (
       select count(*) from facts own
       where own.user_id = created.user_id and own.fact = 'vote_cast' and own.subject = created.subject
         and own.details not like '%"setAside":true%'
     ) >= ?`,
    [otherVotes],
  );
  await knex.raw("update facts set counted = false where fact = 'account_created'");
  await knex.raw('create index reports_handled on reports (created_at) where handled_at is not null');
  await knex.raw('create index reports_open_subjects on reports (kind, subject, id) where handled_at is null');
  await knex.raw('create index reports_handled_subjects on reports (kind, subject, id) where handled_at is not null');
}

export async function down(knex: Knex): Promise<void> {
  for (const index of ['reports_handled_subjects', 'reports_open_subjects', 'reports_handled'])
    await knex.raw(`drop index ${index}`);
  await knex.raw("delete from facts where fact = 'own_poll_qualified'");
  await knex.raw("update facts set counted = false where fact = 'account_created'");
}
