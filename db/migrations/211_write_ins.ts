import type { Knex } from 'knex';

/**
 * Answers that voters write. Each has an option of its own, which is offered once the poll’s creator has approved it; until then
 * its text is in a table that no page reads. `added_after` is the newest vote at that moment: those up to it were cast without it.
 */
export async function up(knex: Knex): Promise<void> {
  for (const statement of [
    `alter table ballots add column write_ins boolean not null default false
       constraint ballots_write_ins check (not write_ins or (kind = 'community' and method = 'single'))`,
    `alter table ballot_options add column written varchar(8)
       constraint ballot_options_written check (written in ('waiting', 'approved', 'merged', 'rejected'))`,
    `alter table ballot_options add column decided_at bigint
       constraint ballot_options_decided check (written is null or (written = 'waiting') = (decided_at is null))`,
    'alter table ballot_options add column added_after bigint',
    `alter table ballot_options add column merged_into integer
       constraint ballot_options_merged check (
         written is null or ((written = 'merged') = (merged_into is not null) and (written = 'approved') = offered)
       )`,
    'create index ballot_options_decided on ballot_options (ballot_id, decided_at) where decided_at is not null',
    `create table write_ins (
       ballot_key integer not null,
       option_key integer not null primary key,
       decision_key integer not null,
       text text not null,
       text_key text not null,
       created_at bigint not null,
       constraint write_ins_ballot_key_foreign foreign key (ballot_key) references ballots(key) on delete cascade
     )`,
    'create unique index write_ins_text on write_ins (ballot_key, text_key)',
    'create unique index write_ins_decision on write_ins (decision_key)',
  ])
    await knex.raw(statement);
}

/** In SQL: Knex would rebuild SQLite’s tables. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table write_ins');
  await knex.raw('drop index ballot_options_decided');
  for (const column of ['merged_into', 'added_after', 'decided_at', 'written'])
    await knex.raw(`alter table ballot_options drop column ${column}`);
  await knex.raw('alter table ballots drop column write_ins');
}
