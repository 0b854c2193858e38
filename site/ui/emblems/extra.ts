import { around, box, circle, shape, towards } from './shapes.ts';
import type { Motif } from './shapes.ts';

const pin = [32, 25] as const;
/** A blade of the paper windmill: straight on one side, curved on the other. */
const blade = (angle: number) => {
  const [x, y] = towards(pin, angle, 16);
  return `M32 25L${x.toFixed(2)} ${y.toFixed(2)}A9.4 9.4 0 0 1 32 25Z`;
};

/** Bonus badges, and the ones that are hidden until they are earned. */
export const extraMotifs = {
  front_page: {
    solid: box(16.5, 14, 31, 27, 2) + box(20.8, 25.5, 9.6, 11),
    cut: 'M20.8 20H43.2M34.6 26.5H43.2M34.6 31.2H43.2M34.6 36H43.2',
  },
  five_winds: { solid: around(5).map(blade).join(''), line: 'M32 29V42' },
  weathercock: {
    solid:
      'M50.5 20.5L45.6 17.6C46.4 14 43.6 12.6 42.2 14.6C41.8 10.6 37.6 10.8 37.8 14.4C34.8 13.4 34.2 16.6 36 18.6C36 23.4 33 26.6 28.6 26.4C24.6 26 24.6 21 24 17C23 11.4 15 11 13 16.8C16.2 16.4 17.4 17.8 17.4 19.4C14.4 19 12.4 21.4 12.6 25C15 23.8 16.8 24.8 17.2 26.8C15.2 27 14.2 28.4 14.2 30.2C16.4 29.4 17.6 30.2 18.2 31.4C20.4 36 25 38.6 31 38.6C39.6 38.6 45.4 32.4 45.4 24.6C47.4 25.8 48.6 24.2 47.8 22.2Z',
    line: 'M29 38V43M35 38V43',
    cut: 'M24.5 30.5C27.5 34 33.5 34 37 29.5',
  },

  early_adopter: {
    solid:
      'M31 30.5C31 22.5 25.5 17 14.5 17.5C14.5 26.5 20.5 31.5 31 30.5Z' +
      'M33 25.5C32.5 17.5 37.5 12.5 47.5 12.5C48 21 43 26 33 25.5Z',
    line: 'M32 39.8V27M22 39.8H42',
  },
  midnight_vote: {
    solid:
      'M32 18.4C36.5 15 50.5 16.5 50.5 29C50.5 38 43.5 42.6 38 41.6C34.5 42.6 29.5 42.6 26 41.6C20.5 42.6 13.5 38 13.5 29C13.5 16.5 27.5 15 32 18.4Z',
    line: 'M32 16.5C32 13.4 33.6 11.6 36.6 11',
    cut: 'M25.5 18.6C20.5 24 20.5 36 25.8 41M38.5 18.6C43.5 24 43.5 36 38.2 41',
  },
  leap_day: {
    solid:
      'M13.5 30.5C13.5 27.4 14.8 24.8 16.8 22.8A6.6 6.6 0 1 1 27.6 18.4H36.4A6.6 6.6 0 1 1 47.2 22.8C49.2 24.8 50.5 27.4 50.5 30.5C50.5 37 42.6 41.5 32 41.5C21.4 41.5 13.5 37 13.5 30.5Z' +
      circle([21.4, 18.2], 2.4) +
      circle([42.6, 18.2], 2.4),
    cut: 'M20.5 30.5C25 36 39 36 43.5 30.5',
  },
  solstice: {
    solid: box(15.5, 13.5, 33, 7, 1) + box(18, 22.5, 8, 18.5) + box(38, 22.5, 8, 18.5) + circle([32, 30.5], 4.2),
  },
  dead_calm: { solid: box(16, 17.5, 32, 7.4, 1.5) + box(16, 30.5, 32, 7.4, 1.5) },
  ten_options: {
    solid:
      shape([22, 13], [43, 13], [48, 17], [43, 21], [22, 21]) +
      shape([42, 23.5], [20, 23.5], [15, 27.5], [20, 31.5], [42, 31.5]) +
      shape([25, 34], [40, 34], [44, 37], [40, 40], [25, 40]),
    line: 'M32 10V42',
  },
  by_invitation: {
    solid: circle([22, 26], 8.4) + circle([22, 26], 3.6),
    line: 'M30.5 26H49.5M41.5 26V33.5M48.5 26V32',
  },
} as const satisfies Record<string, Motif>;
