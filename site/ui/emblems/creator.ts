import { around, box, circle, open, rays, shape, towards } from './shapes.ts';
import type { Motif } from './shapes.ts';

const hub = [32, 23] as const;
/** A sail of the mill: a spar, and the cloth on one side of it. */
const sail = (angle: number) =>
  shape(
    towards(hub, angle, 3),
    towards(hub, angle, 15.5),
    towards(hub, angle + 24, 16.5),
    towards(hub, angle + 62, 6.4),
  );

/** A wind turbine with three blades. */
const turbine = (x: number, y: number, blade: number) => rays([x, y], 0, blade, around(3)) + open([x, y], [x, 42]);

/** Five pennants on a line that sags. */
const pennant = (x: number, y: number) => shape([x - 2.9, y], [x + 2.9, y], [x, y + 13]);

export const creatorMotifs = {
  polls_1: {
    solid: shape([40, 10.5], [48, 18.5], [28.5, 38], [17.5, 41], [20.5, 30]),
    cut: 'M35.5 15L43.5 23M21.5 30.8L27.7 37',
  },
  polls_10: {
    solid: shape([28.4, 30], [35.6, 30], [38.5, 42], [25.5, 42]) + around(4, 20).map(sail).join('') + circle(hub, 2.4),
  },
  polls_50: { line: turbine(32, 22.5, 10) + turbine(18.5, 31, 7) + turbine(45.5, 31, 7) },
  viral_poll: {
    line: 'M17.5 13.5Q32 19.5 46.5 13.5M20 21.5Q33 26.5 44.5 20.5M25 29.5Q34.5 33 43.5 28M29 36.5Q35 39 40 35M32.5 42.4L35 41.8',
  },
  mega_poll: {
    solid:
      'M21.5 29.5A7.6 7.6 0 0 1 22 14.5A11 11 0 0 1 42.5 16A6.9 6.9 0 0 1 43.5 29.5Z' +
      shape([34.5, 32], [27, 38.8], [31, 38.8], [28, 44], [37.5, 36.4], [33, 36.4], [36.5, 32]),
  },
  hot_topic: {
    solid:
      'M32 10C40 10 45.5 15.5 45.5 22.5C45.5 28.5 39.5 31.5 37 35H27C24.5 31.5 18.5 28.5 18.5 22.5C18.5 15.5 24 10 32 10Z' +
      box(28, 37.6, 8, 5, 1),
    cut: 'M32 10C26.6 15 26.6 28 30 35M32 10C37.4 15 37.4 28 34 35',
  },
  every_visibility: {
    line: box(14.5, 19, 8.6, 22) + box(27.7, 19, 8.6, 22) + box(40.9, 19, 8.6, 22),
    solid: box(32, 19, 4.3, 22) + box(40.9, 19, 8.6, 22),
  },
  poll_categories_5: {
    fine: 'M12 19C24 26 40 26 52 19',
    solid: [
      [16, 21.5],
      [24, 24],
      [32, 24.6],
      [40, 24],
      [48, 21.5],
    ]
      .map(([x, y]) => pennant(x!, y!))
      .join(''),
  },
} as const satisfies Record<string, Motif>;
