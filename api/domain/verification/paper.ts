import { concat, uint32, utf8 } from './bytes.ts';
import { sha256 } from './sha256.ts';
import type { Sha256 } from './sha256.ts';

/** What a poll asks, fixed when it opens. The number of an option is its position here. */
export interface Paper {
  /** Name of the poll’s log, such as “weathervane.example/integrity/poll/k7m2q9x4t1b8c3d5”. */
  readonly origin: string;
  /** Id of the poll. */
  readonly poll: string;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

/** A ballot’s option is two bytes in its entry. */
export const maxOptions = 0xffff;

function field(text: string): Uint8Array {
  const bytes = utf8(text);
  return concat(uint32(bytes.length), bytes);
}

/** The bytes of a paper: every text with its length before it, so that no two papers have the same bytes. */
export const paperBytes = ({ origin, poll, question, options }: Paper): Uint8Array =>
  concat(
    ...['weathervane/paper/v1', origin, poll, question].map(field),
    uint32(options.length),
    ...options.flatMap(({ id, label }) => [field(id), field(label)]),
  );

/** The tag of a paper, 32 bytes: it is in every entry, and so binds a vote to the wording. */
export const tagOf = (paper: Paper, hash: Sha256 = sha256): Uint8Array => hash(paperBytes(paper));

/** The entry of a vote, 51 bytes: 01, receipt (16 bytes), tag (32 bytes), number of the option (two bytes). */
export function voteEntry(receipt: Uint8Array, tag: Uint8Array, option: number): Uint8Array {
  const entry = new Uint8Array(51);
  entry[0] = 1;
  entry.set(receipt, 1);
  entry.set(tag, 17);
  entry[49] = option >> 8;
  entry[50] = option & 255;
  return entry;
}
