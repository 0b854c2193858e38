import { closing } from '#api/voting/ballots.service.ts';
import { countArchive } from '#api/polls/archive-counters.service.ts';
import { setTopics } from '#api/polls/topics/topics.service.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import type { Database } from '#platform/database.ts';

const batch = 50;
const day = 86_400_000;
const categories = ['climate', 'technology', 'work', 'health', 'education', 'cities'];
const tagsOf = (category: string) => ['benchmark', category];

/** Stores `count` polls with four answers, open or closed, and returns their ids. */
export async function makePolls(
  db: Database,
  count: number,
  state: 'open' | 'closed',
  now = Date.now(),
): Promise<string[]> {
  // Up to three years back.
  const between = Math.min(3_600_000, Math.floor((3 * 365 * day) / count));
  const polls = Array.from({ length: count }, (_, n) => {
    const closedAt = state === 'closed' ? now - (n + 1) * between : null;
    const base = [0, 1, 2, 3].map((option) => (closedAt === null ? 0 : ((n * 7 + option * 13) % 97) * 11));
    return {
      id: `${state}-poll-${n + 1}`,
      n,
      category: categories[n % categories.length] ?? '',
      closedAt,
      startsAt: (closedAt ?? now) - 7 * day,
      base,
      total: base.reduce((sum, votes) => sum + votes, 0),
    };
  });
  await db.transaction(async (trx) => {
    for (let from = 0; from < count; from += batch) {
      const some = polls.slice(from, from + batch);
      await trx('ballots').insert(
        some.map(({ id, category, closedAt, startsAt, total }) => ({
          id,
          kind: 'poll',
          is_active: closedAt === null,
          category,
          starts_at: startsAt,
          ends_at: closedAt ?? now + 365 * day,
          closed_at: closedAt,
          base_votes: total,
          total_votes: total,
        })),
      );
      await trx('polls').insert(
        some.map(({ id, n, category, closedAt, startsAt, total }) => ({
          id,
          question: `Benchmark poll ${n + 1}: which of these should a city do first about its oldest streets?`,
          description: `One of ${count} polls that only the benchmark reads. It has a description of about the usual length.`,
          tags: JSON.stringify(tagsOf(category)),
          author: 'The benchmark',
          summary: closedAt === null ? null : `Poll ${n + 1} is closed; ${total} votes were made up for it.`,
          analysis: closedAt === null ? null : `<h3>What it shows</h3><p>${'Nothing about anyone. '.repeat(40)}</p>`,
          created_at: startsAt,
          updated_at: startsAt,
        })),
      );
      await trx('ballot_options').insert(
        some.flatMap(({ id, base }) =>
          base.map((votes, position) => ({
            ballot_id: id,
            option_id: `option-${position + 1}`,
            position,
            offered: position < 3,
            text: `Answer number ${position + 1}`,
            base_votes: votes,
            votes,
          })),
        ),
      );
      await setTopics(
        trx,
        some.map(({ id, category, closedAt }) => ({ id, tags: tagsOf(category), series: null, closedAt })),
      );
    }
    const votes = polls.reduce((sum, { total }) => sum + total, 0);
    await countArchive(
      trx,
      polls.flatMap(({ id, category, closedAt }) =>
        closedAt === null ? [] : closing({ id, kind: 'poll', listed: true, category }, closedAt),
      ),
    );
    await addTotals(trx, { total_votes: votes, imported_votes: votes, total_polls: count });
  });
  return polls.map(({ id }) => id);
}
