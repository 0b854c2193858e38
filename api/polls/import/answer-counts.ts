import { optionKey } from '#domain/option-key.ts';
import { trimText } from '#domain/visible-text.ts';

/**
 * A number of a table: a count such as 1204, 1,204, or 1 204, or a share such as 45, 45.5, 45,5, or 45 %. Null for anything
 * else; a count has no decimals.
 */
export function readNumber(text: string, isPercent: boolean): number | null {
  const typed = text.trim();
  const bare = isPercent && typed.endsWith('%') ? typed.slice(0, -1).trimEnd() : typed;
  if (isPercent) return /^\d{1,3}(?:[.,]\d{1,9})?$/.test(bare) ? Number(bare.replace(',', '.')) : null;
  const isGrouped = /^\d{1,3}(?:([,.'’\s])\d{3})(?:\1\d{3})*$/.test(bare);
  return isGrouped || /^\d{1,15}$/.test(bare) ? Number(bare.replaceAll(/\D/g, '')) : null;
}

/**
 * Whole votes that shares in percent of a base stand for. `rest`: how many of the base gave none of these answers, unless
 * rounding explains that the shares don’t add up. Null if they add up to more than rounding explains.
 */
export function derivedVotes(
  shares: readonly number[],
  base: number,
): { readonly votes: readonly number[]; readonly rest: number } | null {
  const sum = shares.reduce((total, share) => total + share, 0);
  const rounded = (shares.every(Number.isInteger) ? 0.5 : 0.05) * shares.length + 1e-9;
  if (sum > 100 + rounded) return null;
  const votes = shares.map((share) => Math.round((share * base) / 100));
  const rest = sum < 100 - rounded ? base - votes.reduce((total, count) => total + count, 0) : 0;
  return { votes, rest: Math.max(0, rest) };
}

/** Different answers, and characters of them, that are remembered until it is known which of them are single ones. */
export const differentAnswers = 5_000;
const answerChars = 2_000_000;
/** Characters of the longest cell that is split. */
const splitChars = 5_000;

/** An answer with how many people gave it. */
export interface CountedAnswer {
  readonly text: string;
  readonly votes: number;
}

/**
 * Counts the answers to a question. A cell with several ones is split into known answers: those given as `known`, or else those
 * that somebody gave alone, and whatever semicolons, vertical bars, or lines separate. What else a cell has counts as `other`
 * if answers are given; otherwise, the cell is one answer as it is.
 */
export class AnswerCounter {
  readonly #known: readonly string[] | null;
  readonly #other: string;
  readonly #cells = new Map<string, number>();
  readonly #counts = new Map<string, { text: string; votes: number }>();
  #chars = 0;
  /** People who gave an answer. */
  people = 0;
  /** Whether somebody gave several. */
  hasSeveral = false;

  constructor(known: readonly string[] | null, other: string) {
    this.#known = known && byLength(known);
    this.#other = other;
    for (const text of known ?? []) this.#count([text], 0);
  }

  /** Adds the answer of a person; false if there are too many different ones. A blank one is none. */
  add(given: string): boolean {
    const cell = trimText(given);
    if (cell === '') return true;
    this.people += 1;
    if (this.#known !== null) {
      this.#count(partsOf(cell, this.#known, this.#other)!, 1);
      return true;
    }
    const before = this.#cells.get(cell);
    if (before === undefined) this.#chars += cell.length;
    this.#cells.set(cell, (before ?? 0) + 1);
    return this.#cells.size <= differentAnswers && this.#chars <= answerChars;
  }

  /** All answers, in the order of the given ones, else the most frequent first. */
  result(): readonly CountedAnswer[] {
    const known = byLength(knownAnswers([...this.#cells.keys()]));
    for (const [cell, people] of this.#cells) this.#count(partsOf(cell, known) ?? [cell], people);
    this.#cells.clear();
    const answers = [...this.#counts.values()];
    return this.#known === null ? answers.sort((a, b) => b.votes - a.votes) : answers;
  }

  #count(given: readonly string[], people: number): void {
    const parts = new Map(given.map((text) => [optionKey(text), text]));
    this.hasSeveral ||= parts.size > 1;
    for (const [key, text] of parts) {
      const counted = this.#counts.get(key) ?? { text, votes: 0 };
      counted.votes += people;
      this.#counts.set(key, counted);
    }
  }
}

/** What separates answers for certain; a comma may be part of one. */
const sure = /[;|\n]/;

/** The answers among cells that are certainly single ones. */
function knownAnswers(cells: readonly string[]): string[] {
  return [
    ...new Set(
      cells.flatMap((cell) => (sure.test(cell) ? cell.split(sure).map(trimText) : cell.includes(',') ? [] : [cell])),
    ),
  ];
}

const byLength = (answers: readonly string[]) =>
  answers.filter((text) => text !== '').toSorted((a, b) => b.length - a.length);

/** The known answers of which a cell consists, with separators between them; for other parts `other`, else null. */
function partsOf(cell: string, longestFirst: readonly string[], other?: string): string[] | null {
  if (longestFirst.includes(cell)) return [cell];
  if (cell.length > splitChars) return other === undefined ? null : [other];
  const dead = new Set<number>();
  const from = (at: number): string[] | null => {
    if (at === cell.length) return [];
    if (dead.has(at)) return null;
    const withRest = (part: string, end: number, separator: string) => {
      const rest = from(end + separator.length);
      return rest === null ? null : [part, ...rest];
    };
    for (const answer of longestFirst) {
      if (!cell.startsWith(answer, at)) continue;
      const end = at + answer.length;
      const [separator] = /^\s*[,;|\n]\s*/.exec(cell.slice(end)) ?? [end === cell.length ? '' : undefined];
      const parts = separator === undefined ? null : withRest(answer, end, separator);
      if (parts !== null) return parts;
    }
    dead.add(at);
    if (other === undefined) return null;
    const next = /[,;|\n]\s*/.exec(cell.slice(at));
    return next === null ? [other] : withRest(other, at + next.index, next[0]);
  };
  return from(0);
}
