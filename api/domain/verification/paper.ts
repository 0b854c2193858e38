import { sha256 } from '@noble/hashes/sha2.js';
import { writeIns } from '#contract/limits.ts';
import { concat, uint32, utf8 } from './bytes.ts';
import type { Sha256 } from './bytes.ts';
import { receiptBytes } from './receipt.ts';

/** What a poll asks, fixed when it opens. The number of an option is its position here. */
export interface Paper {
  /** Name of the poll’s log, such as “weathervane.example/integrity/poll/k7m2q9x4t1b8c3d5”. */
  readonly origin: string;
  /** Id of the poll. */
  readonly poll: string;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** What a ballot may choose; missing on papers of format 1, whose ballots name one option. */
  readonly choice?: string | undefined;
}

/**
 * Options that are on the paper of a poll whose voters may write another answer, after the others: each stands for the next new
 * answer. Once the creator has approved one, the corrected wording has its text, and of a merged one that of the other answer.
 */
export const writtenOptions = Array.from({ length: writeIns }, (_, place) => ({
  id: `write-in-${place + 1}`,
  label: `Written answer ${place + 1}`,
}));
export const isWritten = (optionId: string): boolean => optionId.startsWith('write-in-');

/**
 * What a ballot of a paper may choose: a list of `min` to `max` options. `several`: in ascending order, with a vote for each;
 * `ranked`: the favorite first, which has the vote until a runoff eliminates it.
 */
export interface ChoiceRule {
  readonly method: 'single' | 'several' | 'ranked';
  readonly min: number;
  readonly max: number;
}

/** `one`, or such as `several 1 3`: from one option to three. */
export const choiceText = ({ method, min, max }: ChoiceRule): string =>
  method === 'single' ? 'one' : `${method} ${min} ${max}`;

/** What a paper says about its ballots; null if this release doesn’t know it. */
export function choiceRuleOf({ choice = 'one' }: Pick<Paper, 'choice'>): ChoiceRule | null {
  if (choice === 'one') return { method: 'single', min: 1, max: 1 };
  const [, method, min, max] = /^(several|ranked) ([1-9]\d{0,4}) ([1-9]\d{0,4})$/.exec(choice) ?? [];
  if (method === undefined || Number(max) === 1 || Number(min) > Number(max)) return null;
  return { method: method === 'ranked' ? method : 'several', min: Number(min), max: Number(max) };
}

/** Whether the ballots of a paper rank options. */
export const isRanked = (paper: Pick<Paper, 'choice'>): boolean => choiceRuleOf(paper)?.method === 'ranked';

/** The numbers of options in the order in which an entry has them. */
export const inEntry = (paper: Pick<Paper, 'choice'>, numbers: readonly number[]): readonly number[] =>
  numbers.length === 1 || isRanked(paper) ? numbers : numbers.toSorted((a, b) => a - b);

/** The numbers of a vote’s options in its entry; null if one is not on the paper. */
export function numbersOf(
  paper: Pick<Paper, 'options' | 'choice'>,
  { optionId, further = [] }: { readonly optionId: string; readonly further?: readonly string[] | undefined },
): readonly number[] | null {
  const numbers = [optionId, ...further].map((chosen) => paper.options.findIndex(({ id }) => id === chosen));
  return numbers.includes(-1) ? null : inEntry(paper, numbers);
}

/** The format of a poll’s paper, its entries, and its ballots file: a log has only one. */
export type Format = 1 | 2;
export const formatOf = ({ choice }: Pick<Paper, 'choice'>): Format => (choice === undefined ? 1 : 2);

/** An option is two bytes in an entry. */
export const maxOptions = 0xffff;

function field(text: string): Uint8Array {
  const bytes = utf8(text);
  return concat(uint32(bytes.length), bytes);
}

/** The bytes of a paper: every text with its length before it, so that no two papers have the same bytes. */
export const paperBytes = ({ origin, poll, question, options, choice }: Paper): Uint8Array =>
  concat(
    ...[`weathervane/paper/v${formatOf({ choice })}`, origin, poll, question].map(field),
    ...(choice === undefined ? [] : [field(choice)]),
    uint32(options.length),
    ...options.flatMap(({ id, label }) => [field(id), field(label)]),
  );

/** The tag of a paper, 32 bytes: it is in every entry, and so binds a vote to the wording. */
export const tagOf = (paper: Paper, hash: Sha256 = sha256): Uint8Array => hash(paperBytes(paper));

/**
 * The entry of a vote: format, receipt (16 bytes), tag (32), and the numbers of its options, two bytes each. In format 2, as
 * many bytes before them say how many there are.
 */
export function voteEntry(
  format: Format,
  { receipt, tag, options }: { receipt: Uint8Array; tag: Uint8Array; options: readonly number[] },
): Uint8Array {
  const numbers = format === 1 ? options : [options.length, ...options];
  return concat(
    Uint8Array.of(format),
    receipt,
    tag,
    Uint8Array.from(numbers.flatMap((number) => [number >> 8, number & 255])),
  );
}

/**
 * What is hashed to the leaf of a ballot: 00 and the entry, with the receipt in 16 bytes of `receipts` from `at` on, and the
 * numbers of the options in their order. The same array for all ballots with as many options.
 */
export type LeafInput = (receipts: Uint8Array, at: number, options: ArrayLike<number>) => Uint8Array;

export function leafInput(format: Format, tag: Uint8Array): LeafInput {
  const byLength: Uint8Array[] = [];
  const made = (length: number) => {
    const entry = voteEntry(format, {
      receipt: new Uint8Array(receiptBytes),
      tag,
      options: new Array<number>(length).fill(0),
    });
    return (byLength[length] = concat(Uint8Array.of(0), entry));
  };
  return (receipts, at, options) => {
    const { length } = options;
    const bytes = byLength[length] ?? made(length);
    for (let i = 0; i < receiptBytes; i++) bytes[2 + i] = receipts[at + i]!;
    const first = bytes.length - 2 * length;
    for (let i = 0; i < length; i++) {
      const option = options[i]!;
      bytes[first + 2 * i] = option >> 8;
      bytes[first + 2 * i + 1] = option;
    }
    return bytes;
  };
}
