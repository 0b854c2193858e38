import { sha256 } from '@noble/hashes/sha2.js';
import {
  BallotsFileError,
  findReceipt,
  parseBallots,
  progressStep,
  statusCounted,
  statusHeld,
  statusSetAside,
} from './ballots-file.ts';
import type { Ballots, BallotsHeader } from './ballots-file.ts';
import { compareBytes, equalBytes, toBase64 } from './bytes.ts';
import { differencesFrom } from './comparison.ts';
import type { Difference, Merged, Totals } from './comparison.ts';
import { AppendTree, hashBytes, rootOfLeaves, verifyConsistency, verifyInclusion } from './merkle.ts';
import type { TreeHead } from './merkle.ts';
import { instantRunoff, isSameRunoff } from './instant-runoff.ts';
import type { Runoff } from './instant-runoff.ts';
import { checkpointText, openCheckpoint, parseCheckpoint, parseVerifierKey } from './note.ts';
import type { Checkpoint, Verify } from './note.ts';
import { choiceRuleOf, formatOf, isRanked, leafInput, numbersOf, tagOf } from './paper.ts';
import type { Format, Paper } from './paper.ts';
import { checkPromise } from './promise.ts';
import type { PromisedVote, PromiseVerdict } from './promise.ts';
import { receiptBytes } from './receipt.ts';
import { entryLeaf, logsCheckpoint, openEntry, parseEntry, resultEntry } from './site-log.ts';
import type { Tally } from './site-log.ts';
import { cosignatureBy, parseWitnessKey } from './witness.ts';

/** Votes that a batch has at least, unless it is the last one before a result. */
export const leastBatch = 10;

/** What a recount finds: everything in order, or the first thing that isn’t. */
export const verdicts = [
  'ok',
  'bad-format',
  'bad-order',
  'wrong-origin',
  'wrong-paper',
  'unknown-key',
  'bad-signature',
  'bad-site-log',
  'size-mismatch',
  'root-mismatch',
  'not-in-site-log',
  'file-not-in-site-log',
  'tally-mismatch',
  'closed-log-grew',
  'small-batch',
  'site-differs',
  'broken-promise',
  'history-rewritten',
  'not-cosigned',
] as const;
export type Verdict = (typeof verdicts)[number];

/** An entry of the site-wide log with its inclusion proof. */
export interface ProvenEntry {
  readonly index: number;
  readonly text: string;
  readonly proof: readonly Uint8Array[];
}

/** The site-wide log: its newest checkpoint, and either all its entries or the poll’s, in the order of the log. */
export interface SiteEvidence {
  readonly note: string;
  readonly entries: readonly string[] | readonly ProvenEntry[];
  /** How keys that have signed the log followed each other, oldest first. */
  readonly handovers?: readonly KeyHandover[];
  /** Verifier keys of the witnesses that the site asks. */
  readonly witnesses?: readonly string[];
  /** Checkpoints that witnesses have cosigned. */
  readonly cosigned?: readonly CosignedCheckpoint[];
}

/** A checkpoint with cosignatures, as a note, and the proof that the newest checkpoint continues it. */
export interface CosignedCheckpoint {
  readonly note: string;
  readonly proof: readonly Uint8Array[];
}

/** A checkpoint of a site-wide log that a key signed, and the entry in it that announces the next key. */
export interface KeyHandover {
  readonly note: string;
  readonly entry: ProvenEntry;
}

/** Everything a poll has published. */
export interface Evidence {
  readonly file: Uint8Array;
  readonly paper: Paper;
  /** Signed checkpoints of the poll’s log, oldest first; that of the empty log may be left out. */
  readonly checkpoints: readonly string[];
  /** Null for polls that aren’t public: their logs aren’t in the site-wide one. */
  readonly site: SiteEvidence | null;
}

/** A checkpoint seen before, and the proof that the log still begins with what it had then. */
export interface RememberedHead {
  readonly head: TreeHead;
  readonly proof: readonly Uint8Array[];
  /** The last checkpoint of the log that was seen, if another one has continued it since: the proof leads to that. */
  readonly continued?: string | undefined;
}

/** What the reader knows without the published files. */
export interface Expectations {
  /** Id of the poll. */
  readonly poll: string;
  /** Name of the site-wide log. */
  readonly siteOrigin: string;
  /** Ed25519 keys that the reader trusts, 32 bytes each. */
  readonly keys: readonly Uint8Array[];
  readonly remembered?: RememberedHead | undefined;
  /** Verifier keys of witnesses that the reader trusts and requires, instead of those that the site names. */
  readonly witnesses?: readonly string[] | undefined;
  /** {@link leastBatch}, but for test vectors. */
  readonly leastBatch?: number | undefined;
  /** Votes per option that others count, votes outside the log included. */
  readonly totals?: Totals | undefined;
  /** The rounds that the site counts, of a poll that ranks options. */
  readonly runoff?: Runoff | undefined;
  readonly merged?: Merged | undefined;
  /** The paper with the written answers as the site shows them, which the newest correction of its wording must have. */
  readonly wording?: Paper | undefined;
  /** What the site itself says about its result not matching the log; null if nothing. */
  readonly admitted?: string | null | undefined;
}

/** Where one of the reader’s receipts is in the file: its option and status; null if it isn’t there. */
export type FoundBallot = {
  options: readonly number[];
  status: 'counted' | 'set-aside' | 'held';
  reason: string | null;
} | null;

/** The outcome of a recount. What was established before a failure is there too. */
export interface RecountResult {
  readonly verdict: Verdict;
  /** What failed, for people who look into it: a line, a number of a checkpoint. */
  readonly detail: string | null;
  readonly header: BallotsHeader | null;
  readonly tally: Tally | null;
  /** The rounds of counted ballots that rank options; null for other polls. */
  readonly runoff: Runoff | null;
  /** Totals that differ from the recounted ones. */
  readonly differences: readonly Difference[];
  /** The verified checkpoint of the site-wide log. */
  readonly siteHead: TreeHead | null;
  /** Names of the witnesses that have cosigned the log with all entries of the poll, of those asked; null without any. */
  readonly cosigned: { readonly by: readonly string[]; readonly of: number } | null;
  /** The keys to trust from now on: those that were trusted, and those that the verified log announces. */
  readonly keys: readonly Uint8Array[];
  /** One per receipt that was looked up. */
  readonly found: readonly FoundBallot[];
  /** One per promised vote. */
  readonly promises: readonly PromiseFinding[];
}

/**
 * What became of a promise: `kept`, the vote is in the file; `broken`, it isn’t, though it had to be; `later`, it has to be in
 * a later version only; otherwise what is wrong with the promise itself, which then shows nothing.
 */
export type PromiseFinding = 'kept' | 'broken' | 'later' | Exclude<PromiseVerdict, 'ok'>;

class Failure extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, detail: string) {
    super(detail);
    this.verdict = verdict;
  }
}

function require(holds: boolean, verdict: Verdict, detail: string): asserts holds {
  if (!holds) throw new Failure(verdict, detail);
}

async function opened(note: string, keys: readonly Uint8Array[], verify: Verify, what: string): Promise<Checkpoint> {
  const checkpoint = await openCheckpoint(note, keys, verify);
  if (typeof checkpoint === 'string') throw new Failure(checkpoint, what);
  return checkpoint;
}

/** Proves entries against the signed checkpoint of the site-wide log; their texts. */
function provenEntries(entries: SiteEvidence['entries'], head: TreeHead): string[] {
  const whole = entries.filter((entry) => typeof entry === 'string');
  if (whole.length > 0) {
    const root = rootOfLeaves(whole.map((text) => entryLeaf(text)));
    require(head.size === whole.length && equalBytes(head.root, root), 'bad-site-log', 'entries of the site-wide log');
    return whole;
  }
  let last = -1;
  return entries
    .filter((entry) => typeof entry !== 'string')
    .map(({ index, text, proof }) => {
      const proven = index > last && verifyInclusion({ ...head, leaf: entryLeaf(text), index }, proof);
      require(proven, 'bad-site-log', `entry ${index} of the site-wide log`);
      last = index;
      return text;
    });
}

/** What the origins of site-wide logs that continue each other have in common. */
const seriesOf = (siteOrigin: string): string => siteOrigin.replace(/\/log\/\d+$/, '/log');

/** The trusted keys, and those that a log announces which one of them signed: the others only sign after 30 days. */
async function keysAfter(
  handovers: readonly KeyHandover[],
  { siteOrigin, keys: trusted }: Expectations,
  verify: Verify,
): Promise<Uint8Array[]> {
  const keys = [...trusted];
  for (const { note, entry } of handovers) {
    const head = await openCheckpoint(note, keys, verify);
    if (typeof head === 'string') continue;
    // The keys sign the logs of polls as well, whose leaves are no entries.
    require(seriesOf(head.origin) === seriesOf(siteOrigin), 'bad-site-log', 'handover in another log');
    if (verifyInclusion({ ...head, leaf: entryLeaf(entry.text), index: entry.index }, entry.proof))
      keys.push(...announcedKeys([entry.text]));
  }
  return keys;
}

/** Verifies the site-wide log: its signature, its entries, and that it begins with what this reader saw earlier. */
async function checkSite(
  site: SiteEvidence,
  expected: Expectations,
  verify: Verify,
): Promise<{ head: TreeHead; entries: string[] }> {
  const { siteOrigin, remembered } = expected;
  const keys = await keysAfter(site.handovers ?? [], expected, verify);
  const what = 'checkpoint of the site-wide log';
  const head = await opened(site.note, keys, verify, what);
  require(head.origin === siteOrigin, 'bad-site-log', what);
  const entries = provenEntries(site.entries, head);
  if (remembered) {
    const { head: earlier, proof, continued } = remembered;
    let later: TreeHead = head;
    if (continued !== undefined) {
      const last = await opened(continued, keys, verify, 'last checkpoint of the continued log');
      const carried = `\n${checkpointText(last.origin, last)}`;
      const isCarried = entries.some((text) => parseEntry(text)?.kind === 'restore' && text.includes(carried));
      require(isCarried, 'history-rewritten', `no entry continues ${last.origin}`);
      later = last;
    }
    const detail = `size ${earlier.size} seen earlier, size ${later.size} now`;
    require(verifyConsistency(earlier, later, proof), 'history-rewritten', detail);
  }
  return { head, entries };
}

/** The witnesses that have cosigned the log with all entries of the poll; fails if one that the reader requires has not. */
async function checkCosignatures(
  { site, paper: { origin } }: Evidence,
  { witnesses: required }: Expectations,
  head: TreeHead | null,
  verify: Verify,
): Promise<RecountResult['cosigned']> {
  const asked = (required ?? site?.witnesses ?? []).flatMap((key) => parseWitnessKey(key) ?? []);
  const by = new Set<string>();
  for (const { note, proof } of site?.cosigned ?? []) {
    const cosigned = parseCheckpoint(note);
    const isWhole = cosigned && cosigned.size >= sizeWithEntriesOf(origin, site!.entries);
    if (!isWhole || !head || !verifyConsistency(cosigned, head, proof)) continue;
    for (const witness of asked) {
      const cosignature = await cosignatureBy(witness, note, verify);
      require(cosignature !== 'bad-signature', 'bad-signature', `cosignature by ${witness.name}`);
      if (cosignature) by.add(witness.name);
    }
  }
  const missing = required && asked.find(({ name }) => !by.has(name));
  require(missing === undefined, 'not-cosigned', missing?.name ?? '');
  return asked.length === 0 ? null : { by: [...by], of: asked.length };
}

/** The smallest size of the site-wide log that has all these entries of a poll’s log. */
function sizeWithEntriesOf(origin: string, entries: SiteEvidence['entries']): number {
  const place = entries.findLastIndex((entry) => {
    const text = typeof entry === 'string' ? entry : entry.text;
    return parseEntry(text)?.lines[0] === origin;
  });
  const last = entries[place];
  return last === undefined ? 0 : typeof last === 'string' ? place + 1 : last.index + 1;
}

/** Keys that the site-wide log announces: whoever trusts the log’s signature trusts them. */
const announcedKeys = (entries: readonly string[]): Uint8Array[] =>
  entries.flatMap((text) => {
    const entry = parseEntry(text);
    const key = entry?.kind === 'key' ? parseVerifierKey(entry.lines[0] ?? '') : null;
    return key ? [key.publicKey] : [];
  });

/** Leaf hashes of all ballots, 32 bytes each, in the order of the file. */
function leavesOf(ballots: Ballots, format: Format, onProgress: (ballots: number) => void): Uint8Array {
  const count = ballots.options.rows;
  const leaves = new Uint8Array(count * hashBytes);
  const input = leafInput(format, ballots.header.paper);
  for (let row = 0; row < count; row++) {
    leaves.set(sha256(input(ballots.receipts, row * receiptBytes, ballots.options.of(row))), row * hashBytes);
    if ((row + 1) % progressStep === 0) onProgress(row + 1);
  }
  return leaves;
}

/** The rows of each batch, sorted by leaf hash. */
function rowsByBatch({ header, batches }: Ballots, leaves: Uint8Array): Uint32Array[] {
  const sizes = new Uint32Array(header.batches.length);
  for (const batch of batches) sizes[batch - 1]!++;
  const rows = Array.from(sizes, (size) => new Uint32Array(size));
  const filled = new Uint32Array(sizes.length);
  // Comparing the first 48 bits as numbers is much faster than comparing bytes, and nearly always enough.
  const prefixes = new Float64Array(batches.length);
  for (const [row, batch] of batches.entries()) {
    rows[batch - 1]![filled[batch - 1]!++] = row;
    for (let i = 0; i < 6; i++) prefixes[row] = prefixes[row]! * 256 + leaves[row * hashBytes + i]!;
  }
  const leaf = (row: number) => leaves.subarray(row * hashBytes, (row + 1) * hashBytes);
  for (const batch of rows) batch.sort((a, b) => prefixes[a]! - prefixes[b]! || compareBytes(leaf(a), leaf(b)));
  return rows;
}

/** Votes per option by status: a ballot has one for each of its options, or for the first of those that it ranks. */
function tallyOf({ paper }: Evidence, { header, options, statuses }: Ballots): Tally {
  const tally = [statusCounted, statusSetAside, statusHeld].map(() => header.options.map(() => 0));
  const first = isRanked(paper) ? 1 : undefined;
  for (let row = 0; row < options.rows; row++)
    for (const option of options.of(row).subarray(0, first)) tally[statuses[row]!]![option]!++;
  return { counted: tally[statusCounted]!, setAside: tally[statusSetAside]!, held: tally[statusHeld]! };
}

/** The rounds of the counted ballots; null unless the paper says that they rank options. */
function runoffOf({ paper }: Evidence, { header, options, statuses }: Ballots): Runoff | null {
  if (!isRanked(paper)) return null;
  const rankings = new Map<string, { options: readonly number[]; votes: number }>();
  for (let row = 0; row < options.rows; row++) {
    if (statuses[row] !== statusCounted) continue;
    const name = options.of(row).join();
    const same = rankings.get(name);
    if (same) same.votes++;
    else rankings.set(name, { options: Array.from(options.of(row)), votes: 1 });
  }
  return instantRunoff(header.options.length, [...rankings.values()]);
}

/** Rebuilds the root of every checkpoint from the ballots. */
function checkTree(
  ballots: Ballots,
  format: Format,
  checkpoints: readonly Checkpoint[],
  entries: readonly string[] | null,
  onProgress: (fraction: number) => void,
): void {
  const { header } = ballots;
  const count = ballots.options.rows;
  const leaves = leavesOf(ballots, format, (row) => onProgress(row / count / 3));
  const rows = rowsByBatch(ballots, leaves);
  const tree = new AppendTree();
  require(checkpoints.length === rows.length, 'size-mismatch', 'number of checkpoints');
  for (const [index, checkpoint] of checkpoints.entries()) {
    const what = `checkpoint ${index + 1}`;
    for (const row of rows[index]!) {
      tree.append(leaves.subarray(row * hashBytes, (row + 1) * hashBytes));
      if (tree.size % progressStep === 0) onProgress((1 + (2 * tree.size) / count) / 3);
    }
    require(checkpoint.size === tree.size && header.batches[index] === tree.size, 'size-mismatch', what);
    require(equalBytes(checkpoint.root, tree.root()), 'root-mismatch', what);
    if (entries) {
      const logged = entries.some((text) => logsCheckpoint(text, header.origin, checkpoint));
      require(logged, 'not-in-site-log', what);
    }
  }
  require(header.ballots === count, 'size-mismatch', 'number of ballots');
}

/** Compares the file with what the site-wide log says about the poll: paper, amendments, result, and decisions. */
function checkResult(
  { file }: Evidence,
  ballots: Ballots,
  tally: Tally,
  last: TreeHead,
  entries: readonly string[],
): void {
  const { header } = ballots;
  const own = entriesOf(header.origin, entries);
  const opening = openEntry(header.origin, header.paper, header.options.length, '').trimEnd();
  const opens = own.filter(({ kind }) => kind === 'open');
  require(opens.length === 1 && opens[0]!.text.startsWith(`${opening}\n`), 'not-in-site-log', 'opening of the poll');

  const resultAt = own.findLastIndex(({ kind }) => kind === 'result');
  const result = own[resultAt];
  const digest = sha256(file);
  require(result?.lines[4] === toBase64(digest), 'file-not-in-site-log', `version ${header.version} of the file`);
  const { format } = result;
  const expected = resultEntry(
    header.origin,
    { ...last, ...tally, format, version: header.version, sha256: digest },
    '',
  );
  require(result.text.startsWith(expected.trimEnd()), 'tally-mismatch', 'result in the site-wide log');

  const before = own.slice(0, resultAt);
  const amended = before.filter(({ kind }) => kind === 'amend').map(({ lines }) => lines[1]);
  require(amended.join() === header.amended.map(toBase64).join(), 'not-in-site-log', 'amendments');
  // A decision may be followed by another state of it: the last one counts.
  const decisions = new Map(
    before.filter(({ kind }) => kind === 'decision').map(({ lines }) => [lines[1], lines.slice(2, 4).join(' ')]),
  );
  require(decisions.size === header.decisions.length, 'not-in-site-log', 'number of decisions');
  for (const { number, action, votes, reason } of header.decisions)
    require(decisions.get(String(number)) === `${action} ${votes} ${reason}`, 'not-in-site-log', `decision ${number}`);
}

/** The entries about a poll, in the order of the site-wide log. */
const entriesOf = (origin: string, entries: readonly string[]) =>
  entries.flatMap((text) => {
    const entry = parseEntry(text);
    return entry?.lines[0] === origin ? [{ text, ...entry }] : [];
  });

/** No vote was added after a result unless an entry had said that the poll was reopened. */
function checkClosed(origin: string, entries: readonly string[]): void {
  let closedAt: number | null = null;
  for (const { kind, format, lines } of entriesOf(origin, entries)) {
    const size = Number(lines[kind === 'result' ? 2 : 1]);
    if (kind === 'reopen') closedAt = null;
    if (kind === 'checkpoint' || kind === 'result')
      require(closedAt === null ||
        size === closedAt, 'closed-log-grew', `${size} votes after a result with ${closedAt}`);
    if (kind === 'result' && format === 2) closedAt = size;
  }
}

/** Every batch hides its votes among enough others, but for the last one before a result. */
function checkBatches({ origin, batches }: BallotsHeader, entries: readonly string[], least: number): void {
  const results = entriesOf(origin, entries).filter(({ kind }) => kind === 'result');
  const ended = new Set([...results.map(({ lines }) => Number(lines[2])), batches.at(-1)]);
  for (const [place, size] of batches.entries()) {
    const added = size - (batches[place - 1] ?? 0);
    require(added >= least || ended.has(size), 'small-batch', `batch ${place + 1} with ${added} votes`);
  }
}

/** Every decision in the header has as many ballots as it says. */
function checkDecisions({ header, decisions }: Ballots): void {
  const votes = new Map<number, number>();
  for (const decision of decisions) votes.set(decision, (votes.get(decision) ?? 0) + 1);
  for (const { number, action, votes: claimed } of header.decisions) {
    // Released votes are counted again, and no longer marked.
    const marked = action === 'hold' || action === 'set-aside' ? claimed : 0;
    require((votes.get(number) ?? 0) === marked, 'tally-mismatch', `decision ${number}`);
  }
}

/** The header’s origin, paper, and options are those of the poll that was asked for. */
function checkPaper({ paper }: Evidence, header: BallotsHeader, expected: Expectations): void {
  require(paper.poll === expected.poll, 'wrong-origin', `poll ${paper.poll}`);
  require(header.origin === paper.origin, 'wrong-origin', header.origin);
  require(header.format === formatOf(paper), 'bad-format', `format ${header.format}`);
  require(choiceRuleOf(paper) !== null, 'bad-format', `choice ${paper.choice}`);
  require(equalBytes(tagOf(paper), header.paper), 'wrong-paper', 'question and options');
  require(paper.options.map(({ id }) => id).join('\n') === header.options.join('\n'), 'wrong-paper', 'options');
}

/** Every ballot chooses what the paper allows. */
function checkChoices({ paper }: Evidence, { options }: Ballots): void {
  const rule = choiceRuleOf(paper)!;
  if (rule.max === 1 && options.numbers.length === options.rows) return;
  for (let row = 0; row < options.rows; row++) {
    const chosen = options.of(row);
    const isAllowed = chosen.length >= rule.min && chosen.length <= rule.max;
    const isDistinct =
      rule.method === 'ranked'
        ? new Set(chosen).size === chosen.length
        : chosen.every((option, place) => place === 0 || option > chosen[place - 1]!);
    require(isAllowed && isDistinct, 'bad-format', `options of ballot ${row + 1}`);
  }
}

/** What the file says in a row that `findReceipt` returned. */
export function foundAt(ballots: Ballots, row: number): FoundBallot {
  if (row < 0) return null;
  const status = ballots.statuses[row];
  const decision = ballots.header.decisions.find(({ number }) => number === ballots.decisions[row]);
  return {
    options: Array.from(ballots.options.of(row)),
    status: status === statusCounted ? 'counted' : status === statusHeld ? 'held' : 'set-aside',
    reason: decision?.reason ?? null,
  };
}

/** What became of the promise about a vote. */
async function promiseFinding(
  { paper }: Evidence,
  ballots: Ballots,
  vote: PromisedVote,
  keys: readonly Uint8Array[],
  verify: Verify,
): Promise<PromiseFinding> {
  const verdict = await checkPromise(paper, vote, keys, verify);
  if (verdict !== 'ok') return verdict;
  const row = findReceipt(ballots, vote.receipt);
  // Entries of a poll differ in receipt and options only: with both, the leaf is there.
  if (row >= 0 && ballots.options.of(row).join() === numbersOf(paper, vote)?.join()) return 'kept';
  return ballots.header.version >= vote.promise.result ? 'broken' : 'later';
}

/**
 * Recounts a poll from what it published, and compares every step with what is signed. Never throws for bad evidence: the
 * verdict says what is wrong. `receipts` (16 bytes each) are looked up in the file, and so are `promised` votes. `onProgress` gets 0 to 1.
 */
export async function recount(
  evidence: Evidence,
  expected: Expectations,
  verify: Verify,
  {
    receipts = [],
    promised = [],
    onProgress,
  }: {
    receipts?: readonly Uint8Array[];
    promised?: readonly PromisedVote[];
    onProgress?: (fraction: number) => void;
  } = {},
): Promise<RecountResult> {
  const established: { -readonly [Key in keyof RecountResult]: RecountResult[Key] } = {
    verdict: 'ok',
    detail: null,
    header: null,
    tally: null,
    runoff: null,
    differences: [],
    siteHead: null,
    cosigned: null,
    keys: expected.keys,
    found: [],
    promises: [],
  };
  try {
    const site = evidence.site && (await checkSite(evidence.site, expected, verify));
    established.cosigned = await checkCosignatures(evidence, expected, site?.head ?? null, verify);
    const ballots = parseBallots(evidence.file, (row) => onProgress?.((row * 28) / evidence.file.length / 4));
    const { header } = ballots;
    established.header = header;
    established.found = receipts.map((receipt) => foundAt(ballots, findReceipt(ballots, receipt)));
    established.tally = tallyOf(evidence, ballots);
    checkPaper(evidence, header, expected);
    checkChoices(evidence, ballots);
    established.runoff = runoffOf(evidence, ballots);
    const announced = announcedKeys(site?.entries ?? []);
    const keys = [
      ...expected.keys,
      ...announced.filter((key) => !expected.keys.some((trusted) => equalBytes(key, trusted))),
    ];
    const checkpoints: Checkpoint[] = [];
    for (const [index, note] of evidence.checkpoints.entries()) {
      const checkpoint = await opened(note, keys, verify, `checkpoint ${index}`);
      require(checkpoint.origin === header.origin, 'wrong-origin', checkpoint.origin);
      checkpoints.push(checkpoint);
    }
    const empty: TreeHead = { size: 0, root: new AppendTree().root() };
    if (checkpoints[0]?.size === 0) {
      require(equalBytes(checkpoints[0].root, empty.root), 'root-mismatch', 'checkpoint 0');
      checkpoints.shift();
    }
    checkTree(ballots, formatOf(evidence.paper), checkpoints, site?.entries ?? null, (fraction) =>
      onProgress?.((1 + 3 * fraction) / 4),
    );
    if (site) checkResult(evidence, ballots, established.tally, checkpoints.at(-1) ?? empty, site.entries);
    // Otherwise the site could show the votes for one answer under another one.
    if (site && expected.wording)
      require(equalBytes(
        tagOf(expected.wording),
        header.amended.at(-1) ?? header.paper,
      ), 'wrong-paper', 'written answers');
    checkDecisions(ballots);
    checkClosed(header.origin, site?.entries ?? []);
    // Without the site-wide log, nothing says which batches were the last ones before an earlier result.
    if (site) checkBatches(header, site.entries, expected.leastBatch ?? leastBatch);
    established.promises = await Promise.all(
      promised.map((vote) => promiseFinding(evidence, ballots, vote, keys, verify)),
    );
    require(!established.promises.includes('broken'), 'broken-promise', `version ${header.version}`);
    const { counted } = established.tally;
    const logged = header.base.map((votes, option) => votes + counted[option]!);
    established.differences = differencesFrom(logged, expected.totals ?? {}, expected.merged);
    const sources = new Set(established.differences.map(({ source }) => source));
    require(sources.size === 0, 'tally-mismatch', `totals: ${[...sources].join(', ')}`);
    const { runoff } = established;
    if (runoff && expected.runoff) require(isSameRunoff(runoff, expected.runoff), 'tally-mismatch', 'rounds');
    require((expected.admitted ?? null) === null, 'site-differs', expected.admitted ?? '');
    // Only now: a checkpoint of a site that contradicts itself must not replace the remembered one.
    established.siteHead = site?.head ?? null;
    established.keys = keys;
  } catch (error) {
    if (error instanceof Failure) [established.verdict, established.detail] = [error.verdict, error.message];
    else if (error instanceof BallotsFileError)
      [established.verdict, established.detail] = [error.code, `line ${error.line}`];
    else throw error;
  }
  return established;
}
