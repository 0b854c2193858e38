import { fromBase64, toBase64 } from './bytes.ts';
import { hashBytes } from './merkle.ts';
import { maxOptions } from './paper.ts';
import type { Format } from './paper.ts';
import { codeLength, readCode, receiptBytes } from './receipt.ts';
import { decisionActions } from './site-log.ts';
import type { LoggedDecision } from './site-log.ts';

/** What a ballots file says before its ballots. */
export interface BallotsHeader {
  /** That of the paper. */
  readonly format: Format;
  readonly origin: string;
  readonly version: number;
  /** Tag of the paper as it was when the poll opened. */
  readonly paper: Uint8Array;
  /** Tags of the papers with corrected wordings, in their order. */
  readonly amended: readonly Uint8Array[];
  /** Ids of the options, by their number. */
  readonly options: readonly string[];
  /** Votes per option that are in no log: imported, or cast before there was one. */
  readonly base: readonly number[];
  /** Size of the log after each batch: that of the batch’s checkpoint. */
  readonly batches: readonly number[];
  readonly decisions: readonly LoggedDecision[];
  readonly ballots: number;
}

/** “c” counted, “s” set aside by decision `decision`, “h” held by it. */
export type BallotStatus = { readonly status: 'c' } | { readonly status: 's' | 'h'; readonly decision: number };

/** The header of a ballots file, with the empty line after it. */
export const ballotsHeader = (header: BallotsHeader): string =>
  [
    `weathervane ballots ${header.format}`,
    `origin ${header.origin}`,
    `version ${header.version}`,
    `paper ${toBase64(header.paper)}`,
    ...header.amended.map((tag) => `amended ${toBase64(tag)}`),
    ...header.options.map((id, number) => `option ${number} ${id}`),
    ...header.base.map((votes, number) => `base ${number} ${votes}`),
    ...header.batches.map((size, index) => `batch ${index + 1} ${size}`),
    ...header.decisions.map(({ number, action, votes, reason }) => `decision ${number} ${action} ${votes} ${reason}`),
    `ballots ${header.ballots}`,
    '',
    '',
  ].join('\n');

/** The line of a ballot, with the numbers of its options in their order; the lines of a file are sorted by code. */
export const ballotLine = (code: string, options: ArrayLike<number>, batch: number, ballot: BallotStatus): string =>
  `${code}\t${options.length === 1 ? options[0] : Array.from(options).join()}\t${batch}\t${ballot.status === 'c' ? 'c' : `${ballot.status}${ballot.decision}`}\n`;

export const statusCounted = 0;
export const statusSetAside = 1;
export const statusHeld = 2;

/** The numbers of each ballot’s options, one list after the other. */
export class OptionLists {
  #numbers: Uint16Array;
  /** Where each list ends. */
  readonly #ends: Uint32Array;
  #rows = 0;
  #used = 0;

  /** For up to `rows` ballots; `numbers` is a guess of how many options they have together. */
  constructor(rows: number, numbers = rows) {
    this.#numbers = new Uint16Array(numbers);
    this.#ends = new Uint32Array(rows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** All numbers. */
  get numbers(): Uint16Array {
    return this.#numbers.subarray(0, this.#used);
  }

  /** Adds a number to the list of the next ballot. */
  push(option: number): void {
    if (this.#used === this.#numbers.length) {
      const more = new Uint16Array(2 * this.#used + 16);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.#used++] = option;
  }

  /** Ends the list of this ballot. */
  end(): void {
    this.#ends[this.#rows++] = this.#used;
  }

  of(row: number): Uint16Array {
    return this.#numbers.subarray(row === 0 ? 0 : this.#ends[row - 1]!, this.#ends[row]);
  }
}

/** A ballots file by columns: a million ballots as objects would take a hundred times the memory. */
export interface Ballots {
  readonly header: BallotsHeader;
  /** 16 bytes per ballot. */
  readonly receipts: Uint8Array;
  readonly options: OptionLists;
  /** From 1 on. */
  readonly batches: Uint32Array;
  /** `statusCounted`, `statusSetAside`, or `statusHeld`. */
  readonly statuses: Uint8Array;
  /** Number of the decision; 0 for counted ballots. */
  readonly decisions: Uint32Array;
}

/** A file that can’t be accepted, and where. */
export class BallotsFileError extends Error {
  readonly code: 'bad-format' | 'bad-order';
  /** From 1 on. */
  readonly line: number;

  constructor(code: 'bad-format' | 'bad-order', line: number) {
    super(`${code} in line ${line} of the ballots file`);
    this.code = code;
    this.line = line;
  }
}

const number = '(0|[1-9]\\d{0,14})';

/** Reads lines of the header one by one; every reading function stops the parser if the line isn’t what it expects. */
class HeaderLines {
  #next = 0;
  readonly #lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  fail(): never {
    throw new BallotsFileError('bad-format', this.#next);
  }

  /** The groups of the next line if it matches. */
  take(pattern: string): string[] | undefined {
    const match = new RegExp(`^${pattern}$`).exec(this.#lines[this.#next] ?? '');
    if (match) this.#next++;
    return match?.slice(1);
  }

  expect(pattern: string): string[] {
    const groups = this.take(pattern);
    if (groups) return groups;
    this.#next++;
    return this.fail();
  }

  /** As many lines as match. */
  all<T>(pattern: string, read: (groups: string[], index: number) => T): T[] {
    const values: T[] = [];
    for (let groups; (groups = this.take(pattern));) values.push(read(groups, values.length));
    return values;
  }

  tag(text: string): Uint8Array {
    const tag = fromBase64(text);
    return tag?.length === hashBytes ? tag : this.fail();
  }

  /** Fails unless a numbered line has the number of its place. */
  numbered(text: string, expected: number): void {
    if (text !== String(expected)) this.fail();
  }

  end(): void {
    if (this.#next !== this.#lines.length) {
      this.#next++;
      this.fail();
    }
  }
}

function parseHeader(text: string): BallotsHeader {
  const lines = new HeaderLines(text.split('\n'));
  const format = lines.expect('weathervane ballots ([12])')[0] === '1' ? 1 : 2;
  const [origin] = lines.expect('origin (\\S+)');
  const [version] = lines.expect('version ([1-9]\\d{0,8})');
  const paper = lines.tag(lines.expect('paper (\\S+)')[0]!);
  const amended = lines.all('amended (\\S+)', ([tag]) => lines.tag(tag!));
  const options = lines.all('option (\\d+) (\\S+)', ([at, id], index) => {
    lines.numbered(at!, index);
    return id!;
  });
  const base = lines.all(`base (\\d+) ${number}`, ([at, votes], index) => {
    lines.numbered(at!, index);
    return Number(votes);
  });
  if (options.length > maxOptions || base.length !== options.length) lines.fail();
  const batches: number[] = [];
  lines.all(`batch (\\d+) ${number}`, ([at, size], index) => {
    lines.numbered(at!, index + 1);
    // A batch adds at least one vote.
    if (Number(size) <= (batches.at(-1) ?? 0)) lines.fail();
    batches.push(Number(size));
  });
  const decisions: LoggedDecision[] = [];
  lines.all(`decision ([1-9]\\d{0,8}) (${decisionActions.join('|')}) ${number} (.+)`, ([at, action, votes, reason]) => {
    if (Number(at) <= (decisions.at(-1)?.number ?? 0)) lines.fail();
    const found = decisionActions.find((candidate) => candidate === action)!;
    decisions.push({ number: Number(at), action: found, votes: Number(votes), reason: reason! });
  });
  const ballots = Number(lines.expect(`ballots ${number}`)[0]);
  lines.end();
  const of = { format, origin: origin!, version: Number(version) } as const;
  return { ...of, paper, amended, options, base, batches, decisions, ballots };
}

const newline = 10;
const tab = 9;
const comma = 44;
const zero = 48;

/** Where the header ends: the index of the first of two newlines. */
function headerEnd(file: Uint8Array): number {
  for (let at = file.indexOf(newline); at >= 0; at = file.indexOf(newline, at + 1))
    if (file[at + 1] === newline) return at;
  throw new BallotsFileError('bad-format', 1);
}

/** The header of a ballots file; throws `BallotsFileError`. */
export const parseBallotsHeader = (file: Uint8Array): BallotsHeader =>
  parseHeader(new TextDecoder().decode(file.subarray(0, headerEnd(file))));

/**
 * Parses a ballots file strictly: every receipt has the right check bits, ascends, and names an option, a batch, and a
 * decision of the header. Throws `BallotsFileError`. `onProgress` gets the number of ballots read so far, every
 * `progressStep` ballots.
 */
export function parseBallots(file: Uint8Array, onProgress?: (ballots: number) => void): Ballots {
  const header = parseBallotsHeader(file);
  const start = headerEnd(file) + 2;
  const headerLines = file.subarray(0, start).reduce((lines, byte) => lines + (byte === newline ? 1 : 0), 0);
  // The header may claim any number: the file’s length limits what is allocated.
  const room = Math.ceil((file.length - start) / (codeLength + 1));
  const receipts = new Uint8Array(room * receiptBytes);
  const options = new OptionLists(room);
  const batches = new Uint32Array(room);
  const statuses = new Uint8Array(room);
  const decisions = new Uint32Array(room);
  const known = new Map(header.decisions.map((decision) => [decision.number, decision.action]));

  let at = start;
  let row = 0;
  const fail = (code: 'bad-format' | 'bad-order'): never => {
    throw new BallotsFileError(code, headerLines + row + 1);
  };
  /** A decimal number without leading zeros, which `end` follows, or `other`. */
  const readNumber = (end: number, other = end): number => {
    const first = at;
    let value = 0;
    for (; file[at]! >= zero && file[at]! <= zero + 9; at++) value = value * 10 + file[at]! - zero;
    const digits = at - first;
    if (digits === 0 || digits > 9 || (digits > 1 && file[first] === zero)) fail('bad-format');
    if (file[at] !== end && file[at] !== other) fail('bad-format');
    at++;
    return value;
  };
  for (; at < file.length; row++) {
    if (!readCode(file, at, receipts, row * receiptBytes) || file[at + codeLength] !== tab) fail('bad-format');
    at += codeLength + 1;
    if (row > 0 && !ascends(receipts, row)) fail('bad-order');
    do {
      const option = readNumber(tab, comma);
      if (option >= header.options.length) fail('bad-format');
      options.push(option);
    } while (file[at - 1] === comma);
    options.end();
    const batch = readNumber(tab);
    const letter = file[at++];
    const status = letter === 99 ? statusCounted : letter === 115 ? statusSetAside : letter === 104 ? statusHeld : -1;
    let decision = 0;
    if (status === statusCounted) {
      if (file[at++] !== newline) fail('bad-format');
    } else {
      decision = readNumber(newline);
      if (status < 0 || known.get(decision) !== (status === statusHeld ? 'hold' : 'set-aside')) fail('bad-format');
    }
    if (batch < 1 || batch > header.batches.length) fail('bad-format');
    batches[row] = batch;
    statuses[row] = status;
    decisions[row] = decision;
    if ((row + 1) % progressStep === 0) onProgress?.(row + 1);
  }
  return {
    header,
    receipts: receipts.subarray(0, row * receiptBytes),
    options,
    batches: batches.subarray(0, row),
    statuses: statuses.subarray(0, row),
    decisions: decisions.subarray(0, row),
  };
}

/** Ballots between two reports of progress. */
export const progressStep = 2_000;

/** Whether the receipt of a row is above that of the row before. */
function ascends(receipts: Uint8Array, row: number): boolean {
  const at = row * receiptBytes;
  for (let i = at; i < at + receiptBytes; i++) {
    const difference = receipts[i]! - receipts[i - receiptBytes]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** The row of a receipt, by binary search; -1 if the file doesn’t have it. */
export function findReceipt({ receipts }: Pick<Ballots, 'receipts'>, receipt: Uint8Array): number {
  let low = 0;
  let high = receipts.length / receiptBytes - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    let difference = 0;
    for (let i = 0; i < receiptBytes && difference === 0; i++)
      difference = receipts[middle * receiptBytes + i]! - receipt[i]!;
    if (difference === 0) return middle;
    if (difference < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
