import { countIntoArchive } from '#api/polls/polls.service.ts';
import { setTopics } from '#api/topics/topics.service.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';

const portion = 50;
const day = 86_400_000;
const categories = ['climate', 'technology', 'work', 'health', 'education', 'cities'];
const tagsOf = (category: string) => ['benchmark', category];

/** Stores `count` polls with four answers, open or closed, and returns their ids. */
export async function makePolls(
  db: Database,
  count: number,
  state: 'open' | 'closed',
  onProgress?: (done: number) => void,
): Promise<string[]> {
  const now = Date.now();
  const polls = Array.from({ length: count }, (_, n) => {
    const closedAt = state === 'closed' ? now - (n + 1) * 3_600_000 : null;
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
    for (let from = 0; from < count; from += portion) {
      const some = polls.slice(from, from + portion);
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
      onProgress?.(from + some.length);
    }
    const votes = polls.reduce((sum, { total }) => sum + total, 0);
    await addTotals(trx, { total_votes: votes, imported_votes: votes, total_polls: count });
    if (state === 'closed')
      await countIntoArchive(
        trx,
        polls.map(({ category }) => category),
      );
  });
  return polls.map(({ id }) => id);
}

/**
 * Stores `count` community polls with three options by ten members, one per minute up to now: eight in ten public, the
 * rest unlisted or private, one in a hundred featured, in all categories. Returns the ids of the public ones, newest
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
    // In another order than they were created.
    endsAt: n % 4 === 3 ? null : now + (1 + ((n * 7_919) % count)) * day,
  }));
  await db.transaction(async (trx) => {
    await trx('users').insert(
      members.map((id) => ({ id, username: id, username_key: id, password: '', created_at: now, updated_at: now })),
    );
    for (let from = 0; from < count; from += portion) {
      const some = polls.slice(from, from + portion);
      await trx('ballots').insert(
        some.map(({ id, visibility, category, createdAt, endsAt }) => ({
          id,
          kind: 'community',
          listed: visibility === 'public',
          in_totals: visibility === 'public',
          category,
          starts_at: createdAt,
          ends_at: endsAt,
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
    await addTotals(trx, { total_polls: listed });
  });
  return polls
    .filter(({ visibility }) => visibility === 'public')
    .map(({ id }) => id)
    .reverse();
}

const commentsAtOnce = 100;

/**
 * Stores `count` comments on a poll of {@link makeCommunityPolls}, one per second up to now, by its members; one in
 * fifty is hidden. Returns the ids of the visible ones, newest first.
 */
export async function makeComments(
  db: Database,
  pollId: string,
  count: number,
  onProgress?: (done: number) => void,
): Promise<string[]> {
  const now = Date.now();
  const members = await db('users').orderBy('id').pluck<string[]>('id');
  const rows = Array.from({ length: count }, (_, n) => {
    const at = now - (count - n) * 1_000;
    return {
      // Of the form that the service gives its ids (api/comments/comment.model), without their randomness.
      id: at.toString(36).padStart(9, '0') + n.toString(36).padStart(19, '0'),
      poll_id: pollId,
      user_id: members[n % members.length],
      content: `Comment ${n}. ${'It has a few sentences, as comments do. '.repeat(n % 10)}`.trim(),
      hidden: n % 50 === 49,
      created_at: at,
      updated_at: at,
    };
  });
  const shown = rows.filter(({ hidden }) => !hidden).map(({ id }) => id);
  await db.transaction(async (trx) => {
    for (let from = 0; from < count; from += commentsAtOnce) {
      await trx('comments').insert(rows.slice(from, from + commentsAtOnce));
      onProgress?.(Math.min(from + commentsAtOnce, count));
    }
    await trx('community_polls').where({ id: pollId }).increment('comment_count', shown.length);
  });
  return shown.reverse();
}
