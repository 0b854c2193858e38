import { closing } from '#api/voting/ballots.service.ts';
import { countArchive } from '#api/polls/archive-counters.service.ts';
import { setTopics } from '#api/polls/topics/topics.service.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import type { Database } from '#platform/database.ts';
import { testNow } from './test-app.ts';

const day = 86_400_000;

/** The properties of a poll that a test sets; others have default values. Times in milliseconds. */
export interface PollSeed {
  readonly id: string;
  readonly question?: string;
  readonly category?: string | null;
  /** The imported votes of each option; their number is the number of options. */
  readonly votes?: readonly number[];
  readonly startsAt?: number;
  readonly endsAt?: number;
  readonly closedAt?: number | null;
  readonly isActive?: boolean;
  readonly author?: string | null;
  readonly summary?: string | null;
  readonly tags?: readonly string[];
  readonly series?: string;
}

/** Stores polls with their options (`o1`, `o2`, …), the first three offered, and keeps every counter exact. */
export async function seedPolls(db: Database, seeds: readonly PollSeed[]): Promise<void> {
  await db.transaction(async (trx) => {
    for (const seed of seeds) {
      const votes = seed.votes ?? [0, 0, 0];
      const total = votes.reduce((sum, count) => sum + count, 0);
      const startsAt = seed.startsAt ?? testNow - 7 * day;
      const { category = 'General' } = seed;
      const closedAt = seed.closedAt ?? null;
      await trx('ballots').insert({
        id: seed.id,
        kind: 'poll',
        is_active: seed.isActive ?? closedAt === null,
        category,
        starts_at: startsAt,
        ends_at: seed.endsAt ?? closedAt ?? testNow + 7 * day,
        closed_at: closedAt,
        base_votes: total,
        total_votes: total,
      });
      await trx('polls').insert({
        id: seed.id,
        question: seed.question ?? `What about ${seed.id}?`,
        description: `About ${seed.id}.`,
        tags: JSON.stringify(seed.tags ?? []),
        series: seed.series ?? null,
        author: seed.author ?? null,
        summary: seed.summary ?? null,
        created_at: startsAt,
        updated_at: startsAt,
      });
      await setTopics(trx, [{ id: seed.id, tags: seed.tags ?? [], series: seed.series ?? null, closedAt }]);
      for (const [index, count] of votes.entries()) {
        await trx('ballot_options').insert({
          ballot_id: seed.id,
          option_id: `o${index + 1}`,
          position: index,
          offered: index < 3,
          text: `Answer ${index + 1}`,
          base_votes: count,
          votes: count,
        });
      }
      await addTotals(trx, { total_votes: total, imported_votes: total, total_polls: 1 });
      if (closedAt !== null)
        await countArchive(trx, [closing({ id: seed.id, kind: 'poll', listed: true, category }, closedAt)]);
    }
  });
}
