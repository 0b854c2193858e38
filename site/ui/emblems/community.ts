import { around, box, circle, rays, towards } from './shapes.ts';
import type { Motif } from './shapes.ts';

const clock = [28.5, 24.5] as const;
/** Seeds of the dandelion that are still there, and those that the wind has taken. */
const seeds = around(10, 10).filter((angle) => angle < 30 || angle > 90);

/** A bird as children draw it: two wings. */
const bird = (x: number, y: number, scale: number) => {
  const wing = [4 * scale, -6.5 * scale, 6 * scale, -5 * scale, 7.5 * scale, 0.5 * scale].join(' ');
  const other = [1.5 * scale, -5.5 * scale, 3.5 * scale, -7 * scale, 7.5 * scale, -0.5 * scale].join(' ');
  return `M${x - 7.5 * scale} ${y}c${wing}c${other}`;
};

export const communityMotifs = {
  comments_1: {
    solid:
      'M18 12.5H46A4 4 0 0 1 50 16.5V30.5A4 4 0 0 1 46 34.5H32.5L23.5 42V34.5H18A4 4 0 0 1 14 30.5V16.5A4 4 0 0 1 18 12.5Z',
    cut: 'M22 23.5H42',
  },
  comments_25: {
    solid:
      'M16 11.5H34A3 3 0 0 1 37 14.5V23.5A3 3 0 0 1 34 26.5H23.5L17.5 32V26.5H16A3 3 0 0 1 13 23.5V14.5A3 3 0 0 1 16 11.5Z',
    line: 'M41.5 21.5H47A3 3 0 0 1 50 24.5V33A3 3 0 0 1 47 36H46.5V41.5L40.5 36H30A3 3 0 0 1 27 33V31',
  },
  comments_100: {
    solid:
      'M32 13.5C39 13.5 43 18.5 43 25V30.5L47.5 36.5H16.5L21 30.5V25C21 18.5 25 13.5 32 13.5Z' +
      'M27.5 39H36.5A4.5 3.6 0 0 1 27.5 39Z',
    line: 'M32 10.2V13',
  },
  shares_5: { solid: 'M13 25.5L49 13L39 40.5L31.2 32.6L29.4 40.5L25.4 29.2Z', cut: 'M46.2 15.8L28.2 30.2' },
  shares_25: {
    solid: [...seeds.map((angle) => towards(clock, angle, 13)), [46.5, 18.5] as const, [50, 27.5] as const]
      .map((seed) => circle(seed, 2.3))
      .concat(circle(clock, 3))
      .join(''),
    fine: rays(clock, 4, 9.5, seeds) + 'M29 28.5C29 34 32 36 32 43',
  },
  invites_5: {
    solid: box(21, 16.5, 29, 22, 2.5),
    line: 'M11.5 21H16M9.5 28H16M12.5 35H16',
    cut: 'M22 19L35.5 29.5L49 19',
  },
  invites_20: {
    line: bird(32, 17, 1.35) + bird(20, 32, 1) + bird(44, 32, 1),
  },
} as const satisfies Record<string, Motif>;
