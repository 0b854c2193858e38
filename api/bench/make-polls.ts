import { countIntoArchive } from '#api/polls/archive.service.ts';
import type { Database } from '#platform/database.ts';

const day = 86_400_000;
const categories = ['climate', 'technology', 'work', 'health', 'education', 'cities'];

/** Stores `count` polls of four answers, open or closed, and answers their ids. */
export async function makePolls(db: Database, count: number, state: 'open' | 'closed'): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `${state}-poll-${n + 1}`);
  const now = Date.now();
  await db.transaction(async (trx) => {
    for (const [n, id] of ids.entries()) {
      const closedAt = state === 'closed' ? now - (n + 1) * 3_600_000 : null;
      const startsAt = (closedAt ?? now) - 7 * day;
      const base = [0, 1, 2, 3].map((option) => (closedAt === null ? 0 : ((n * 7 + option * 13) % 97) * 11));
      const total = base.reduce((sum, votes) => sum + votes, 0);
      await trx('ballots').insert({
        id,
        kind: 'poll',
        is_active: closedAt === null,
        category: categories[n % categories.length],
        starts_at: startsAt,
        ends_at: closedAt ?? now + 365 * day,
        closed_at: closedAt,
        base_votes: total,
        total_votes: total,
      });
      await trx('polls').insert({
        id,
        question: `Benchmark poll ${n + 1}: which of these should a city do first about its oldest streets?`,
        description: `One of ${count} polls that only the benchmark reads. It has a description of about the usual length.`,
        tags: JSON.stringify(['benchmark', categories[n % categories.length]]),
        author: 'The benchmark',
        summary: closedAt === null ? null : `Poll ${n + 1} is closed; ${total} votes were made up for it.`,
        analysis: closedAt === null ? null : `<h3>What it shows</h3><p>${'Nothing about anyone. '.repeat(40)}</p>`,
        created_at: startsAt,
        updated_at: startsAt,
      });
      for (const [position, votes] of base.entries()) {
        await trx('ballot_options').insert({
          ballot_id: id,
          option_id: `option-${position + 1}`,
          position,
          offered: position < 3,
          text: `Answer number ${position + 1}`,
          base_votes: votes,
          votes,
        });
      }
      await trx('statistics').where({ shard: 0 }).increment({ total_votes: total, total_polls: 1 });
    }
    if (state === 'closed') await countIntoArchive(trx, categories);
  });
  return ids;
}
