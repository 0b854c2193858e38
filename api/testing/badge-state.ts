import { expect } from 'vitest';
import type { BadgeKey } from '#contract/badges.ts';
import { badgeKeys } from '#contract/badges.ts';
import { projectPending } from '#api/badges/activity.service.ts';
import { eventOf } from '#api/badges/events.service.ts';
import type { EventRow, RecordedEvent } from '#api/badges/events.service.ts';
import { readProgress } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { progressOf } from '#domain/badges/rules.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { testNow } from './test-app.ts';

/** Projects everything that is pending, as the service does at its start; a logged failure fails the test. */
export async function projectAll(db: Database, clock: Clock = fixedClock(testNow)): Promise<void> {
  const failures: unknown[] = [];
  const log = createLogger('test', { level: 'silent' });
  log.error = (failure: unknown) => void failures.push(failure);
  await projectPending({ db, clock, log });
  expect(failures, 'what could not be projected').toEqual([]);
}

/** The events of a member, oldest first, or those of one type. */
export async function eventsOf<Type extends RecordedEvent['type']>(
  db: Database,
  userId: string,
  type?: Type,
): Promise<Extract<RecordedEvent, { type: Type }>[]> {
  const rows = await db('facts')
    .where({ user_id: userId, ...(type !== undefined && { fact: type }) })
    .orderBy(['at', 'id'])
    .select<EventRow[]>();
  return rows.map((row) => eventOf(row) as Extract<RecordedEvent, { type: Type }>);
}

/** A member’s progress as it is stored. */
export async function storedProgress(db: Database, userId: string): Promise<Progress> {
  const [figures] = await db('progress').where({ user_id: userId }).pluck<string[]>('figures');
  const progress = figures === undefined ? null : readProgress(figures);
  if (!progress) throw new Error(`${userId} has no progress.`);
  return progress;
}

/** The figure the tracker shows for each badge. */
export function shownFigures(progress: Progress): Record<BadgeKey, number> {
  return Object.fromEntries(badgeKeys.map((key) => [key, progressOf(key, progress).current])) as Record<
    BadgeKey,
    number
  >;
}

/** The badges that a member holds, by key, sorted. */
export async function badgesOf(db: Database, userId: string): Promise<BadgeKey[]> {
  return (await db('badges').where({ user_id: userId }).pluck<BadgeKey[]>('badge_type')).sort();
}

/** Expects that nothing is pending, and that badges, figures, and timeline of every member agree with the events. */
export async function expectAllProjected(db: Database): Promise<void> {
  expect(await db('facts').where({ counted: false }), 'events that are not projected').toEqual([]);
  expect(await db('votes').whereNotNull('user_id').where({ noted: false }), 'votes that are not recorded').toEqual([]);
  for (const userId of await db('users').pluck<string[]>('id')) {
    const progress = await storedProgress(db, userId);
    const events = await eventsOf(db, userId);
    const count = (type: RecordedEvent['type']) => events.filter((event) => event.type === type).length;
    const { votes, polls, qualifiedPolls, comments, shares, openedPolls, acceptedInvites } = progress.counts;
    const counted = (type: RecordedEvent['type']) =>
      events.filter((event) => event.type === type && !('setAside' in event)).length;
    expect({ votes, polls, qualifiedPolls, comments, shares, openedPolls, acceptedInvites }).toEqual({
      votes: counted('vote_cast'),
      polls: count('poll_created'),
      qualifiedPolls: counted('own_poll_qualified'),
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
      vote: count('vote_cast'),
      poll_created: polls,
      comment: comments,
      badge_earned: progress.badges.length,
    });
    const days = await db('activity_days').where({ user_id: userId }).pluck<number[]>('count');
    expect(days.reduce((sum, one) => sum + one, 0)).toBe(count('vote_cast') + polls + comments);
  }
}
