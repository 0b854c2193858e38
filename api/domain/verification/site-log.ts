import { sha256 } from '@noble/hashes/sha2.js';
import { concat, toBase64, utf8 } from './bytes.ts';
import type { Sha256 } from './bytes.ts';
import { leafHash } from './merkle.ts';
import type { TreeHead } from './merkle.ts';
import { checkpointText } from './note.ts';

/** Entries of the site-wide log: lines of text, each ended by a newline. Their leaves are hashes of these texts. */

/** Kinds in the order in which one tick appends them. */
const kinds = ['key', 'restore', 'open', 'amend', 'reopen', 'checkpoint', 'decision', 'result', 'independent'] as const;
export type EntryKind = (typeof kinds)[number];

/** What a decision did: votes held or set aside, counted again by release, or because nobody confirmed the hold in time. */
export const decisionActions = ['hold', 'set-aside', 'release', 'expire'] as const;
export type DecisionAction = (typeof decisionActions)[number];

/** What a poll’s decision says in the site-wide log and in the header of its ballots file. */
export interface LoggedDecision {
  readonly number: number;
  readonly action: DecisionAction;
  readonly votes: number;
  /** One of a fixed list: free text can name people, and can’t be removed. */
  readonly reason: string;
}

/** Votes per option of a result, by status. */
export interface Tally {
  readonly counted: readonly number[];
  readonly setAside: readonly number[];
  readonly held: readonly number[];
}

/** Whether some ballot chose the option with this number; others that voters could have written are not shown. */
export const hasBallots = ({ counted, setAside, held }: Tally, option: number): boolean =>
  [counted, setAside, held].some((votes) => votes[option]! > 0);

/** The hour of a moment (milliseconds), such as “2026-11-22T10Z”. */
export const hourOf = (moment: number): string => `${new Date(moment).toISOString().slice(0, 13)}Z`;

const entry = (kind: EntryKind, ...lines: readonly (string | number)[]): string =>
  [`weathervane/${kind}/v1`, ...lines, ''].join('\n');

/** That a poll was reopened after the result `version`: only then may its log grow again. */
export const reopenEntry = (origin: string, version: number, hour: string): string =>
  entry('reopen', origin, version, hour);

export const keyEntry = (vkey: string, hour: string): string => entry('key', vkey, hour);

export const openEntry = (origin: string, tag: Uint8Array, options: number, hour: string): string =>
  entry('open', origin, toBase64(tag), options, hour);

/** `tag` is that of the paper with the corrected wording. */
export const amendEntry = (origin: string, tag: Uint8Array, hour: string): string =>
  entry('amend', origin, toBase64(tag), hour);

export const checkpointEntry = (origin: string, head: TreeHead, hour: string): string =>
  `${checkpointEntryStart(origin, head)}${hour}\n`;

const checkpointEntryStart = (origin: string, head: TreeHead): string =>
  `weathervane/checkpoint/v1\n${checkpointText(origin, head)}`;

export const decisionEntry = (
  origin: string,
  { number, action, votes, reason }: LoggedDecision,
  hour: string,
): string => entry('decision', origin, number, `${action} ${votes}`, reason, hour);

/**
 * A result: `sha256` is that of its ballots file. Format 2 says how many votes were recorded, and that the log grows no
 * further unless an entry says that the poll was reopened; results of format 1 promise neither.
 */
export interface LoggedResult extends TreeHead, Tally {
  readonly format?: 1 | 2;
  readonly version: number;
  readonly sha256: Uint8Array;
}

export const resultEntry = (origin: string, result: LoggedResult, hour: string): string =>
  [
    `weathervane/result/v${result.format ?? 2}`,
    origin,
    result.version,
    result.size,
    toBase64(result.root),
    toBase64(result.sha256),
    `counted ${result.counted.join(' ')}`,
    `set-aside ${result.setAside.join(' ')}`,
    `held ${result.held.join(' ')}`,
    // Every recorded vote is a leaf.
    ...(result.format === 1 ? [] : [`recorded ${result.size}`]),
    hour,
    '',
  ].join('\n');

/**
 * Votes of a flagged poll’s result `version` with at most one per network, in the order of its options. Nobody can count
 * them again, so that verifiers only show them.
 */
export const independentEntry = (origin: string, version: number, votes: readonly number[], hour: string): string =>
  entry('independent', origin, version, `votes ${votes.join(' ')}`, hour);

/** A log that continues another one after a restore of an older backup; `last` is the other one’s last known checkpoint. */
export const restoreEntry = (origin: string, last: string, hour: string): string =>
  entry('restore', origin, ...last.trimEnd().split('\n').filter(Boolean), hour);

/** Kind of an entry, and its lines without the first one; null if it is none of these. */
export function parseEntry(text: string): { kind: EntryKind; format: 1 | 2; lines: string[] } | null {
  const [first = '', ...lines] = text.split('\n');
  const isSecond = first === 'weathervane/result/v2';
  const kind = isSecond ? 'result' : kinds.find((candidate) => first === `weathervane/${candidate}/v1`);
  return kind && lines.pop() === '' && lines.every(Boolean) ? { kind, format: isSecond ? 2 : 1, lines } : null;
}

/** Whether an entry logs this checkpoint. */
export const logsCheckpoint = (text: string, origin: string, head: TreeHead): boolean =>
  text.startsWith(checkpointEntryStart(origin, head));

/** The entries of one tick in the order in which they are appended: by kind, then by origin, then as given. */
export function orderEntries(entries: readonly string[]): string[] {
  const keyed = entries.map((text) => {
    const parsed = parseEntry(text);
    if (!parsed) throw new Error(`Not an entry of the site-wide log: ${text}`);
    return { text, kind: kinds.indexOf(parsed.kind), origin: parsed.lines[0] ?? '' };
  });
  // A sort is stable: entries of one kind and origin keep their order.
  keyed.sort((a, b) => a.kind - b.kind || (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : 0));
  return keyed.map(({ text }) => text);
}

export const entryLeaf = (text: string, hash: Sha256 = sha256): Uint8Array => leafHash(utf8(text), hash);

/** Longest entry in an entry bundle: its length is two bytes there. */
const maxEntryBytes = 0xffff;

/** An entry bundle as in tlog-tiles: each entry after its length as two bytes. */
export function entryBundle(entries: readonly string[]): Uint8Array {
  return concat(
    ...entries.flatMap((text) => {
      const bytes = utf8(text);
      if (bytes.length > maxEntryBytes) throw new RangeError(`An entry of ${bytes.length} bytes is too long.`);
      return [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes];
    }),
  );
}

/** The entries of a bundle; null if its lengths don’t fit. */
export function parseEntryBundle(bytes: Uint8Array): string[] | null {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const entries: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + 2;
    const end = start + bytes[at]! * 256 + (bytes[at + 1] ?? 0);
    if (end > bytes.length) return null;
    entries.push(decoder.decode(bytes.subarray(start, end)));
    at = end;
  }
  return entries;
}
