import { around, box, circle, shape, star } from './shapes.ts';
import type { Motif } from './shapes.ts';

/** A stronger wind for more votes; then what else there is to voting. */
export const votingMotifs = {
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
