import { describe, expect, test } from 'vitest';
import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import { arriving, countedAnew, earnedAnew, randomHistory } from '#api/testing/badge-histories.ts';
import { stories, vote } from '#api/testing/badge-stories.ts';
import { seededRandom } from '#api/testing/random.ts';
import { earnedAfter, progressOf, recordFact } from './awards.ts';
import { badges } from './catalogue.ts';
import type { FactEvent } from './facts.ts';
import { noProgress, reduce } from './progress.ts';
import type { Progress } from './progress.ts';

const seeds = Array.from({ length: 40 }, (_, index) => 1_000 + index);
const hour = 3_600_000;
const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);

/** What the live engine does: a fact, its badges, the next fact; stored as JSON in between. */
function lived(
  history: readonly FactEvent[],
  each?: (progress: Progress, earned: readonly BadgeKey[]) => void,
): Progress {
  let progress = noProgress;
  for (const fact of history) {
    const step = recordFact(progress, fact);
    progress = JSON.parse(JSON.stringify(step.progress)) as Progress;
    each?.(progress, step.earned);
  }
  return progress;
}

describe.each(seeds)('in the random life %i', (seed) => {
  const random = seededRandom(seed);
  const history = randomHistory(random, random.whole(1, 700));
  const live = lived(history);

  test('badges earned one by one are those that a count of the whole history gives', () => {
    expect(live.badges.toSorted()).toEqual([...earnedAnew(history, categoryOfCore)].sort());
  });

  test('asking once at the end gives the same badges as asking after every fact', () => {
    const atOnce = history.reduce(reduce, noProgress);
    expect(earnedAfter(atOnce).toSorted()).toEqual(live.badges.toSorted());
  });

  test('every progress is exactly what happened, up to the target', () => {
    for (const [key, count] of Object.entries(countedAnew(history)) as [BadgeKey, number][]) {
      const { target } = badges[key];
      expect([key, progressOf(key, live).current]).toEqual([key, Math.min(count, target)]);
    }
  });

  test('facts that arrive up to two days late, in any order, change nothing', () => {
    const disorder = lived(arriving(random, history, random.pick([hour, 12 * hour, 48 * hour])));
    expect(disorder.badges.toSorted()).toEqual(live.badges.toSorted());
    for (const key of badgeKeys) expect([key, progressOf(key, disorder)]).toEqual([key, progressOf(key, live)]);
  });

  test('no badge is earned twice or lost, and no progress goes back', () => {
    let held: readonly BadgeKey[] = [];
    let figures = badgeKeys.map(() => 0);
    lived(arriving(random, history, 12 * hour), (progress, earned) => {
      expect(progress.badges).toEqual([...held, ...earned]);
      expect(earned.filter((key) => held.includes(key))).toEqual([]);
      held = progress.badges;
      const next = badgeKeys.map((key) => progressOf(key, progress).current);
      expect(next.every((figure, index) => figure >= figures[index]!)).toBe(true);
      figures = next;
    });
  });
});

test('the random lives are worth living: together they earn and miss most badges', () => {
  const earned = new Set(seeds.flatMap((seed) => lived(randomHistory(seededRandom(seed), 900)).badges));
  expect(earned.size).toBeGreaterThan(40);
});

test('a badge that was once handed out is kept, though no fact stands behind it', () => {
  const kept = recordFact(noProgress, { fact: 'badge_earned', at: 0, badge: 'mega_poll' });
  expect(kept.progress.badges).toEqual(['mega_poll']);
  expect(recordFact(kept.progress, vote()).progress.badges).toEqual(['mega_poll', 'votes_1']);
  expect(reduce(kept.progress, { fact: 'badge_earned', at: 1, badge: 'mega_poll' }).badges).toEqual(['mega_poll']);
});

test('badges that count badges set each other off, and come to rest', () => {
  // 43 core badges are there but for the two that count badges; the tenth vote is the last that is missing.
  const others = badgeKeys.filter(
    (key) => badges[key].tier === 'core' && !key.startsWith('badges_') && key !== 'votes_10',
  );
  const start = others.reduce<Progress>(
    (sum, badge) => reduce(sum, { fact: 'badge_earned', at: 0, badge }),
    noProgress,
  );
  const nine = stories.votes_10(9).reduce(reduce, start);
  const { earned, progress } = recordFact(nine, vote());
  expect(earned.toSorted()).toEqual(['badges_10', 'badges_25', 'five_winds', 'votes_10', 'weathercock']);
  expect(earnedAfter(progress)).toEqual([]);
});

test('the ten-thousandth fact of each kind costs no more room than the hundredth', () => {
  const size = (progress: Progress) => JSON.stringify(progress).length;
  const random = seededRandom(7);
  const history = randomHistory(random, 20_000);
  let progress = noProgress;
  let largest = 0;
  for (const fact of history) {
    progress = recordFact(progress, fact).progress;
    largest = Math.max(largest, size(progress));
  }
  expect(largest).toBeLessThan(4_500);
  expect([progress.votedCategories.length, progress.createdCategories.length]).toEqual([8, 5]);
});
