import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants, createGzip } from 'node:zlib';
import type { BallotPaper } from './integrity-log.contract.ts';
import { reasons } from '#domain/integrity/reasons.ts';
import type { Reason } from '#domain/integrity/reasons.ts';
import { OptionLists, ballotLine, ballotsHeader } from '#domain/verification/ballots-file.ts';
import type { BallotStatus } from '#domain/verification/ballots-file.ts';
import { fromBase64, toBase64 } from '#domain/verification/bytes.ts';
import { hashBytes } from '#domain/verification/merkle.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { formatOf, isRanked } from '#domain/verification/paper.ts';
import { encodeReceipt, receiptBytes } from '#domain/verification/receipt.ts';
import { hourOf, resultEntry } from '#domain/verification/site-log.ts';
import type { DecisionAction, LoggedDecision, Tally } from '#domain/verification/site-log.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import type { Database } from '#platform/database.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import { incompleteness } from './batches.service.ts';
import { leafMaker } from './leaves.service.ts';
import { sha256 } from './signing.ts';
import { commit } from './site-log.service.ts';
import type { LogContext } from './site-log.service.ts';
import { sortedLeaves, sortedOrder } from './tree.ts';
import { leafTiles, oldestWaiting } from './tiles.queries.ts';
import {
  amendmentsOf,
  ballotFacts,
  checkpointSizes,
  decisionsWithActions,
  newestActionOf,
  newestNote,
  optionFacts,
} from './vote-log.queries.ts';
import type { ActionRow, PollLogRow, ResultRow } from './vote-log.queries.ts';
import { votesOfBallot } from './votes.queries.ts';

/** Lines of a ballots file that are made at once. */
const linesAtOnce = 5_000;
/** Bytes of a part of a file in the database: votes wait for the transaction that stores one. */
const partBytes = 512 * 1024;

/** Tiles that are read at once. */
const tilesAtOnce = 64;

/** Receipts are random, so there is little to find but the few characters that a line consists of. */
const compression = { level: 1, strategy: constants.Z_HUFFMAN_ONLY } as const;

/** A ballots file in memory, by columns in the order of the votes’ ids. */
export interface LoggedBallots {
  readonly receipts: Buffer;
  readonly options: OptionLists;
  readonly batches: Uint32Array;
  /** Keys of decisions; 0 for counted ballots. */
  readonly decisions: Uint32Array;
}

/** What an action did to the votes of its decision: confirming a hold sets them aside. */
export const actionOf = (action: string): DecisionAction | null =>
  action === 'confirm'
    ? 'set-aside'
    : action === 'hold' || action === 'set-aside' || action === 'release' || action === 'expire'
      ? action
      : null;

/** A decision as its newest action left it. */
export function loggedDecision({ number, action, votes, reason }: ActionRow): LoggedDecision | null {
  const done = actionOf(action);
  return done && { number, action: done, votes, reason: reasons[reason as Reason] };
}

/**
 * Publishes the result of a closed log: the ballots file, and its entry in the site-wide log. Nothing happens when it would
 * say the same as the version before. A file that does not match the log is not published, and the operator is alerted.
 */
export async function publishResult(context: LogContext, log: PollLogRow): Promise<void> {
  const { db, clock, log: logger } = context;
  const [ballot] = await ballotFacts(db, [log.ballot_key]);
  if (ballot === undefined) return;
  const options = await optionFacts(db, log.ballot_id);
  const decisions = await decisionsWithActions(db, log.ballot_id);
  const numbers = new Map(decisions.map((row) => [row.decision_key, loggedDecision(row)]));
  const ballots = await readBallots(db, log, numbers);
  if (ballots === null) {
    // The secret is deleted 30 days after the end; from then on the last version is final.
    await db('vote_logs').where({ key: log.key }).update({ result_due: false });
    return;
  }
  if (typeof ballots === 'string') {
    if (ballots === log.problem) return;
    logger.error({ poll: log.ballot_id, problem: ballots }, 'the votes of a poll differ from its log');
    await db('vote_logs').where({ key: log.key }).update({ problem: ballots });
    return;
  }
  const paper = JSON.parse(log.paper) as BallotPaper;
  const facts = {
    ...{ format: formatOf(paper), origin: log.origin },
    paper: fromBase64(log.tag)!,
    amended: (await amendmentsOf(db, log.key)).map((tag) => fromBase64(tag)!),
    options: paper.options.map(({ id }) => id),
    base: paper.options.map(({ id }) => options.find(({ option_id }) => option_id === id)?.base ?? 0),
    batches: await checkpointSizes(db, log.key),
    decisions: [...numbers.values()].filter((decision) => decision !== null),
    ballots: log.size,
  };
  const last = await db('vote_log_results')
    .where({ log_key: log.key })
    .orderBy('version', 'desc')
    .first<ResultRow | undefined>();
  const version = (last?.version ?? 0) + 1;
  const content = contentOf(ballotsHeader({ ...facts, version: 1 }), ballots);
  const isSame = last?.content === content;
  const file = isSame
    ? null
    : ballot.publish_ballots && mayListBallots(log.size, ballot)
      ? await storeFile(context, log, version, ballotsHeader({ ...facts, version }), ballots, numbers)
      : { sha256: sha256(new Uint8Array()), bytes: 0 };

  await commit(context, async (trx) => {
    await lockBallots(trx, [log.ballot_id]);
    const unchanged = { key: log.key, size: log.size, closed_at: log.closed_at, last_action: log.last_action };
    // A decision is not in the log yet, or a reopened poll has votes: the next tick makes the result.
    if ((await newestActionOf(trx, log.ballot_id)) !== log.last_action) return [];
    const [counted] = await ballotFacts(trx, [log.ballot_key]);
    const problem = counted ? await incompleteness(trx, log, counted) : null;
    if (problem !== null) {
      logger.error({ poll: log.ballot_id, problem }, 'the result of a poll would leave out votes');
      await trx('vote_logs').where(unchanged).update({ problem });
      return [];
    }
    const done = { result_due: false, problem: null, ...(file !== null && { results: version }) };
    if ((await trx('vote_logs').where(unchanged).update(done)) === 0 || file === null) return [];
    const { sha256: digest, bytes } = file;
    const now = clock.now();
    await trx('vote_log_results').insert({
      ...{ log_key: log.key, version, ballots: log.size, size: log.size, sha256: toBase64(digest), bytes, content },
      published_at: now,
    });
    if (!log.is_public) return [];
    const { size, root } = parseCheckpoint(await newestNote(trx, log))!;
    const tally = tallyOf(ballots, paper, numbers);
    const text = resultEntry(log.origin, { version, size, root, sha256: digest, ...tally }, hourOf(now));
    return [{ text, logKey: log.key }];
  });
}

/**
 * The ballots of a log with those that wait for its next checkpoint, whose leaves were compared with the logged ones; a
 * sentence if they differ, null once receipts can't be computed. Of an open poll, `db` must read one state.
 */
export async function readBallots(
  db: Database,
  log: PollLogRow,
  numbers: Numbers,
): Promise<LoggedBallots | string | null> {
  const count = log.size + log.waiting;
  const ballots: LoggedBallots = {
    receipts: Buffer.alloc(count * receiptBytes),
    options: new OptionLists(count),
    batches: new Uint32Array(count),
    decisions: new Uint32Array(count),
  };
  // Without votes there may be no secret.
  if (count === 0) return ballots;
  const maker = await leafMaker(db, log);
  if (maker === null) return null;
  const leaves = Buffer.alloc(count * hashBytes);
  const sizes = await checkpointSizes(db, log.key);
  let [place, batch] = [0, 0];
  // Batches have the votes in the order of their ids.
  for await (const votes of votesOfBallot(db, log.ballot_key, (log.first_id ?? 1) - 1, log.last_id))
    for (const { optionKeys, device, nonce, decisionKey } of votes) {
      const options = maker.numbersOf(optionKeys);
      if (options === null || place === count) return texts.problems.otherVotes;
      while (place >= sizes[batch]!) batch += 1;
      const receipt = maker.receiptOf(device, nonce);
      receipt.copy(ballots.receipts, place * receiptBytes);
      maker.writeLeaf(leaves, place * hashBytes, receipt, options);
      for (const option of options) ballots.options.push(option);
      ballots.options.end();
      ballots.batches[place] = batch + 1;
      // Marks of decisions that are being made, or are over, don’t count.
      if (decisionKey !== null && statusOf(decisionKey, numbers).status !== 'c') ballots.decisions[place] = decisionKey;
      place += 1;
    }
  return place === count && (await areLogged(db, log, sizes, leaves)) ? ballots : texts.problems.otherVotes;
}

/** Whether the leaves of each batch, once sorted, are those of the tree, and the others those that wait. */
async function areLogged(db: Database, log: PollLogRow, sizes: readonly number[], leaves: Buffer): Promise<boolean> {
  const published = leaves.subarray(0, log.size * hashBytes);
  for (const [place, size] of sizes.entries()) {
    const batch = published.subarray((sizes[place - 1] ?? 0) * hashBytes, size * hashBytes);
    sortedLeaves(batch).copy(batch);
  }
  const logged = createHash('sha256');
  for (let from = 0, left = published.length; left > 0; from += tilesAtOnce)
    for (const hashes of await leafTiles(db, log.key, from, tilesAtOnce)) {
      const some = hashes.subarray(0, left);
      logged.update(some);
      left -= some.length;
    }
  if (log.waiting > 0) logged.update((await oldestWaiting(db, log.key, log.waiting)).leaves);
  return logged.digest('hex') === createHash('sha256').update(leaves).digest('hex');
}

/** A digest of everything that a result shows but its version. */
function contentOf(header: string, { receipts, options, decisions }: LoggedBallots): string {
  const digest = createHash('sha256').update(header).update(receipts);
  const { numbers, rows } = options;
  digest.update(new Uint8Array(numbers.buffer, 0, numbers.byteLength));
  // As in earlier releases where each ballot has one option.
  if (numbers.length !== rows) digest.update(Uint8Array.from({ length: rows }, (_, row) => options.of(row).length));
  return digest.update(Buffer.from(decisions.buffer)).digest('base64');
}

type Numbers = ReadonlyMap<number, LoggedDecision | null>;

/** Whether a ballot counts. */
function statusOf(decisionKey: number, numbers: Numbers): BallotStatus {
  const decision = numbers.get(decisionKey);
  if (decision?.action === 'hold') return { status: 'h', decision: decision.number };
  return decision?.action === 'set-aside' ? { status: 's', decision: decision.number } : { status: 'c' };
}

function tallyOf({ options, decisions }: LoggedBallots, paper: BallotPaper, numbers: Numbers): Tally {
  const none = () => paper.options.map(() => 0);
  const tally = { c: none(), s: none(), h: none() };
  const first = isRanked(paper) ? 1 : undefined;
  for (const [place, decision] of decisions.entries()) {
    const votes = tally[statusOf(decision, numbers).status];
    for (const option of options.of(place).subarray(0, first)) votes[option]! += 1;
  }
  return { counted: tally.c, setAside: tally.s, held: tally.h };
}

/** Stores a ballots file in parts, in transactions of their own: nobody can read it before its result exists. */
async function storeFile(
  context: LogContext,
  log: PollLogRow,
  version: number,
  header: string,
  ballots: LoggedBallots,
  numbers: Numbers,
): Promise<{ sha256: Uint8Array; bytes: number }> {
  const row = { log_key: log.key, version };
  await commit(context, async (trx) => {
    // Of an attempt that was interrupted.
    await trx('vote_log_files').where(row).del();
    return [];
  });
  const digest = createHash('sha256');
  let chunks: Buffer[] = [];
  let [part, bytes, pending] = [0, 0, 0];
  const store = () =>
    commit(context, async (trx) => {
      const content = Buffer.concat(chunks);
      [chunks, pending] = [[], 0];
      await trx('vote_log_files').insert({ ...row, part: part++, content });
      return [];
    });
  const gzip = createGzip(compression);
  gzip.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    pending += chunk.length;
  });
  const write = async (text: string) => {
    digest.update(text);
    if (!gzip.write(text)) await once(gzip, 'drain');
    if (pending >= partBytes) await store();
  };
  await write(header);
  const order = sortedOrder(ballots.receipts, receiptBytes);
  for (let from = 0; from < order.length; from += linesAtOnce) {
    let lines = '';
    for (const place of order.subarray(from, from + linesAtOnce)) {
      const receipt = ballots.receipts.subarray(place * receiptBytes, (place + 1) * receiptBytes);
      const status = statusOf(ballots.decisions[place]!, numbers);
      lines += ballotLine(encodeReceipt(receipt, sha256), ballots.options.of(place), ballots.batches[place]!, status);
    }
    await write(lines);
  }
  const ended = once(gzip, 'end');
  gzip.end();
  await ended;
  await store();
  return { sha256: digest.digest(), bytes };
}
