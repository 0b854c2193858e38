import { expect } from 'vitest';
import type { Visibility } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { testNow } from './test-app.ts';

/** The properties of a community poll that a test about comments sets. */
export interface DiscussedPoll {
  readonly id: string;
  readonly createdBy: string | null;
  readonly question?: string;
  readonly visibility?: Visibility;
  /** The ids of invited members. */
  readonly guests?: readonly string[];
  readonly closedAt?: number;
}

/** Stores a community poll without votes. */
export async function seedDiscussedPoll(db: Database, poll: DiscussedPoll): Promise<void> {
  const { id, createdBy, question = `What about ${id}?`, visibility = 'public', guests = [], closedAt = null } = poll;
  const createdAt = testNow - 86_400_000;
  const isPublic = visibility === 'public';
  const ballot = { id, kind: 'community' as const, listed: isPublic, in_totals: isPublic, starts_at: createdAt };
  await db('ballots').insert({ ...ballot, is_active: closedAt === null, closed_at: closedAt });
  await db('community_polls').insert({
    id,
    question,
    visibility,
    created_by: createdBy,
    created_at: createdAt,
    updated_at: createdAt,
  });
  for (const userId of guests)
    await db('community_poll_guests').insert({ poll_id: id, user_id: userId, invited_at: createdAt });
}

/** Stores a member of which a test needs only the id. */
export async function seedMember(db: Database, id: string): Promise<void> {
  const at = { created_at: testNow, updated_at: testNow };
  await db('users').insert({ id, username: id, username_key: id.toLowerCase(), password: '', ...at });
}

/** Expects every poll’s counter to equal the number of its visible comments. */
export async function expectExactCommentCounts(db: Database): Promise<void> {
  const { wrongCounters } = await reconcile(db);
  const wrong = wrongCounters.filter(({ counter }) => counter.startsWith('comments of '));
  expect(wrong, 'polls whose comment_count is not the number of comments shown').toEqual([]);
}
