import { around, box, circle, rays, shape, star, towards } from './shapes.ts';
import type { Motif } from './shapes.ts';

/** A tube of the telescope: a stretch of its axis, thicker towards the far end. */
const tube = (from: number, to: number, thin: number, thick: number) => {
  const eye = [14.5, 34] as const;
  const direction = 64;
  const side = (along: number, out: number) => towards(towards(eye, direction, along), direction + 90, out);
  return shape(side(from, -thin), side(to, -thick), side(to, thick), side(from, thin));
};

export const activityMotifs = {
  streak_7: { solid: circle([32, 27], 8.2), line: rays([32, 27], 12.2, 16, around(7)) },
  streak_30: {
    solid: circle([32, 38], 3.8),
    line: 'M13.5 38A18.5 18.5 0 0 1 50.5 38' + rays([32, 38], 0, 14, [38]) + rays([32, 38], 14, 18, [-45, 0]),
  },
  streak_100: {
    line: circle([32, 27], 14.6) + 'M17.4 27H46.6M32 12.4C24.5 20 24.5 34 32 41.6M32 12.4C39.5 20 39.5 34 32 41.6',
  },
  active_days_50: {
    solid: 'M18.5 23.5H40.5V36A6 6 0 0 1 34.5 42H24.5A6 6 0 0 1 18.5 36Z',
    line: 'M40.5 27H43.5A4.6 4.6 0 0 1 43.5 36.2H40.5M25.5 18.5C23 15.5 28 14 25.5 10.5M33.5 18.5C31 15.5 36 14 33.5 10.5',
  },
  opened_50: {
    solid: tube(0, 11, 2.6, 2.6) + tube(12.6, 25, 3.8, 3.8) + tube(26.6, 39, 5, 6),
    line: 'M30 30.5L24 42M30 30.5L36 42',
  },
  weekend_votes_20: {
    solid:
      shape([30.4, 10.5], [30.4, 31], [16, 31]) +
      shape([33.6, 15.5], [46.5, 31], [33.6, 31]) +
      'M14 34H50L45.5 42H18.5Z',
  },
  four_seasons: {
    solid: 'M46.5 12.5C28 11 16.5 19 19 33.5C19.8 37.4 23 39.2 27 38.8C41 37.6 46.4 27 46.5 12.5Z',
    line: 'M24 35L19.5 42',
    cut: 'M40.5 18.5C33 21.5 27.5 27.5 24 35',
  },
  cake_day: {
    solid:
      'M18 42V30A4 4 0 0 1 22 26H42A4 4 0 0 1 46 30V42Z' +
      'M32 9.5C35.4 13.4 35.2 16.6 32 17C28.8 16.6 28.6 13.4 32 9.5Z',
    line: 'M32 26V20.5',
    cut: 'M18 33C21.5 37.5 24 37.5 27.3 33C30.6 37.5 33.4 37.5 36.7 33C40 37.5 42.5 37.5 46 33',
  },
  badges_10: {
    solid: circle([32, 32], 10) + star([32, 32], [5.4, 2.4], around(10)),
    line: 'M22 10.5L28.5 21.5M42 10.5L35.5 21.5',
  },
  badges_25: {
    solid: 'M22.5 11.5H41.5V20.5C41.5 27.5 38 31.5 32 31.5C26 31.5 22.5 27.5 22.5 20.5Z' + box(24, 37.5, 16, 4.5),
    line: 'M22.5 14.5H15.5C15.5 21.5 18 25 23.4 25.6M41.5 14.5H48.5C48.5 21.5 46 25 40.6 25.6M32 31.5V37.5',
  },
} as const satisfies Record<string, Motif>;
