import { communityCategories } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';

const portion = 50;

/**
 * Stores `count` community polls of three options by ten members, one a minute up to now: eight in ten public, the
 * rest unlisted and private, one in a hundred featured, in all categories. Answers the ids of the public ones, newest
 * first.
 */
export async function makeCommunityPolls(
  db: Database,
  count: number,
  onProgress?: (done: number) => void,
): Promise<string[]> {
  const now = Date.now();
  const members = Array.from({ length: 10 }, (_, n) => `bench-member-${n}`);
  const polls = Array.from({ length: count }, (_, n) => ({
    id: `bench${n.toString(36).padStart(20, '0')}`,
    visibility: n % 10 === 8 ? 'unlisted' : n % 10 === 9 ? 'private' : 'public',
    category: n % 16 === 15 ? null : communityCategories[n % 16],
    featured: n % 100 === 0,
    createdBy: members[n % 7],
    createdAt: now - (count - n) * 60_000,
  }));
  await db.transaction(async (trx) => {
    await trx('users').insert(
      members.map((id) => ({ id, username: id, username_key: id, password: '', created_at: now, updated_at: now })),
    );
    for (let from = 0; from < count; from += portion) {
      const some = polls.slice(from, from + portion);
      await trx('ballots').insert(
        some.map(({ id, visibility, category, createdAt }) => ({
          id,
          kind: 'community',
          listed: visibility === 'public',
          in_totals: visibility === 'public',
          category,
          starts_at: createdAt,
        })),
      );
      await trx('ballot_options').insert(
        some.flatMap(({ id }) =>
          [1, 2, 3].map((n) => ({
            ballot_id: id,
            option_id: `option-${n}`,
            position: n - 1,
            text: `Answer number ${n}`,
          })),
        ),
      );
      await trx('community_polls').insert(
        some.map(({ id, visibility, category, featured, createdBy, createdAt }) => ({
          id,
          question: `Community poll ${id}: which of these should a city do first about its oldest streets?`,
          description: 'A poll that only the benchmark reads. It has a description of about the usual length.',
          visibility,
          category,
          featured,
          created_by: createdBy,
          created_at: createdAt,
          updated_at: createdAt,
        })),
      );
      onProgress?.(from + some.length);
    }
    const listed = polls.filter(({ visibility }) => visibility === 'public').length;
    await trx('statistics').where({ shard: 0 }).increment('total_polls', listed);
  });
  return polls
    .filter(({ visibility }) => visibility === 'public')
    .map(({ id }) => id)
    .reverse();
}
