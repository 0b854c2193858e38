import { expect } from 'vitest';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { awardBadges } from '#api/members/badges/awards.service.ts';
import type { MemberEvent } from '#api/events/events.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { testNow } from './test-app.ts';

/** Awards every member’s badges, as their next visits do. */
export async function awardAll(db: Database, clock: Clock = fixedClock(testNow)): Promise<void> {
  for (const id of await db('users').orderBy('id').pluck('id')) await awardBadges({ db, clock }, id);
}

/** The events of a member of one type, oldest first: subject and details. */
export async function eventsOf(
  db: Database,
  userId: string,
  type: MemberEvent['type'] | 'comment.posted' | 'vote.cast' | 'poll.created',
): Promise<{ at: number; kind: string; subject: string; details: object }[]> {
  const rows = await db('events')
    .where({ member_id: userId, type })
    .orderBy(['at', 'id'])
    .select<{ at: number; kind: string; subject: string; after: string | null }[]>(
      ...['at', 'subject_kind as kind', 'subject', 'after'],
    );
  return rows.map(({ after, ...event }) => ({ ...event, details: JSON.parse(after ?? '{}') as object }));
}

/** The badges that a member holds, by key, sorted. */
export async function badgesOf(db: Database, userId: string): Promise<BadgeKey[]> {
  return (await db('badges').where({ user_id: userId }).pluck('badge_type')).sort();
}

/** Expects that no badge is left to award, and that every vote of a member, and every badge, has its event. */
export async function expectAllAwarded(db: Database): Promise<void> {
  const held = () => db('badges').orderBy(['user_id', 'badge_type']).select('user_id', 'badge_type');
  const before = await held();
  await awardAll(db);
  expect(await held(), 'badges that were not awarded').toEqual(before);
  for (const userId of await db('users').pluck('id')) {
    const votes = await db('votes as v')
      .join('ballots as b', 'b.key', 'v.ballot_key')
      .where('v.user_id', userId)
      .pluck<string[]>('b.id');
    const cast = (await eventsOf(db, userId, 'vote.cast')).map(({ subject }) => subject);
    expect(cast).toEqual(expect.arrayContaining(votes));
    const earned = (await eventsOf(db, userId, 'badge.earned')).map(({ subject }) => subject);
    expect(earned.sort()).toEqual(await badgesOf(db, userId));
  }
}
