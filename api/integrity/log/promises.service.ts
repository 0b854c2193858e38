import type { BallotPaper } from './integrity-log.contract.ts';
import { signatureLine, signedNote } from '#domain/verification/note.ts';
import { formatOf, inEntry, leafInput, tagOf } from '#domain/verification/paper.ts';
import type { LeafInput } from '#domain/verification/paper.ts';
import { promiseOrigin, promiseText, promiseTree, promisedLeaf } from '#domain/verification/promise.ts';
import { nodeHash } from '#domain/verification/merkle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { noPromise } from '#api/voting/promises.service.ts';
import type { BatchPromises, PromisedBallot, Promises, RecordedVote } from '#api/voting/promises.service.ts';
import { sha256 } from './signing.ts';
import type { LogKey } from './signing.ts';
import { ballotFacts, logOfBallot, optionFacts, paperOf, siteLog, unusedOrigin } from './vote-log.queries.ts';

interface PromisesContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The newest key of the log. */
  readonly key: LogKey;
}

/** What the leaves of a log need. */
interface KnownLog {
  readonly paper: BallotPaper;
  /** Numbers of options by id. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly input: LeafInput;
}

/**
 * A signed note as JSON, in one byte per character also in memory: the dash of its signature would make it two in the whole
 * answer, which takes a tenth of a vote’s time to send.
 */
const asciiJson = (note: string): string =>
  Buffer.from(JSON.stringify(note).replaceAll('—', '\\u2014'), 'latin1').toString('latin1');

/** Logs that are kept in memory. */
const logsCached = 500;

/**
 * Promises for the votes of committed batches, one signature per batch. Without a site-wide log, as in the first seconds of
 * an installation, there are none.
 */
export function votePromises(context: PromisesContext): Promises {
  const { db, log: logger, key } = context;
  /** By its key, or by the secret of its ballot while the log has not been opened. */
  const known = new Map<number | string, KnownLog>();

  async function logOf({ ballotId, secret, log }: PromisedBallot): Promise<KnownLog | null> {
    const name = log?.key ?? secret!;
    const found = known.get(name);
    if (found) return found;
    const paper = log === null ? await preparedPaper(context, ballotId) : await paperOfLog(log.key);
    if (paper === null) return null;
    if (known.size >= logsCached) known.clear();
    const made = knownLog(paper);
    known.set(name, made);
    return made;
  }

  async function paperOfLog(key: number): Promise<BallotPaper | null> {
    const row = await db('vote_logs').where({ key }).first<{ paper: string } | undefined>('paper');
    return row === undefined ? null : (JSON.parse(row.paper) as BallotPaper);
  }

  return {
    async begin(ballots) {
      const logs = new Map<string, { readonly log: KnownLog; readonly result: number }>();
      for (const ballot of ballots) {
        if (ballot.secret === null) continue;
        try {
          const log = await logOf(ballot);
          if (log) logs.set(ballot.ballotId, { log, result: (ballot.log?.results ?? 0) + 1 });
        } catch (error) {
          // The votes are recorded: who votes again gets the promise.
          logger.error({ err: error, ballot: ballot.ballotId }, 'voters could not be promised anything');
        }
      }
      return batchOf(logs, key);
    },
  };
}

function knownLog(paper: BallotPaper): KnownLog {
  const numbers = new Map(paper.options.map(({ id }, number) => [id, number]));
  return { paper, numbers, input: leafInput(formatOf(paper), tagOf(paper, sha256)) };
}

function batchOf(
  logs: ReadonlyMap<string, { readonly log: KnownLog; readonly result: number }>,
  key: LogKey,
): BatchPromises {
  const leaves: Buffer[] = [];
  let origin = '';
  let sealed: { readonly note: string; readonly levels: string[][] } | undefined;
  const seal = () => {
    const levels = promiseTree(leaves, (left, right) => nodeHash(left, right, sha256));
    const text = promiseText(origin, leaves.length, levels.at(-1)![0]!);
    const note = signedNote(text, signatureLine(text, origin, key.publicKey, key.sign));
    const texts = levels.slice(0, -1).map((level) => level.map((node) => `"${(node as Buffer).toString('base64')}"`));
    return { note: asciiJson(note), levels: texts };
  };
  return {
    add(ballotId, { optionId, further = [], nonce, part, receipt }: RecordedVote) {
      const found = logs.get(ballotId);
      const numbers = [optionId, ...further].map((id) => found?.log.numbers.get(id));
      if (found === undefined || !numbers.every((number) => number !== undefined)) return noPromise;
      const { log, result } = found;
      origin ||= promiseOrigin(log.paper.origin);
      const leaf = sha256(log.input(receipt, 0, inEntry(log.paper, numbers)));
      const index = leaves.push(promisedLeaf(leaf, Buffer.from(nonce, 'hex'), result, sha256) as Buffer) - 1;
      return () => {
        const { note, levels } = (sealed ??= seal());
        let proof = '';
        // A batch is small enough for bit operations.
        for (const [height, level] of levels.entries()) {
          const sibling = level[(index >> height) ^ 1];
          if (sibling !== undefined) proof += proof === '' ? sibling : `,${sibling}`;
        }
        return (
          `{"nonce":"${nonce}","part":"${part.toString('hex')}","result":${result},"index":${index},` +
          `"proof":[${proof}],"note":${note}}`
        );
      };
    },
  };
}

/**
 * The paper with which the log of a ballot will open; fixed now if nobody has voted on it yet. Null without a site-wide log,
 * which gives it its origin.
 */
async function preparedPaper({ db, clock }: PromisesContext, ballotId: string): Promise<BallotPaper | null> {
  const ballot = await db('ballots').where({ id: ballotId }).first('key');
  if (ballot === undefined) return null;
  const stored = (on: Database) => on('ballot_papers').where({ ballot_key: ballot.key }).first('paper');
  const found = await stored(db);
  if (found) return JSON.parse(found.paper) as BallotPaper;
  return db.transaction(async (trx) => {
    await lockBallots(trx, [ballotId]);
    const earlier = (await stored(trx)) ?? (await logOfBallot(trx, ballotId));
    if (earlier) return JSON.parse(earlier.paper) as BallotPaper;
    const [facts] = await ballotFacts(trx, [ballot.key]);
    const site = await siteLog(trx);
    if (facts === undefined || site === undefined) return null;
    const origin = await unusedOrigin(trx, site.origin, ballotId);
    const paper = paperOf(origin, facts, await optionFacts(trx, ballotId));
    const row = { ballot_key: ballot.key, paper: JSON.stringify(paper), checked_at: facts.updated_at ?? clock.now() };
    await trx('ballot_papers').insert(row);
    return paper;
  });
}
