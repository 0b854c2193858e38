import { formatCount, formatDay } from '#site/ui/format.ts';
import { reportTexts } from '#texts/report.ts';

/** When a poll was closed, in words; `closedAt` in milliseconds, null where nobody noted it. */
export const closedWords = (closedAt: number | null): string =>
  closedAt === null ? reportTexts.recently : formatDay(new Date(closedAt).toISOString());

/** For how many days a poll was open, in words; null where that cannot be computed. */
export const daysWords = (days: number | null): string =>
  days === null ? reportTexts.tiles.notComputable : formatCount(days);
