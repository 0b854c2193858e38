import type { Witness } from '#platform/config.ts';
import { beginningOf, PrivateAddressError, requestPublicly } from '#platform/public-request.ts';
import { errorOf } from '#platform/errors.ts';
import { consistencyProof } from '#domain/verification/merkle.ts';
import { parseCheckpoint, signedNote, textOf } from '#domain/verification/note.ts';
import { nodesFromTiles } from '#domain/verification/tiles.ts';
import { addCheckpointBody, cosignatureBy, parseWitnessKey } from '#domain/verification/witness.ts';
import type { LogAlerts } from '#api/integrity/flags.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { integrityLogTexts } from '#texts/integrity-log.ts';
import { sha256, verifySignature } from './signing.ts';
import { tilesOf } from './tiles.queries.ts';
import { newestNote, siteLog } from './vote-log.queries.ts';
import type { LogRow } from './vote-log.queries.ts';

const { witness: texts } = integrityLogTexts;

/** Milliseconds until a witness must have answered. */
const answerMs = 10_000;
/** Bytes that are read of an answer; a cosignature has a few hundred. */
const answerBytes = 16_384;
/** Milliseconds from a first failure to the next attempt; each further one doubles them, up to an hour. */
const retryMs = 30_000;
const longestRetryMs = 3_600_000;
/** Milliseconds without a cosignature after which the operator is told. */
export const silentAfterMs = 86_400_000;

export interface CosignContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly witnesses: readonly Witness[];
  /** Witnesses may have private addresses. */
  readonly allowPrivate: boolean;
  /** Milliseconds until a witness must have answered, if not the usual ones. */
  readonly answerMs?: number;
}

export type CosignatureRow = Row<'vote_log_cosignatures'>;

/** A witness did not cosign; the message tells the operator why. */
class NotCosigned extends Error {
  override readonly name = 'NotCosigned';
}

/**
 * Asks every witness that is due for a cosignature of the newest checkpoint of the site-wide log, all at once, and stores
 * what they answer. Nothing waits for it: a witness that is slow or down is asked again later, and less often.
 */
export async function cosign(context: CosignContext, stop?: AbortSignal): Promise<void> {
  const { db, clock, witnesses } = context;
  const site = await siteLog(db);
  if (site === undefined) return;
  const keys = witnesses.map(({ key }) => key);
  await db('vote_log_cosignatures')
    .whereNotNull('failing_since')
    .where((former) => void former.whereNotIn('witness', keys).orWhereNot({ log_key: site.key }))
    .update({ failing_since: null, failures: 0, due_at: 0, problem: null });
  if (keys.length === 0) return;
  const note = await newestNote(db, site);
  const rows = await db('vote_log_cosignatures').where({ log_key: site.key }).select();
  await Promise.all(
    witnesses.map(async (witness) => {
      const row = rows.find(({ witness: key }) => key === witness.key);
      const isDone = row?.size === parseCheckpoint(note)!.size && row.note !== null;
      if (!isDone && (row?.due_at ?? 0) <= clock.now()) await askOne(context, { site, note, witness, row, stop });
    }),
  );
}

interface Question {
  readonly site: LogRow;
  readonly note: string;
  readonly witness: Witness;
  readonly row: CosignatureRow | undefined;
  readonly stop: AbortSignal | undefined;
}

/** Asks one witness and stores the outcome. */
async function askOne(context: CosignContext, question: Question): Promise<void> {
  const { db, clock, log } = context;
  const { site, witness, row, stop } = question;
  const which = { log_key: site.key, witness: witness.key };
  const save = (change: Partial<CosignatureRow>) =>
    db('vote_log_cosignatures')
      .insert({ ...which, ...change })
      .onConflict(['log_key', 'witness'])
      .merge(change);
  try {
    const cosigned = await cosignedNote(context, question);
    await save({ ...cosigned, failures: 0, failing_since: null, due_at: 0, problem: null });
    if (row?.failing_since != null) log.info({ witness: witness.url }, 'a witness cosigns again');
  } catch (thrown) {
    if (stop?.aborted === true) return;
    if (!(thrown instanceof NotCosigned)) throw thrown;
    const problem = thrown.message;
    const failures = (row?.failures ?? 0) + 1;
    const now = clock.now();
    const wait = Math.min(retryMs * 2 ** (failures - 1), longestRetryMs);
    await save({ failures, failing_since: row?.failing_since ?? now, due_at: now + wait, problem });
    if (failures === 1) log.error({ witness: witness.url, problem }, 'a witness did not cosign; will ask again');
  }
}

/** The size and the cosigned note of what a witness answers; throws {@link NotCosigned}. */
async function cosignedNote(
  context: CosignContext,
  { site, note, witness, row, stop }: Question,
): Promise<Pick<CosignatureRow, 'size' | 'note'>> {
  const { db } = context;
  const { size } = parseCheckpoint(note)!;
  const ask = async (oldSize: number) => {
    const nodes = nodesFromTiles(tilesOf(db, site.key), sha256);
    const proof = oldSize === 0 ? [] : await consistencyProof(nodes, oldSize, size, sha256);
    return post(context, witness.url, addCheckpointBody({ oldSize, proof, note }), stop);
  };
  let answer = await ask(row?.size ?? 0);
  if (answer.status === 409) {
    const known = /^(0|[1-9]\d{0,14})\n$/.exec(answer.body)?.[1];
    if (known === undefined) throw new NotCosigned(texts.refused(409));
    if (Number(known) > size) throw new NotCosigned(texts.knowsMore(Number(known), size));
    answer = await ask(Number(known));
  }
  if (answer.status !== 200) throw new NotCosigned(texts.refused(answer.status));
  const text = textOf(note);
  const cosignature = await cosignatureBy(
    parseWitnessKey(witness.key)!,
    signedNote(text, answer.body),
    verifySignature,
  );
  if (cosignature === null || cosignature === 'bad-signature') throw new NotCosigned(texts.notByItsKey);
  return { size, note: signedNote(text, cosignature.line) };
}

async function post(
  { allowPrivate, answerMs: limit = answerMs }: CosignContext,
  prefix: string,
  body: string,
  stop: AbortSignal | undefined,
): Promise<{ status: number; body: string }> {
  const signal = AbortSignal.any([AbortSignal.timeout(limit), ...(stop ? [stop] : [])]);
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Weathervane log' };
  try {
    const options = { method: 'POST', headers, body, signal, allowPrivate } as const;
    const response = await requestPublicly(new URL(`${prefix}/add-checkpoint`), options);
    const answer = await beginningOf(response, answerBytes, signal);
    signal.throwIfAborted();
    return { status: response.statusCode ?? 0, body: answer.toString() };
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error instanceof PrivateAddressError) throw new NotCosigned(texts.privateAddress);
    if (error.name === 'TimeoutError') throw new NotCosigned(texts.late(limit / 1_000));
    throw new NotCosigned(texts.unreachable('code' in error ? String(error.code) : error.message));
  }
}

/** Witnesses that have failed for at least these milliseconds, and why. */
export async function silentWitnesses(db: Database, now: number, ms: number): Promise<LogAlerts['witnesses']> {
  const rows = await db('vote_log_cosignatures')
    .where('failing_since', '<=', now - ms)
    .orderBy('failing_since')
    .select();
  return rows.map(({ witness, failing_since: since, problem }) => ({
    ...{ name: parseWitnessKey(witness)?.name ?? witness, since: iso(since!), problem: problem ?? '' },
  }));
}

/** A checkpoint of a site-wide log with its cosignatures by some witnesses, for each size that one of them cosigned last. */
export async function cosignedCheckpoints(
  db: Database,
  log: Pick<LogRow, 'key'>,
  witnesses: readonly Pick<Witness, 'key'>[],
): Promise<{ size: number; note: string }[]> {
  const rows = await db('vote_log_cosignatures')
    .where({ log_key: log.key })
    .whereNotNull('note')
    .orderBy('size')
    .select();
  const used = witnesses.flatMap(({ key }) => rows.find(({ witness }) => witness === key) ?? []);
  return [...Map.groupBy(used, ({ size }) => size)].map(([size, same]) => {
    const text = textOf(same[0]!.note!);
    return { size, note: signedNote(text, ...same.map((row) => row.note!.slice(text.length + 1))) };
  });
}
