import { expect, test } from 'vitest';
import { badgeKeys } from '#contract/badges.ts';
import * as limits from '#contract/limits.ts';
import { dayMs } from '#domain/badges/calendar.ts';
import { badges } from '#domain/badges/catalogue.ts';
import type { Database } from '#platform/database.ts';
import { arriving, countedAnew, earnedAnew, randomHistory } from '#api/testing/badge-histories.ts';
import {
  badgesOf,
  caughtUp,
  expectAllCounted,
  factsOf,
  figuresOf,
  shownFigures,
} from '#api/testing/counted-members.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { countMembers } from './counting.service.ts';
import { rowOf } from './fact-row.ts';
import type { KeptFact } from './fact-row.ts';
import { addFacts, raiseTotals } from './facts.queries.ts';
import { recordFact } from './facts.service.ts';
import { recount } from './recount.service.ts';

const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);

async function keep(db: Database, userId: string, event: KeptFact): Promise<void> {
  const row = rowOf(userId, event);
  await (row.amount === null ? addFacts(db, [row]) : raiseTotals(db, [row]));
}

/** Takes away everything that can be counted anew. */
async function forget(db: Database): Promise<void> {
  for (const table of ['badges', 'activities', 'activity_days', 'progress']) await db(table).del();
  await db('facts').update({ counted: false });
}

const visit = (day: number, fact: 'day_active' | 'vote_cast' = 'day_active'): KeptFact => {
  const at = testNow + day * dayMs;
  if (fact === 'day_active') return { fact, at };
  const ballot = { ballotId: `b${at}`, kind: 'poll', category: null, ownPoll: false } as const;
  return { fact, at, ...ballot, startsAt: at - dayMs, endsAt: null };
};

eachDatabase((open) => {
  test('random lives: counted as they arrive, counted anew, and counted naively, badges and figures are the same', async () => {
    const { db } = await open();
    const random = seededRandom(40_002);
    const lives = new Map<string, KeptFact[]>();
    for (let n = 0; n < 6; n++) {
      const history = randomHistory(random, random.whole(20, 160)) as KeptFact[];
      lives.set(`member-${n}`, arriving(random, history, random.pick([0, 3_600_000, 40 * 3_600_000])) as KeptFact[]);
    }
    for (const id of lives.keys()) await seedMember(db, id);
    // The lives go on side by side, and now and then some members are counted, alone or together.
    while ([...lives.values()].some((facts) => facts.length > 0)) {
      for (const [id, facts] of lives)
        for (const event of facts.splice(0, random.whole(0, 30))) await keep(db, id, event);
      const some = [...lives.keys()].filter(() => random.chance(0.5));
      if (some.length > 0) await countMembers(db, some);
    }
    await caughtUp(db);
    await expectAllCounted(db);
    for (const id of lives.keys()) {
      const facts = await factsOf(db, id);
      const live = await figuresOf(db, id);
      const held = await badgesOf(db, id);
      expect(held).toEqual([...earnedAnew(facts, categoryOfCore)].sort());
      for (const [key, count] of Object.entries(countedAnew(facts)))
        expect([id, key, shownFigures(live)[key as keyof typeof badges]]).toEqual([
          id,
          key,
          Math.min(count, badges[key as keyof typeof badges].target),
        ]);
      expect(await recount(db, id)).toEqual({ added: [], corrected: false });
      expect(shownFigures(await figuresOf(db, id))).toEqual(shownFigures(live));
      expect(await badgesOf(db, id)).toEqual(held);
    }
    const before = await db('badges').orderBy(['user_id', 'badge_type']).select('user_id', 'badge_type');
    await forget(db);
    await caughtUp(db);
    await expectAllCounted(db);
    expect(await db('badges').orderBy(['user_id', 'badge_type']).select('user_id', 'badge_type')).toEqual(before);
  });

  test('a count of the whole history adds the badges that are missing, with their day, and takes none away', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    for (let day = 0; day < 8; day++) await recordFact(db, 'anna', visit(day, 'vote_cast'));
    await caughtUp(db);
    const whole = await badgesOf(db, 'anna');
    expect(whole).toContain('streak_7');
    await db('badges').where({ badge_type: 'streak_7' }).del();
    await db('activities').where({ entity_id: 'streak_7' }).del();
    await db('badges').insert({ user_id: 'anna', badge_type: 'mega_poll', earned_at: testNow });
    // Corrected is the figure of those badges that count badges.
    expect(await recount(db, 'anna')).toEqual({ added: ['streak_7'], corrected: true });
    expect(await badgesOf(db, 'anna')).toEqual([...whole, 'mega_poll'].sort());
    const [again] = await db('badges').where({ badge_type: 'streak_7' });
    expect(again.earned_at).toBe(testNow + 6 * dayMs);
    // The one that was handed out counts where badges are counted.
    expect((await figuresOf(db, 'anna')).badges).toContain('mega_poll');
    expect(await recount(db, 'anna')).toEqual({ added: [], corrected: false });
    expect(await recount(db, 'nobody')).toBeNull();
  });

  test('facts that come months late are counted right all the same', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    // Ten votes on one day long ago come last, after days that are far more than what is kept apart.
    for (let n = 0; n < limits.badgeWindowsKept + 2; n++) await recordFact(db, 'anna', visit(100 + 2 * n, 'vote_cast'));
    await caughtUp(db);
    const old = Array.from({ length: 10 }, (_, n) => ({
      ...visit(0, 'vote_cast'),
      at: testNow + n,
      ballotId: `old-${n}`,
    }));
    for (const event of old) await recordFact(db, 'anna', event);
    await caughtUp(db);
    expect(shownFigures(await figuresOf(db, 'anna')).day_votes_10).toBe(10);
    expect(await badgesOf(db, 'anna')).toContain('day_votes_10');
    await expectAllCounted(db);
  });

  test('figures of another version are counted anew, and what came meanwhile is counted after', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    await recordFact(db, 'anna', visit(0, 'vote_cast'));
    await caughtUp(db);
    await db('progress').update({ figures: JSON.stringify({ version: 0, whatever: true }) });
    await recordFact(db, 'anna', visit(1, 'vote_cast'));
    await caughtUp(db);
    expect((await figuresOf(db, 'anna')).counts.votes).toBe(2);
    await expectAllCounted(db);
  });

  test('counting goes on while a whole history is counted, and nothing is lost', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    for (let n = 0; n < 60; n++) await recordFact(db, 'anna', visit(n));
    await caughtUp(db);
    const more = Array.from({ length: 40 }, (_, n) => visit(60 + n));
    await Promise.all([
      ...more.map(async (event) => {
        await recordFact(db, 'anna', event);
        await countMembers(db, ['anna']);
      }),
      ...Array.from({ length: 5 }, () => recount(db, 'anna')),
    ]);
    expect((await figuresOf(db, 'anna')).days.longest).toBe(100);
    await expectAllCounted(db);
  });
});
