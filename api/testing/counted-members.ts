import { expect } from 'vitest';
import type { BadgeKey } from '#contract/badges.ts';
import { badgeKeys } from '#contract/badges.ts';
import { catchUp } from '#api/activity/catch-up.service.ts';
import { eventOf } from '#api/activity/fact-row.ts';
import type { FactRow, KeptFact } from '#api/activity/fact-row.ts';
import { readProgress } from '#api/activity/counting.service.ts';
import { progressOf } from '#domain/badges/awards.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { testNow } from './test-app.ts';

/** Processes all pending events, as the service does at startup and periodically; an error fails the test. */
export async function caughtUp(db: Database, clock: Clock = fixedClock(testNow)): Promise<void> {
  const failures: unknown[] = [];
  const log = createLogger('test', { level: 'silent' });
  log.error = (failure: unknown) => void failures.push(failure);
  await catchUp({ db, clock, log });
  expect(failures, 'what could not be counted').toEqual([]);
}

/** The events of a member, oldest first; `name` filters by kind. */
export async function factsOf<Name extends KeptFact['fact']>(
  db: Database,
  userId: string,
  name?: Name,
): Promise<Extract<KeptFact, { fact: Name }>[]> {
  const rows = await db('facts')
    .where({ user_id: userId, ...(name !== undefined && { fact: name }) })
    .orderBy(['at', 'id'])
    .select<FactRow[]>();
  return rows.map((row) => eventOf(row) as Extract<KeptFact, { fact: Name }>);
}

/** A member’s stored progress. */
export async function figuresOf(db: Database, userId: string): Promise<Progress> {
  const [figures] = await db('progress').where({ user_id: userId }).pluck<string[]>('figures');
  const progress = figures === undefined ? null : readProgress(figures);
  if (!progress) throw new Error(`There are no figures of ${userId}.`);
  return progress;
}

/** The progress of each badge as shown to the member. */
export function shownFigures(progress: Progress): Record<BadgeKey, number> {
  return Object.fromEntries(badgeKeys.map((key) => [key, progressOf(key, progress).current])) as Record<
    BadgeKey,
    number
  >;
}

/** The sorted keys of a member’s badges. */
export async function badgesOf(db: Database, userId: string): Promise<BadgeKey[]> {
  return (await db('badges').where({ user_id: userId }).pluck<BadgeKey[]>('badge_type')).sort();
}

/** Expects that no events are pending and that every member’s badges, progress, and timeline match the events. */
export async function expectAllCounted(db: Database): Promise<void> {
  expect(await db('facts').where({ counted: false }), 'facts that are not counted').toEqual([]);
  expect(await db('votes').whereNotNull('user_id').where({ noted: false }), 'votes that are no facts').toEqual([]);
  for (const userId of await db('users').pluck<string[]>('id')) {
    const progress = await figuresOf(db, userId);
    const facts = await factsOf(db, userId);
    const count = (name: KeptFact['fact']) => facts.filter(({ fact }) => fact === name).length;
    const { votes, polls, comments, shares, openedPolls, acceptedInvites } = progress.counts;
    expect({ votes, polls, comments, shares, openedPolls, acceptedInvites }).toEqual({
      votes: count('vote_cast'),
      polls: count('poll_created'),
      comments: count('comment_posted'),
      shares: count('poll_shared'),
      openedPolls: count('poll_opened'),
      acceptedInvites: count('invite_accepted'),
    });
    expect(await badgesOf(db, userId)).toEqual([...progress.badges].sort());
    const shown = await db('activities')
      .where({ user_id: userId })
      .groupBy('activity_type')
      .count({ count: '*' })
      .select<{ activity_type: string; count: number | string }[]>('activity_type');
    const timeline = Object.fromEntries(shown.map((row) => [row.activity_type, Number(row.count)]));
    expect({ vote: 0, poll_created: 0, comment: 0, badge_earned: 0, ...timeline }).toEqual({
      vote: votes,
      poll_created: polls,
      comment: comments,
      badge_earned: progress.badges.length,
    });
    const days = await db('activity_days').where({ user_id: userId }).pluck<number[]>('count');
    expect(days.reduce((sum, one) => sum + one, 0)).toBe(votes + polls + comments);
  }
}
