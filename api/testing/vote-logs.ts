import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { PollIntegrity, PollSiteEntries } from '#api/integrity/log/integrity-log.contract.ts';
import { fromBase64 } from '#domain/verification/bytes.ts';
import { parseVerifierKey } from '#domain/verification/note.ts';
import { recount } from '#domain/verification/recount.ts';
import type { Evidence, Expectations, RecountResult } from '#domain/verification/recount.ts';
import { CheckpointCopy } from '#api/integrity/log/checkpoint-copy.service.ts';
import { Lease } from '#platform/jobs/lease.service.ts';
import { minimumBatch } from '#api/integrity/log/proofs.service.ts';
import { logKeyOf, verifySignature } from '#api/integrity/log/signing.ts';
import type { LogContext } from '#api/integrity/log/site-log.service.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { quickFolder } from './quick-folder.ts';
import { testLogSeed, testNow } from './test-app.ts';
import type { TestApp } from './test-app.ts';
import { newDigest } from './votes.ts';

export { testLogSeed };
/** The seed of another key. */
export const otherLogSeed = '22'.repeat(32);

const copies = `${quickFolder()}/weathervane-logs-${process.pid}`;
process.once('exit', () => rmSync(copies, { recursive: true, force: true }));

/** A writer of the vote log, as a process has it. */
export function logWriter(
  db: Database,
  clock: Clock,
  options: { readonly dataDir?: string; readonly seeds?: readonly string[]; readonly publicUrl?: string } = {},
): LogContext {
  return {
    ...{ db, clock, log: silentLogger, minimumBatch },
    keys: (options.seeds ?? [testLogSeed]).map(logKeyOf),
    lease: new Lease('vote-log'),
    copy: new CheckpointCopy(options.dataDir ?? `${copies}/${randomBytes(6).toString('hex')}`),
    publicUrl: options.publicUrl ?? 'https://polls.example',
  };
}

/** Closes a poll as the lifecycle does. */
export async function closeBallot(db: Database, id: string, at: number): Promise<void> {
  await db('ballots').where({ id }).update({ closed_at: at, is_active: false });
}

/** Records votes for an option as the vote path does, with every counter of ballot and option; returns their devices. */
export async function castVotes(
  db: Database,
  ballotId: string,
  optionId: string,
  count: number,
  createdAt = testNow,
): Promise<string[]> {
  const devices = Array.from({ length: count }, () => newDigest());
  await db.transaction(async (trx) => {
    const [ballot] = await trx('ballots').where({ id: ballotId }).increment('total_votes', count).returning('key');
    const [option] = await trx('ballot_options')
      .where({ ballot_id: ballotId, option_id: optionId })
      .increment('votes', count)
      .returning('key');
    await trx('ballot_secrets')
      .insert({ ballot_key: ballot!.key, secret: randomBytes(32).toString('base64'), after_id: 0 })
      .onConflict('ballot_key')
      .ignore();
    const rows = devices.map((device) => ({
      ...{ ballot_key: ballot!.key, option_key: option!.key, created_at: createdAt },
      device: isSqlite(trx) ? Buffer.from(device, 'hex') : device,
    }));
    for (let from = 0; from < rows.length; from += 200) await trx('votes').insert(rows.slice(from, from + 200));
  });
  return devices;
}

/** Everything that a poll has published, and what a reader expects who trusts the published key. */
export async function publishedEvidence(
  app: TestApp,
  pollId: string,
): Promise<{ evidence: Evidence; expected: Expectations }> {
  const json = async <T>(path: string) => (await (await app.fetch(path)).json()) as T;
  const { log } = await json<PollIntegrity>(`/api/polls/${pollId}/integrity`);
  if (log === null) throw new Error(`Poll ${pollId} has no log.`);
  const site =
    log.siteOrigin === null ? null : await json<PollSiteEntries>(`/api/polls/${pollId}/integrity/site-entries`);
  const version = log.results.at(-1)?.version ?? 1;
  const file = await app.fetch(`/api/polls/${pollId}/integrity/ballots/${version}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  const bytes = Buffer.from(await file.arrayBuffer());
  return {
    evidence: {
      file: file.ok ? bytes : new Uint8Array(),
      paper: log.paper,
      checkpoints: log.checkpoints,
      site: site && {
        note: site.checkpoint,
        entries: site.entries.map(({ proof, ...entry }) => ({ ...entry, proof: proof.map((one) => fromBase64(one)!) })),
        witnesses: site.witnesses,
        cosigned: site.cosigned.map(({ note, proof }) => ({ note, proof: proof.map((one) => fromBase64(one)!) })),
      },
    },
    expected: {
      poll: pollId,
      siteOrigin: log.siteOrigin ?? '',
      keys: log.verifierKeys.map((key) => parseVerifierKey(key)!.publicKey),
    },
  };
}

/** Recounts a poll from what the API publishes. */
export async function recountPublished(app: TestApp, pollId: string): Promise<RecountResult> {
  const { evidence, expected } = await publishedEvidence(app, pollId);
  return recount(evidence, expected, verifySignature);
}
