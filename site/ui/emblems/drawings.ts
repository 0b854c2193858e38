import type { BadgeCategory, BadgeKey, BadgeTier } from '#api/members/badges/badges.contract.ts';
import { around, box, circle, open, rays, scallop, shape, star, towards } from './shapes.ts';
import type { Motif } from './shapes.ts';

/** The plate of an emblem: its outline, and the engraving near its edge. */
interface Frame {
  readonly plate: string;
  readonly engraving: string;
}

const middle = [32, 32] as const;
const ring = circle(middle, 25.6);

/** One outline per category, all from the compass, so that categories differ without color. */
const categoryFrames: Record<BadgeCategory, Frame> = {
  // A compass card: a circle with four points.
  voting: {
    plate: cardinalCircle(),
    engraving: ring,
  },
  // The eight winds.
  creator: { plate: star(middle, [31], around(8, 22.5)), engraving: star(middle, [27], around(8, 22.5)) },
  // Twenty-four hours.
  activity: { plate: star(middle, [31.2, 28.4], around(48)), engraving: ring },
  // People in a ring.
  community: { plate: scallop(middle, 28, 12, 8.2, 1), engraving: ring },
  // The rose.
  fun: { plate: star(middle, [31.8, 27], around(16)), engraving: star(middle, [28.4, 24.4], around(16)) },
};

const bonusFrame: Frame = { plate: star(middle, [31.8, 27.4], around(32)), engraving: ring + circle(middle, 23.8) };
const legacyFrame: Frame = { plate: scallop(middle, 31, 20, 6, 0), engraving: ring };

/** A circle with a point at each cardinal direction. */
function cardinalCircle(): string {
  const at = (angle: number, radius = 28.4) => towards(middle, angle, radius);
  const points = around(4).map((angle) => open(at(angle - 8), at(angle, 31.8), at(angle + 8)).slice(1));
  return `M${[...points, open(at(-8)).slice(1)].join('A28.4 28.4 0 0 1 ')}Z`;
}

/** Core badges have the plate of their category, bonus and legacy badges their own. */
export function frameOf(category: BadgeCategory, tier: BadgeTier): Frame {
  if (tier === 'bonus') return bonusFrame;
  return tier === 'legacy' ? legacyFrame : categoryFrames[category];
}

/** More votes, stronger wind; then the other voting badges. */
const votingMotifs = {
  votes_1: { line: 'M16 35H37A7.5 7.5 0 1 0 29.5 27.5' },
  votes_10: { line: 'M14 27H34.5A6 6 0 1 0 28.5 21M18 37H43A6 6 0 1 0 37 31' },
  votes_100: { line: 'M17 21.5H29A4.8 4.8 0 1 0 24.2 16.7M12.5 30H42A5.6 5.6 0 1 0 36.4 24.4M17 38.5H39' },
  votes_500: {
    solid: circle([32, 26], 8.6) + circle([32, 26], 4),
    line: 'M25 26C24.5 17 30 11.6 41 11.6M39 26C39.5 35 34 40.4 23 40.4',
  },
  weekly_votes_25: {
    solid: box(18, 15, 28, 27, 3),
    line: 'M25.5 11V17M38.5 11V17',
    cut: 'M18 22.5H46M25.5 31.5L30.3 36.3L38.8 27.3',
  },
  community_votes_25: {
    solid: shape([32, 11.5], [50, 27.5], [45, 27.5], [45, 42], [19, 42], [19, 27.5], [14, 27.5]) + box(28, 31, 8, 11),
  },
  vote_categories_8: { solid: star([32, 26.5], [17, 5.6, 10.5, 5.6], around(16)) + circle([32, 26.5], 2.2) },
  first_hour_votes_3: {
    solid: 'M32 28V18.5A9.5 9.5 0 0 1 40.2 32.7Z',
    line: circle([32, 28], 13.4) + 'M28.5 10.5H35.5M32 10.5V14.5M43.2 15.4L45.4 13.2',
  },
  last_hour_vote: {
    solid: 'M25.6 39C26.5 35.4 30 35 32 32.8C34 35 37.5 35.4 38.4 39Z',
    line: 'M21 12.5H43M21 39.8H43M24 12.5C24 21 30.4 23 30.4 27C30.4 31 24 32.6 24 39.8M40 12.5C40 21 33.6 23 33.6 27C33.6 31 40 32.6 40 39.8',
  },
} as const satisfies Record<string, Motif>;

const hub = [32, 23] as const;
/** A windmill sail: a spar with cloth on one side. */
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

const creatorMotifs = {
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

/** A section of the telescope, thicker toward the far end. */
const tube = (from: number, to: number, thin: number, thick: number) => {
  const eye = [14.5, 34] as const;
  const direction = 64;
  const side = (along: number, out: number) => towards(towards(eye, direction, along), direction + 90, out);
  return shape(side(from, -thin), side(to, -thick), side(to, thick), side(from, thin));
};

const activityMotifs = {
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

const clock = [28.5, 24.5] as const;
/** The dandelion seeds that the wind has not taken. */
const seeds = around(10, 10).filter((angle) => angle < 30 || angle > 90);

/** A bird as two wings. */
const bird = (x: number, y: number, scale: number) => {
  const wing = [4 * scale, -6.5 * scale, 6 * scale, -5 * scale, 7.5 * scale, 0.5 * scale].join(' ');
  const other = [1.5 * scale, -5.5 * scale, 3.5 * scale, -7 * scale, 7.5 * scale, -0.5 * scale].join(' ');
  return `M${x - 7.5 * scale} ${y}c${wing}c${other}`;
};

const communityMotifs = {
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

const funMotifs = {
  close_call: {
    solid: 'M11.5 32H24.5A6.5 6 0 0 1 11.5 32ZM39.5 30H52.5A6.5 6 0 0 1 39.5 30Z',
    line: 'M32 12V39.8M25 39.8H39M17 20L47 17.6',
    fine: 'M18 20L12.5 32M18 20L23.5 32M46 17.6L40.5 30M46 17.6L51.5 30',
  },
  landslide: {
    solid:
      'M27 22C27 15 31.5 10.5 38.5 10C34.5 13.5 31 17 27 22Z' +
      'M27 22C33 14 43 12.5 50 17.5C42.5 17 35 18.5 28.5 22.5Z' +
      'M28.5 22.5C37 20 47.5 22.5 51.5 30C44 26.5 36.5 25 28.5 24Z' +
      'M28.5 24C36 25.5 43.5 30.5 44.5 38.5C39.5 32.5 34 28 27.5 25Z',
    line: 'M21 39.8C21 33 23 28.5 27 24.5M15 39.8H30',
  },
  night_votes_5: {
    solid: 'M33.5 11.5A15.4 15.4 0 1 0 48.4 32A13.2 13.2 0 0 1 33.5 11.5Z' + star([44.5, 17.5], [5.6, 2.2], around(8)),
  },
  dawn_votes_5: {
    solid: 'M22 35.4A10 10 0 0 1 42 35.4Z',
    line: 'M13 39.8H51' + rays([32, 35.4], 14.6, 20, [-72, -36, 0, 36, 72]),
  },
  friday_13: {
    solid:
      'M17.5 13L25.5 19H38.5L46.5 13V29.5C46.5 37 40.4 41.5 32 41.5C23.6 41.5 17.5 37 17.5 29.5Z' +
      circle([25, 27], 2.9) +
      circle([39, 27], 2.9),
    cut: 'M29.8 34.2L32 36.2L34.2 34.2',
  },
  new_year: {
    solid:
      'M29 17H35V21.5C35 25 40 25.5 40 30V40A2 2 0 0 1 38 42H26A2 2 0 0 1 24 40V30C24 25.5 29 25 29 21.5Z' +
      shape([33.4, 8.4], [38.4, 9.6], [37.4, 13.6], [32.4, 12.4]),
    fine: 'M25 15.5L20.5 11.5M23.5 20.5L17.5 19.5M40 18L45.5 15M41.5 22.5L47.5 23.5',
    cut: 'M24 32H40M24 37.5H40',
  },
  day_votes_10: {
    solid:
      'M13.5 28.5A18.5 17 0 0 1 50.5 28.5C47.4 25.4 44.4 25.4 41.3 28.5C38.2 25.4 35.1 25.4 32 28.5C28.9 25.4 25.8 25.4 22.7 28.5C19.6 25.4 16.6 25.4 13.5 28.5Z',
    line: 'M32 28V38.5A3.6 3.6 0 0 1 24.8 38.5M32 9.5V12',
  },
  own_horn: {
    solid: 'M35 22.5C41 21.5 45.4 18.6 47.8 13.5V36.5C45.4 31.4 41 28.5 35 27.5Z',
    line: 'M14 25H36M14 21.5V28.5M21 25V30.5A6 6 0 0 0 27 36.5H32A6 6 0 0 0 38 30.5V29',
  },
  long_winded: {
    solid: box(20, 13, 24, 27),
    line: open([17.5, 13], [46.5, 13]) + open([17.5, 39.6], [46.5, 39.6]),
    cut: 'M25 19.5H39M25 25H39M25 30.5H39M25 36H32',
  },
  hat_trick: {
    solid:
      shape([21.5, 12], [42.5, 12], [40.5, 33], [23.5, 33]) +
      'M12.5 33.5C15 36 20 37 23.5 36H40.5C44 37 49 36 51.5 33.5C51 39 42 42 32 42C22 42 13 39 12.5 33.5Z',
    cut: 'M22 27.5H42',
  },
} as const satisfies Record<string, Motif>;

const pin = [32, 25] as const;
/** A pinwheel blade: straight on one side, curved on the other. */
const blade = (angle: number) => {
  const [x, y] = towards(pin, angle, 16);
  return `M32 25L${x.toFixed(2)} ${y.toFixed(2)}A9.4 9.4 0 0 1 32 25Z`;
};

/** Bonus badges and legacy badges, which are hidden until they are earned. */
const extraMotifs = {
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

/** The motif on each badge's vane. */
export const motifs: Readonly<Record<BadgeKey, Motif>> = {
  ...votingMotifs,
  ...creatorMotifs,
  ...activityMotifs,
  ...communityMotifs,
  ...funMotifs,
  ...extraMotifs,
};
