import { leastBatch } from '#domain/verification/recount.ts';
import { checkpointsPerPage } from './integrity-log.contract.ts';
import type {
  BallotPaper,
  LeafInclusion,
  LogConsistency,
  PollIntegrity,
  PollSiteEntries,
} from './integrity-log.contract.ts';
import { compareBytes, fromBase64, fromHex, toBase64 } from '#domain/verification/bytes.ts';
import { consistencyProof, hashBytes, inclusionProof } from '#domain/verification/merkle.ts';
import type { NodeReader } from '#domain/verification/merkle.ts';
import type { BallotMethod } from '#contract/vocabulary.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { keyEntry } from '#domain/verification/site-log.ts';
import { nodesFromTiles, tileWidth } from '#domain/verification/tiles.ts';
import type { TileReader } from '#domain/verification/tiles.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Witness } from '#platform/config.ts';
import { readOneState } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { ProvenEntry } from '#domain/verification/recount.ts';
import { errors } from '#platform/errors.ts';
import { accessTo } from '#api/polls/community/access.service.ts';
import { lostVotes } from './batches.service.ts';
import { cosignedCheckpoints } from './cosign.service.ts';
import { sha256, verifierKeysOf } from './signing.ts';
import { verifierKeysSince } from './site-log.service.ts';
import { tilesOf } from './tiles.queries.ts';
import {
  ballotFacts,
  checkpointSizes,
  logOfBallot,
  announcedKeys,
  newestNote,
  optionFacts,
  siteLog,
  siteLogOf,
  siteOriginOf,
} from './vote-log.queries.ts';
import type { LogRow, PollLogRow, ResultRow } from './vote-log.queries.ts';

/** Votes that a batch has at least, unless its poll has fewer. */
export const minimumBatch = leastBatch;

interface ProofContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** Throws unless this person may see the poll: POLL_NOT_FOUND, and the errors of private polls. */
export async function authorizeLog(
  { db, clock }: ProofContext,
  ballotId: string,
  userId: string | null,
): Promise<void> {
  const ballot = await db('ballots').where({ id: ballotId }).first('kind', 'starts_at');
  // A poll that has not started looks like a missing one.
  if (ballot === undefined || (ballot.kind === 'poll' && ballot.starts_at > clock.now())) throw errors.pollNotFound();
  if (ballot.kind === 'community') await accessTo({ db, now: clock.now() }, ballotId, userId);
}

/** Paper, checkpoints from number `from` on, and results of a poll’s log. */
export async function pollIntegrity({ db }: ProofContext, ballotId: string, from: number): Promise<PollIntegrity> {
  return readOneState(db, async (trx) => {
    const ballot = await trx('ballots')
      .where({ id: ballotId })
      .first<{
        key: number;
        publish_ballots: boolean | 0 | 1;
        method: BallotMethod;
        log_difference: string | null;
        closed_at: number | null;
      }>(...['key', 'publish_ballots', 'method', 'log_difference', 'closed_at']);
    const { log_difference: difference } = ballot;
    const closedAt = ballot.closed_at === null ? null : iso(ballot.closed_at);
    const log = await logOfBallot(trx, ballotId);
    const siteOrigin = log?.is_public ? await siteOriginOf(trx, log) : null;
    if (log === undefined || (log.is_public && siteOrigin === null)) {
      const [facts] = await ballotFacts(trx, [ballot.key]);
      // Before a comparison has found it: readers would take the poll for one from before there was a log.
      const lost = facts === undefined ? null : await lostVotes(trx, undefined, facts);
      return { minimumBatch, closedAt, difference: difference ?? lost, log: null };
    }
    const options = await optionFacts(trx, ballotId);
    const paper = JSON.parse(log.paper) as BallotPaper;
    const results = await trx('vote_log_results').where({ log_key: log.key }).orderBy('version').select();
    return {
      ...{ minimumBatch, closedAt, difference },
      log: {
        ...{ origin: log.origin, paper, tag: log.tag, closed: log.closed_at !== null },
        siteOrigin,
        verifierKeys: await verifierKeysSince(trx, log.origin, log.opened_at),
        publishesBallots:
          Boolean(ballot.publish_ballots) && (log.closed_at === null || mayListBallots(log.size, ballot)),
        ...{ size: log.size, waiting: log.waiting },
        base: paper.options.map(({ id }) => options.find(({ option_id }) => option_id === id)?.base ?? 0),
        firstCheckpoint: from,
        checkpoints: await trx('vote_log_checkpoints')
          .where({ log_key: log.key })
          .where('number', '>=', from)
          .orderBy('number')
          .limit(checkpointsPerPage)
          .pluck('note'),
        checkpointCount: log.checkpoints,
        results: results.map(({ version, ballots, size, sha256: digest, bytes, published_at }) => ({
          ...{ version, ballots, size, sha256: digest, bytes, publishedAt: iso(published_at) },
        })),
      },
    };
  });
}

/** Proof that a leaf (hexadecimal) is in a poll’s log, sought in the checkpoints after size `after`. Throws NOT_FOUND without a log. */
export async function pollInclusion(
  { db }: ProofContext,
  ballotId: string,
  leaf: string,
  after: number,
): Promise<LeafInclusion> {
  return readOneState(db, async (trx) => {
    const log = await logToProve(trx, ballotId);
    const read = tilesOf(trx, log.key);
    const checkpoint = await newestNote(trx, log);
    const index = await indexOfLeaf(read, await checkpointSizes(trx, log.key), fromHex(leaf)!, after);
    if (index === null) return { inclusion: null, checkpoint };
    const proof = await inclusionProof(nodesFromTiles(read, sha256), index, log.size, sha256);
    return { inclusion: { index, proof: proof.map(toBase64) }, checkpoint };
  });
}

/** The place of a leaf; null if it is in no batch after size `after`. Leaves of a batch are sorted and evenly spread. */
async function indexOfLeaf(
  read: TileReader,
  sizes: readonly number[],
  leaf: Uint8Array,
  after: number,
): Promise<number | null> {
  const leafAt = async (index: number) => {
    const tile = await read(0, Math.floor(index / tileWidth));
    const at = (index % tileWidth) * hashBytes;
    return tile.subarray(at, at + hashBytes);
  };
  const fraction = (Buffer.from(leaf).readUIntBE(0, 6) + 0.5) / 2 ** 48;
  for (const [place, size] of sizes.entries()) {
    if (size <= after) continue;
    let [low, high] = [sizes[place - 1] ?? 0, size];
    // The first guess is nearly always in the right tile.
    let middle = Math.min(high - 1, low + Math.floor(fraction * (high - low)));
    while (low < high) {
      const order = compareBytes(await leafAt(middle), leaf);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
      middle = Math.floor((low + high) / 2);
    }
  }
  return null;
}

/** Proof that a poll’s log begins with what it had at a size. Throws NOT_FOUND without a log, or for a size that it has not. */
export async function pollConsistency({ db }: ProofContext, ballotId: string, from: number): Promise<LogConsistency> {
  return readOneState(db, async (trx) => consistency(trx, await logToProve(trx, ballotId), from));
}

/** The same for the site-wide log, or for one of an earlier origin. */
export async function siteConsistency({ db }: ProofContext, from: number, origin?: string): Promise<LogConsistency> {
  return readOneState(db, async (trx) => {
    const log = await (origin === undefined ? siteLog(trx) : siteLogOf(trx, origin));
    if (log === undefined) throw errors.notFound();
    return consistency(trx, log, from);
  });
}

async function consistency(trx: Database, log: LogRow, from: number): Promise<LogConsistency> {
  if (from > log.size) throw errors.notFound();
  const proof = from === 0 ? [] : await consistencyProof(nodesOf(trx, log), from, log.size, sha256);
  return { proof: proof.map(toBase64), checkpoint: await newestNote(trx, log) };
}

const nodesOf = (trx: Database, log: LogRow): NodeReader => nodesFromTiles(tilesOf(trx, log.key), sha256);

async function logToProve(trx: Database, ballotId: string): Promise<PollLogRow> {
  const log = await logOfBallot(trx, ballotId);
  if (log === undefined) throw errors.notFound();
  return log;
}

/**
 * Entries of the site-wide log about a poll, and those that announce keys or continue another log, each with its proof for
 * a checkpoint of this size.
 */
export async function entriesAbout(
  db: Database,
  site: LogRow,
  pollLogKey: number,
  { size, from = 0, most }: { readonly size: number; readonly from?: number; readonly most?: number },
): Promise<ProvenEntry[]> {
  const rows = await db('vote_log_entries')
    .where({ log_key: site.key })
    .where('number', '>=', from)
    .where((about) => void about.where({ poll_log_key: pollLogKey }).orWhereNull('poll_log_key'))
    .orderBy('number')
    .modify((query) => void (most !== undefined && query.limit(most)))
    .select<{ number: number; text: string }[]>('number', 'text');
  const nodes = nodesOf(db, site);
  const entries: ProvenEntry[] = [];
  for (const { number, text } of rows)
    entries.push({ index: number, text, proof: await inclusionProof(nodes, number, size, sha256) });
  return entries;
}

/**
 * A poll’s entries of the site-wide log from an index on, with those that announce keys or continue another log. Throws
 * NOT_FOUND for a poll that has none.
 */
export async function pollSiteEntries(
  { db, witnesses }: ProofContext & { readonly witnesses: readonly Witness[] },
  ballotId: string,
  from: number,
): Promise<PollSiteEntries> {
  return readOneState(db, async (trx) => {
    const log = await logToProve(trx, ballotId);
    const origin = log.is_public ? await siteOriginOf(trx, log) : null;
    const site = origin === null ? undefined : await siteLogOf(trx, origin);
    if (site === undefined) throw errors.notFound();
    const checkpoint = await newestNote(trx, site);
    const { size } = parseCheckpoint(checkpoint)!;
    const nodes = nodesOf(trx, site);
    const found = await entriesAbout(trx, site, log.key, { size, from, most: checkpointsPerPage + 1 });
    const entries = found
      .slice(0, checkpointsPerPage)
      .map(({ proof, ...entry }) => ({ ...entry, proof: proof.map(toBase64) }));
    const handovers = from === 0 ? await keyHandovers(trx) : [];
    const cosigned: PollSiteEntries['cosigned'] = [];
    for (const earlier of from === 0 ? await cosignedCheckpoints(trx, site, witnesses) : []) {
      const hashes = earlier.size === 0 ? [] : await consistencyProof(nodes, earlier.size, size, sha256);
      cosigned.push({ note: earlier.note, proof: hashes.map(toBase64) });
    }
    const keys = witnesses.map(({ key }) => key);
    const next = found[checkpointsPerPage]?.index ?? null;
    return { checkpoint, handovers, witnesses: keys, cosigned, entries, next };
  });
}

/** For each key but the first, oldest first: a checkpoint that the one before signed, and the entry in it that announces the key. */
async function keyHandovers(trx: Database): Promise<PollSiteEntries['handovers']> {
  const handovers: PollSiteEntries['handovers'] = [];
  for (const { publicKey, handover: note } of (await announcedKeys(trx)).reverse()) {
    const head = note === null ? null : parseCheckpoint(note);
    const site = head && (await siteLogOf(trx, head.origin));
    if (!head || !site) continue;
    const [verifierKey = ''] = verifierKeysOf(head.origin, [fromBase64(publicKey)!]);
    const entry = await trx('vote_log_entries')
      .where({ log_key: site.key })
      .where('number', '<', head.size)
      .whereNull('poll_log_key')
      .whereLike('text', `${keyEntry(verifierKey, '').trimEnd()}\n%`)
      .first('number', 'text');
    if (entry === undefined) continue;
    const proof = await inclusionProof(nodesOf(trx, site), entry.number, head.size, sha256);
    handovers.push({ note: note!, entry: { index: entry.number, text: entry.text, proof: proof.map(toBase64) } });
  }
  return handovers;
}

/** The parts of a published ballots file, compressed, and its size. Throws NOT_FOUND where there is none. */
export async function ballotsFileOf(
  { db }: ProofContext,
  ballotId: string,
  version: number,
): Promise<{ bytes: number; parts: AsyncIterable<Buffer> }> {
  const log = await logToProve(db, ballotId);
  const result = await db('vote_log_results').where({ log_key: log.key, version }).first();
  if (result === undefined || result.bytes === 0) throw errors.notFound();
  return { bytes: result.bytes, parts: partsOf(db, { log_key: log.key, version }) };
}

/** The newest published ballots file of a poll, in compressed parts, and its version; null if there is none. */
export async function newestBallotsFile(
  db: Database,
  ballotId: string,
): Promise<{ version: number; parts: AsyncIterable<Buffer> } | null> {
  const log = await logOfBallot(db, ballotId);
  const result =
    log &&
    (await db('vote_log_results')
      .where({ log_key: log.key })
      .orderBy('version', 'desc')
      .first<ResultRow | undefined>());
  if (!result || result.bytes === 0) return null;
  return { version: result.version, parts: partsOf(db, { log_key: log.key, version: result.version }) };
}

async function* partsOf(db: Database, file: { log_key: number; version: number }): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const row = await db('vote_log_files')
      .where({ ...file, part })
      .first('content');
    if (row === undefined) return;
    yield row.content;
  }
}

/** Why logs could not be closed or continued, by the id of their poll: at most `most`. */
export async function logProblems(db: Database, most: number): Promise<{ ballotId: string; problem: string }[]> {
  return db('vote_logs')
    .whereNotNull('problem')
    .orderBy('key')
    .limit(most)
    .select({ ballotId: 'ballot_id', problem: 'problem' });
}
