import type { Knex } from 'knex';
import { recordVotes } from './130_member_events.ts';

/** Members’ votes that were held from the start were not recorded. */
export async function up(knex: Knex): Promise<void> {
  await recordVotes(
    knex,
    `(select v.* from vote_decisions d
      join votes v on v.id between d.first_id and d.last_id and v.ballot_key = d.ballot_key
      where d.reason = 'unchecked-browser' and v.user_id is not null)`,
  );
}

export async function down(): Promise<void> {
  // Earlier processes read these events like those of other votes.
}
