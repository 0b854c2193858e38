import { expect, test } from 'vitest';
import { badgeKeys } from '#contract/badges.ts';
import { dayMs } from '#domain/badges/calendar.ts';
import { badges } from '#domain/badges/rules.ts';
import type { Database } from '#platform/database.ts';
import { arriving, naiveCounts, naiveBadges, randomHistory } from '#api/testing/badge-histories.ts';
import {
  badgesOf,
  projectAll,
  expectAllProjected,
  eventsOf,
  storedProgress,
  shownFigures,
} from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { addEvents, raiseTotals, recordEvent, rowOf } from './events.service.ts';
import type { RecordedEvent } from './events.service.ts';
import { projectMembers, recountMember } from './projector.service.ts';

const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);

async function record(db: Database, userId: string, event: RecordedEvent): Promise<void> {
  const row = rowOf(userId, event);
  await (row.amount === null ? addEvents(db, [row]) : raiseTotals(db, [row]));
}

/** Deletes everything that can be computed again. */
async function deleteProjection(db: Database): Promise<void> {
  for (const table of ['badges', 'activities', 'activity_days', 'progress']) await db(table).del();
  await db('facts').update({ counted: false });
}

const activeOn = (day: number): RecordedEvent => ({ type: 'day_active', at: testNow + day * dayMs });
const voteOn = (day: number): RecordedEvent => {
  const at = testNow + day * dayMs;
  const ballot = { ballotId: `b${at}`, kind: 'poll', category: null, ownPoll: false } as const;
  return { type: 'vote_cast', at, ...ballot, startsAt: at - dayMs, endsAt: null };
};

eachDatabase((open) => {
  test('[D7.3] random histories give the same badges and figures projected as they arrive, recounted, and counted naively', async () => {
    const { db } = await open();
    const random = seededRandom(40_002);
    const histories = new Map<string, RecordedEvent[]>();
    for (let n = 0; n < 6; n++) {
      const history = randomHistory(random, random.whole(20, 160)) as RecordedEvent[];
      histories.set(
        `member-${n}`,
        arriving(random, history, random.pick([0, 3_600_000, 40 * 3_600_000])) as RecordedEvent[],
      );
    }
    for (const id of histories.keys()) await seedMember(db, id);
    // Now and then some members are projected, alone or together.
    while ([...histories.values()].some((events) => events.length > 0)) {
      for (const [id, events] of histories)
        for (const event of events.splice(0, random.whole(0, 30))) await record(db, id, event);
      const some = [...histories.keys()].filter(() => random.chance(0.5));
      if (some.length > 0) await projectMembers(db, some);
    }
    await projectAll(db);
    await expectAllProjected(db);
    for (const id of histories.keys()) {
      const events = await eventsOf(db, id);
      const live = await storedProgress(db, id);
      const held = await badgesOf(db, id);
      expect(held).toEqual([...naiveBadges(events, categoryOfCore)].sort());
      for (const [key, count] of Object.entries(naiveCounts(events)))
        expect([id, key, shownFigures(live)[key as keyof typeof badges]]).toEqual([
          id,
          key,
          Math.min(count, badges[key as keyof typeof badges].target),
        ]);
      expect(await recountMember(db, id)).toEqual({ added: [], corrected: false });
      expect(shownFigures(await storedProgress(db, id))).toEqual(shownFigures(live));
      expect(await badgesOf(db, id)).toEqual(held);
    }
    const before = await db('badges').orderBy(['user_id', 'badge_type']).select('user_id', 'badge_type');
    await deleteProjection(db);
    await projectAll(db);
    await expectAllProjected(db);
    expect(await db('badges').orderBy(['user_id', 'badge_type']).select('user_id', 'badge_type')).toEqual(before);
  });

  test('a recount adds missing badges with their dates, and removes none', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    for (let day = 0; day < 8; day++) await recordEvent(db, 'anna', voteOn(day));
    await projectAll(db);
    const whole = await badgesOf(db, 'anna');
    expect(whole).toContain('streak_7');
    await db('badges').where({ badge_type: 'streak_7' }).del();
    await db('activities').where({ entity_id: 'streak_7' }).del();
    await db('badges').insert({ user_id: 'anna', badge_type: 'mega_poll', earned_at: testNow });
    // The figures of the badges that count badges were wrong.
    expect(await recountMember(db, 'anna')).toEqual({ added: ['streak_7'], corrected: true });
    expect(await badgesOf(db, 'anna')).toEqual([...whole, 'mega_poll'].sort());
    const [again] = await db('badges').where({ badge_type: 'streak_7' });
    expect(again.earned_at).toBe(testNow + 6 * dayMs);
    // A badge awarded by hand counts, too.
    expect((await storedProgress(db, 'anna')).badges).toContain('mega_poll');
    expect(await recountMember(db, 'anna')).toEqual({ added: [], corrected: false });
    expect(await recountMember(db, 'nobody')).toBeNull();
  });

  test('events that arrive months late are counted correctly', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    // Ten votes on one day arrive last, after votes on ten later days.
    for (let n = 0; n < 10; n++) await recordEvent(db, 'anna', voteOn(100 + 2 * n));
    await projectAll(db);
    const old = Array.from({ length: 10 }, (_, n) => ({
      ...voteOn(0),
      at: testNow + n,
      ballotId: `old-${n}`,
    }));
    for (const event of old) await recordEvent(db, 'anna', event);
    await projectAll(db);
    expect(shownFigures(await storedProgress(db, 'anna')).day_votes_10).toBe(10);
    expect(await badgesOf(db, 'anna')).toContain('day_votes_10');
    await expectAllProjected(db);
  });

  test('figures of another version are computed again, including new events', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    await recordEvent(db, 'anna', voteOn(0));
    await projectAll(db);
    await db('progress').update({ figures: JSON.stringify({ version: 0, whatever: true }) });
    await recordEvent(db, 'anna', voteOn(1));
    await projectAll(db);
    expect((await storedProgress(db, 'anna')).counts.votes).toBe(2);
    await expectAllProjected(db);
  });

  test('events recorded during recounts are not lost', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    for (let n = 0; n < 60; n++) await recordEvent(db, 'anna', activeOn(n));
    await projectAll(db);
    const more = Array.from({ length: 40 }, (_, n) => activeOn(60 + n));
    await Promise.all([
      ...more.map(async (event) => {
        await recordEvent(db, 'anna', event);
        await projectMembers(db, ['anna']);
      }),
      ...Array.from({ length: 5 }, () => recountMember(db, 'anna')),
    ]);
    expect((await storedProgress(db, 'anna')).days.longest).toBe(100);
    await expectAllProjected(db);
  });
});
