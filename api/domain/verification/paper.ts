import { sha256 } from '@noble/hashes/sha2.js';
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
  /** What a choice is; missing on papers of format 1, whose ballots name one option. */
  readonly choice?: Choice | undefined;
}

/** What a ballot of format 2 chooses, which is a list of options: “one” is a list of one, a vote for that option. */
export const choices = ['one'] as const;
export type Choice = (typeof choices)[number];

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

/** What is hashed to the leaves of a poll’s ballots with one option: 00 and the entry. */
export interface LeafInput {
  /** The same array for every ballot. */
  readonly bytes: Uint8Array;
  /** Puts in what differs between ballots: the receipt, 16 bytes of `receipts` from `at` on, and the number of the option. */
  fill(receipts: Uint8Array, at: number, option: number): void;
}

export function leafInput(format: Format, tag: Uint8Array): LeafInput {
  const entry = voteEntry(format, { receipt: new Uint8Array(receiptBytes), tag, options: [0] });
  const bytes = concat(Uint8Array.of(0), entry);
  const end = bytes.length;
  return {
    bytes,
    fill(receipts, at, option) {
      for (let i = 0; i < receiptBytes; i++) bytes[2 + i] = receipts[at + i]!;
      bytes[end - 2] = option >> 8;
      bytes[end - 1] = option;
    },
  };
}
