import * as limits from '#contract/limits.ts';
import type { CountryShare, PollOption } from '#api/polls/polls.contract.ts';
import { isProvisional } from './vote-figures.ts';

/** Share of a total in percent, not rounded; 0 when the total is 0. */
export function sharePercent(votes: number, total: number): number {
  return total > 0 ? (votes * 100) / total : 0;
}

/** Share in whole percent, for the results view of the voting card. */
export function percentWhole(votes: number, total: number): number {
  return Math.round(sharePercent(votes, total));
}

/** Share in percent with one decimal, for charts and reports. */
export function percentOneDecimal(votes: number, total: number): number {
  return total > 0 ? Math.round((votes * 1_000) / total) / 10 : 0;
}

type Counted = Pick<PollOption, 'votes'>;

/** The options of a weekly poll that can be voted for and that the results view shows: the first three. */
export function offeredOptions<T>(options: readonly T[]): readonly T[] {
  return options.slice(0, limits.offeredOptions);
}

/** An option with its place: equal votes share a rank, and the rank after them is skipped (1, 1, 3). */
type Ranked<T> = T & { readonly rank: number };

/** Options by votes, most first; ties keep the poll’s own order. */
export function rankOptions<T extends Counted>(options: readonly T[]): readonly Ranked<T>[] {
  const sorted = options.toSorted((a, b) => b.votes - a.votes);
  return sorted.map((option) => ({
    ...option,
    rank: sorted.findIndex((other) => other.votes === option.votes) + 1,
  }));
}

/** The options with the most votes, and the sum of the others. */
interface TopResults<T> {
  /** Most votes first, each with its position in the poll’s own order (from 0), which determines its color. */
  readonly top: readonly (Ranked<T> & { readonly position: number })[];
  /** Votes of all other options together; null without other options. */
  readonly otherVotes: number | null;
}

/** A result at a glance: the `max` options with the most votes. */
export function topResults<T extends Counted>(options: readonly T[], max: number): TopResults<T> {
  const ranked = rankOptions(options.map((option, position) => ({ ...option, position })));
  const others = ranked.slice(max);
  return {
    top: ranked.slice(0, max),
    otherVotes: others.length === 0 ? null : others.reduce((sum, { votes }) => sum + votes, 0),
  };
}

/** The leading options and their margin. */
interface Lead<T> {
  /** All options with the most votes; more than one is a tie. Empty without counted votes, and while votes are held. */
  readonly leaders: readonly T[];
  /** Share of one leader in percent, not rounded. */
  readonly share: number;
  /** Percentage points to the next option with fewer votes; 0 in a tie. */
  readonly margin: number;
  /** The second option behind a single leader. */
  readonly runnerUp: T | undefined;
}

/** Percentage points, not rounded, from each ranked option to the next one; null for the last. */
export function marginsOf(ranked: readonly Counted[], total: number): readonly (number | null)[] {
  return ranked.map(({ votes }, index) => {
    const next = ranked[index + 1];
    return next === undefined ? null : sharePercent(votes - next.votes, total);
  });
}

/** A result: counted votes, and how many votes wait for a decision. */
export interface Result<T extends Counted = PollOption> {
  readonly options: readonly T[];
  /** The poll’s own total, the base of percentages. */
  readonly totalVotes: number;
  readonly heldVotes?: number | undefined;
}

/** The lead of a result; no option leads while votes are held, because the decision could change it. */
export function leadOf<T extends Counted>(result: Result<T>): Lead<T> {
  const { options, totalVotes: total } = result;
  const [first, second] = rankOptions(options);
  if (first === undefined || first.votes === 0 || isProvisional(result))
    return { leaders: [], share: 0, margin: 0, runnerUp: undefined };
  const leaders = options.filter((option) => option.votes === first.votes);
  const tie = leaders.length > 1;
  return {
    leaders,
    share: sharePercent(first.votes, total),
    margin: tie ? 0 : sharePercent(first.votes - (second?.votes ?? 0), total),
    runnerUp: tie ? undefined : options.find((option) => option !== leaders[0] && option.votes === second?.votes),
  };
}

const dayMs = 86_400_000;

/** Whole days, rounded up, from creation to the close or end; null when unknown. */
export function daysActive(createdAt: number, closedOrEndsAt: number | null): number | null {
  if (closedOrEndsAt === null) return null;
  const days = Math.ceil((closedOrEndsAt - createdAt) / dayMs);
  return Number.isFinite(days) && days >= 0 ? days : null;
}

// Created on first use and cached, because creating one is slow.
let segmenter: Intl.Segmenter | undefined;

/** Letters and punctuation that are a character each; segmenting takes a hundred times longer. */
const singles = /^[\x20-\x7e\u00a0-\u02ff\u2010-\u2027]*$/;

/** Grapheme clusters: a flag or a letter with accents is one character. */
function characters(text: string): string[] {
  if (singles.test(text)) return Array.from(text);
  // Older browsers lack the segmenter; code points at least don't split surrogate pairs.
  if (typeof Intl.Segmenter !== 'function') return Array.from(text);
  segmenter ??= new Intl.Segmenter('en-US', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** The text if it has at most `max` characters, otherwise its first `kept` characters and an ellipsis. */
export function cutText(text: string, max: number, kept = max): string {
  if (text.length <= max) return text;
  const all = characters(text);
  return all.length <= max ? text : `${all.slice(0, kept).join('').trimEnd()}…`;
}

/** An option's text on a chart: 15 characters and an ellipsis. */
export function chartLabel(text: string): string {
  return cutText(text, limits.chartLabel);
}

/** The question in the breadcrumb: 40 characters and an ellipsis. */
export function breadcrumbLabel(question: string): string {
  return cutText(question, limits.breadcrumbQuestion);
}

/** The summary as a meta description: one line of at most 160 characters, including the ellipsis. */
export function metaDescription(summary: string): string {
  const line = summary.replace(/\s+/g, ' ').trim();
  return cutText(line, limits.metaDescription, limits.metaDescription - 1);
}

/** A category’s display name: hyphens become spaces, words are capitalized. */
export function categoryLabel(category: string): string {
  return category
    .replace(/-+/g, ' ')
    .trim()
    .replace(/(^|\s)(\p{L})/gu, (_, space: string, letter: string) => space + letter.toLocaleUpperCase('en-US'));
}

/** Colors of results; those of a chart never repeat. */
const resultColors = 10;

/**
 * The color of each answer of a chart, from 0: by its position in the poll’s own order, or the first free one if an answer before
 * it has that color. Null when there are no more.
 */
export function distinctColors(positions: readonly number[]): readonly (number | null)[] {
  const free = new Set(Array.from({ length: resultColors }, (_, color) => color));
  return positions.map((position) => {
    const own = position % resultColors;
    const color = free.has(own) ? own : ([...free][0] ?? null);
    if (color !== null) free.delete(color);
    return color;
  });
}

/** An option as a chart draws it. */
export interface ChartSlice {
  /** The whole text, for legends and tooltips. */
  readonly text: string;
  /** The text inside a drawing: 15 characters and an ellipsis. */
  readonly name: string;
  readonly value: number;
  readonly percentage: number;
  /** Position in the poll’s own order from 0; null for the sum of several options. */
  readonly position: number | null;
  /** Its color from 0, which no other slice has; null for the sum of several options. */
  readonly color: number | null;
}

/**
 * The options of a poll as chart slices, most votes first, like the breakdown. If there are more than six, the rest
 * becomes one slice named `rest`, unless it is a single option.
 */
export function chartSlices(options: readonly PollOption[], total: number, rest: string): readonly ChartSlice[] {
  const slice = (text: string, value: number, position: number | null, color: number | null): ChartSlice => ({
    ...{ text, name: chartLabel(text), value, percentage: percentOneDecimal(value, total) },
    ...{ position, color },
  });
  const shown = options.length <= limits.chartSlices + 1 ? options.length : limits.chartSlices;
  const { top, otherVotes } = topResults(options, shown);
  const colors = distinctColors(top.map(({ position }) => position));
  const slices = top.map(({ text, votes, position }, index) => slice(text, votes, position, colors[index] ?? null));
  return otherVotes === null ? slices : [...slices, slice(rest, otherVotes, null, null)];
}

/** A country with its share of the voters in percent; `isRest` for all other countries. */
interface ShownCountry extends CountryShare {
  readonly isRest: boolean;
}

/** The six countries with the largest shares, and the remainder up to 100% under the name `rest`, if there is one. */
export function topCountries(countries: readonly CountryShare[], rest: string): readonly ShownCountry[] {
  const top = countries.toSorted((a, b) => b.percentage - a.percentage).slice(0, limits.countriesShown);
  const remainder = Math.round((100 - top.reduce((sum, { percentage }) => sum + percentage, 0)) * 10) / 10;
  return [
    ...top.map((country) => ({ ...country, isRest: false })),
    ...(remainder > 0 ? [{ name: rest, percentage: remainder, isRest: true }] : []),
  ];
}
