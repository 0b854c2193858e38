import type { BallotPaper } from './integrity-log.contract.ts';
import { fromBase64, toBase64 } from '#domain/verification/bytes.ts';
import { hashBytes } from '#domain/verification/merkle.ts';
import { formatOf, inEntry, leafInput, tagOf } from '#domain/verification/paper.ts';
import { hourOf, openEntry } from '#domain/verification/site-log.ts';
import type { Database } from '#platform/database.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { collectVotes, receiptsOf } from '#api/voting/collect.service.ts';
import type { CollectedVote, ReceiptOf } from '#api/voting/collect.service.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import { sha256, sha256Into, signedCheckpoint } from './signing.ts';
import { lostVotes } from './batches.service.ts';
import { commit, emptyHead, noteRestart, signersAt } from './site-log.service.ts';
import type { LogContext, SiteEntry } from './site-log.service.ts';
import { addWaiting } from './tiles.queries.ts';
import {
  announcedKeys,
  ballotFacts,
  ballotsToOpen,
  logNumber,
  logsOfBallots,
  moveWatermark,
  optionFacts,
  paperOf,
  siteLog,
  unusedOrigin,
} from './vote-log.queries.ts';
import type { BallotFacts, PollLogRow } from './vote-log.queries.ts';

/** Votes that are read and hashed at once. */
export const votesAtOnce = 5_000;
/** Logs that one transaction opens. */
const openedAtOnce = 50;

/** Begins the logs of polls that have opened. */
export async function openDueLogs(context: LogContext): Promise<void> {
  for (;;) {
    const keys = await ballotsToOpen(context.db, context.clock.now(), openedAtOnce);
    if (keys.length > 0) await openLogs(context, keys);
    if (keys.length < openedAtOnce) return;
  }
}

/** Begins the logs of these ballots: a paper, and the checkpoint of the empty log. */
async function openLogs(context: LogContext, ballotKeys: readonly number[]): Promise<void> {
  await commit(context, async (trx) => {
    const entries: SiteEntry[] = [];
    const site = await siteLog(trx);
    // Read again below: an edit may be under way.
    const ids = (await ballotFacts(trx, ballotKeys)).map(({ id }) => id);
    await lockBallots(trx, ids);
    for (const ballot of await ballotFacts(trx, ballotKeys)) {
      // Its votes were collected for a log that somebody has removed, or taken from it.
      if ((await lostVotes(trx, undefined, ballot)) !== null) await noteRestart(trx, ballot, context.clock.now());
      const prepared = await trx('ballot_papers').where({ ballot_key: ballot.key }).first();
      entries.push(...(await openLog(context, trx, ballot, prepared ?? (await newPaper(trx, site!.origin, ballot)))));
      await trx('ballot_papers').where({ ballot_key: ballot.key }).del();
    }
    return entries;
  });
}

/** A paper as JSON, and when the wording that it has was changed last. */
interface PreparedPaper {
  readonly paper: string;
  readonly checked_at: number | null;
}

async function newPaper(trx: Database, siteOrigin: string, ballot: BallotFacts): Promise<PreparedPaper> {
  const origin = await unusedOrigin(trx, siteOrigin, ballot.id);
  const paper = paperOf(origin, ballot, await optionFacts(trx, ballot.id));
  return { paper: JSON.stringify(paper), checked_at: ballot.updated_at };
}

async function openLog(
  context: LogContext,
  trx: Database,
  ballot: BallotFacts,
  prepared: PreparedPaper,
): Promise<SiteEntry[]> {
  const { clock, keys } = context;
  const now = clock.now();
  const paper = JSON.parse(prepared.paper) as BallotPaper;
  const { origin } = paper;
  const tag = tagOf(paper, sha256);
  const [row] = await trx('vote_logs')
    .insert({
      ...{ origin, ballot_id: ballot.id, ballot_key: ballot.key, is_public: Boolean(ballot.is_public), checkpoints: 1 },
      ...{ paper: prepared.paper, tag: toBase64(tag), wording: toBase64(tag) },
      ...{ opened_at: now, published_at: now, checked_at: prepared.checked_at ?? now },
    })
    .returning('key');
  const note = signedCheckpoint(origin, emptyHead, signersAt(await announcedKeys(trx), keys, now));
  await trx('vote_log_checkpoints').insert({ log_key: row!.key, number: 0, size: 0, note });
  if (!ballot.is_public) return [];
  return [{ text: openEntry(origin, tag, paper.options.length, hourOf(now)), logKey: row!.key }];
}

/** Computes the leaves of one ballot’s votes. */
export interface LeafMaker {
  /** The receipt of a vote, 16 bytes. */
  readonly receiptOf: ReceiptOf;
  /** The numbers of a vote’s options as its entry has them; null if one is not on the paper. */
  numbersOf(optionKeys: readonly number[]): readonly number[] | null;
  /** Writes the leaf hash of a ballot at a place. */
  writeLeaf(target: Buffer, at: number, receipt: Buffer, options: readonly number[]): void;
}

/** Null once the secret of the ballot is deleted: its receipts can't be computed any more. */
export async function leafMaker(db: Database, log: PollLogRow): Promise<LeafMaker | null> {
  const receiptOf = await receiptsOf(db, log.ballot_key);
  if (receiptOf === null) return null;
  const paper = JSON.parse(log.paper) as BallotPaper;
  const numbers = new Map(paper.options.map(({ id }, number) => [id, number]));
  const options = new Map((await optionFacts(db, log.ballot_id)).map(({ key, option_id }) => [key, option_id]));
  const input = leafInput(formatOf(paper), fromBase64(log.tag)!);
  return {
    receiptOf,
    numbersOf(keys) {
      const found = keys.map((key) => numbers.get(options.get(key) ?? ''));
      return found.every((number) => number !== undefined) ? inEntry(paper, found) : null;
    },
    writeLeaf(target, at, receipt, chosen) {
      sha256Into(input(receipt, 0, chosen), target, at);
    },
  };
}

/**
 * Reads the votes that were recorded since the last call, and stores their leaves with the new watermark, so that no vote is
 * read twice or never. Returns their number.
 */
export async function collectLeaves(context: LogContext): Promise<number> {
  const { db } = context;
  let collected = 0;
  for (;;) {
    const watermark = await logNumber(db, 'watermark');
    const { throughId, votes } = await collectVotes(db, watermark, votesAtOnce);
    if (throughId <= watermark) return collected;
    const { batches, late } = await leavesByLog(context, votes);
    await commit(context, async (trx) => {
      if (!(await moveWatermark(trx, watermark, throughId))) throw new Error('Another process has collected votes.');
      for (const log of late)
        await trx('vote_logs').where({ key: log.key }).update({ problem: texts.problems.lateVotes });
      for (const { log, isUnknown, ...batch } of batches) {
        if (batch.leaves.length > 0) await addWaiting(trx, log, batch);
        if (isUnknown) await trx('vote_logs').where({ key: log.key }).update({ problem: texts.problems.unknownOption });
      }
      return [];
    });
    collected += batches.reduce((sum, { leaves }) => sum + leaves.length / hashBytes, 0);
    if (votes.length < votesAtOnce) return collected;
  }
}

interface LeafBatch {
  readonly log: PollLogRow;
  readonly leaves: Buffer;
  readonly firstId: number;
  readonly lastId: number;
  /** Some vote is for an option that was not on the paper. */
  readonly isUnknown: boolean;
}

/** The leaves of votes by their log; `late` are closed logs of polls that have votes nevertheless. */
async function leavesByLog(
  context: LogContext,
  votes: readonly CollectedVote[],
): Promise<{ batches: LeafBatch[]; late: PollLogRow[] }> {
  const { db } = context;
  const since = await logNumber(db, 'since');
  const byBallot = Map.groupBy(
    votes.filter(({ id }) => id > since),
    ({ ballotKey }) => ballotKey,
  );
  const keys = [...byBallot.keys()];
  const known = new Set((await logsOfBallots(db, keys)).map((log) => log.ballot_key));
  const unknown = keys.filter((key) => !known.has(key));
  // Opened a moment ago; a deleted poll gets none.
  for (let from = 0; from < unknown.length; from += openedAtOnce)
    await openLogs(context, unknown.slice(from, from + openedAtOnce));
  const closings = new Map((await ballotFacts(db, keys)).map(({ key, closed_at }) => [key, closed_at]));
  const batches: LeafBatch[] = [];
  const late: PollLogRow[] = [];
  for (const log of await logsOfBallots(db, keys)) {
    // After a restore, votes are read again for the logs that began again.
    const some = byBallot.get(log.ballot_key)!.filter(({ id }) => id > log.last_id);
    if (some.length > 0 && log.closed_at !== null && (closings.get(log.ballot_key) ?? Infinity) <= log.closed_at) {
      // Nobody can vote on a closed poll: somebody has changed the database.
      late.push(log);
      continue;
    }
    const maker = some.length === 0 ? null : await leafMaker(db, log);
    if (maker === null) continue;
    const onPaper = some.flatMap((vote) => {
      const options = maker.numbersOf(vote.optionKeys);
      return options === null ? [] : [{ ...vote, options }];
    });
    const leaves = Buffer.allocUnsafe(onPaper.length * hashBytes);
    for (const [place, { device, nonce, options }] of onPaper.entries())
      maker.writeLeaf(leaves, place * hashBytes, maker.receiptOf(device, nonce), options);
    batches.push({
      ...{ log, leaves, firstId: some[0]!.id, lastId: some.at(-1)!.id },
      isUnknown: onPaper.length < some.length,
    });
  }
  return { batches, late };
}
