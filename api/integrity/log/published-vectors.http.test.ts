import { expect, test, vi } from 'vitest';
import vectors2 from '#domain/verification/fixtures/vectors-2.json' with { type: 'json' };
import vectors from '#domain/verification/fixtures/vectors.json' with { type: 'json' };
import type { BallotPaper, PollIntegrity, PollSiteEntries } from './integrity-log.contract.ts';
import { parseBallots } from '#domain/verification/ballots-file.ts';
import { utf8 } from '#domain/verification/bytes.ts';
import type { Reason } from '#domain/integrity/reasons.ts';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { setAside } from '#api/voting/decisions.service.ts';
import { tick } from './tick.service.ts';

const { poll } = vectors;
const hourAt = (hour: number) => Date.parse(`2026-11-22T${String(hour).padStart(2, '0')}:00:00Z`);
const reasonOfVector = 'waiting' as Reason;

/** Whether the log is one that an earlier release has opened. */
const log = vi.hoisted(() => ({ isOld: false }));

// The vectors derive receipts from longer digests than those of devices here, and name another reason.
vi.mock('#api/voting/receipts.ts', async (original) => ({
  ...(await original<object>()),
  receiptsOf: () => {
    const { ballots } = log.isOld ? vectors.poll : { ballots: vectors2.receipts };
    return Promise.resolve((device: string) => Buffer.from(ballots[Number(device)]!.receipt, 'hex'));
  },
}));
// The papers of earlier releases say nothing about choices.
vi.mock('./vote-log.queries.ts', async (original) => {
  const queries = await original<{ paperOf: (...of: unknown[]) => BallotPaper }>();
  return {
    ...queries,
    paperOf: (...of: unknown[]) => {
      const { choice, ...paper } = queries.paperOf(...of);
      return log.isOld ? paper : { ...paper, choice };
    },
  };
});
vi.mock('#domain/integrity/reasons.ts', async (original) => {
  const { reasons } = await original<{ reasons: object }>();
  return { reasons: { ...reasons, waiting: 'waiting for the operator' } };
});

eachDatabase((open) => {
  /** The poll of the vectors with its imported votes, opening at the ninth hour. */
  async function seedPoll(db: Database): Promise<void> {
    const { poll: id, question, options } = poll.paper;
    const { base } = parseBallots(utf8(poll.file)).header;
    const total = base.reduce((sum, votes) => sum + votes, 0);
    await db('ballots').insert({
      ...{ id, kind: 'poll', category: null, starts_at: hourAt(9), ends_at: hourAt(12) },
      ...{ base_votes: total, total_votes: total },
    });
    await db('polls').insert({
      ...{ id, question, description: '', tags: '[]', created_at: hourAt(8), updated_at: hourAt(8) },
    });
    await db('ballot_options').insert(
      options.map(({ id: option_id, label: text }, position) => ({
        ...{ ballot_id: id, option_id, position, text, base_votes: base[position]!, votes: base[position]! },
      })),
    );
  }

  /** Records the ballots of the vectors: the digest of a device is its index. */
  async function recordBallots(db: Database): Promise<void> {
    const { key } = await db('ballots').where({ id: poll.paper.poll }).first<{ key: number }>('key');
    const options = await db('ballot_options').orderBy('position').pluck<number[]>('key');
    for (const [place, { option, status }] of poll.ballots.entries()) {
      const device = String(place).padStart(32, '0');
      await db('votes').insert({
        ...{ ballot_key: key, option_key: options[option]!, created_at: hourAt(9), traits: 0 },
        ...{ device: isSqlite(db) ? Buffer.from(device, 'hex') : device, network: Number(/\d/.exec(status)?.[0] ?? 0) },
      });
      await db('ballot_options').where({ key: options[option]! }).increment('votes', 1);
    }
    await db('ballots').where({ key }).increment('total_votes', poll.ballots.length);
  }

  const formats = [
    { format: 1, written: poll },
    { format: 2, written: { ...vectors2.poll, tag: vectors2.tag, fileSha256: vectors2.fileSha256 } },
  ];

  test.each(formats)(
    'the server publishes the checkpoints, log entries, and ballots file of the test vectors of format $format, byte for byte',
    async ({ format, written }) => {
      log.isOld = format === 1;
      const { db } = await open();
      const clock = fixedClock(hourAt(8));
      const app = await startTestApp(db, { clock });
      await seedPoll(db);
      // Batches of twelve and ten.
      const writer = logWriter(db, clock, { seeds: [vectors.keys.seed], publicUrl: 'https://weathervane.example' });
      await tick(writer);
      clock.set(hourAt(9));
      await tick(writer);
      await recordBallots(db);
      clock.set(hourAt(10));
      await tick(writer);
      clock.set(hourAt(11));
      const deciding = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
      const of = (decision: number) => ({
        ballotId: poll.paper.poll,
        cluster: { networks: [decision] },
        actor: 'operator',
      });
      await setAside(deciding, { ...of(1), reason: 'automated-network' });
      await setAside(deciding, { ...of(2), reason: reasonOfVector, hold: { expiresAt: hourAt(20) } });
      await tick(writer);
      clock.set(hourAt(12));
      await closeBallot(db, poll.paper.poll, clock.now());
      await tick(writer);

      const path = `/api/polls/${poll.paper.poll}/integrity`;
      const json = async <T>(address: string) => (await (await app.fetch(address)).json()) as T;
      const { log: own } = await json<PollIntegrity>(path);
      expect(own).toMatchObject({ paper: written.paper, tag: Buffer.from(written.tag, 'hex').toString('base64') });
      expect(own!.checkpoints.slice(1)).toEqual(written.notes);
      const site = await json<PollSiteEntries>(`${path}/site-entries`);
      expect(site.entries.map(({ text }) => text)).toEqual(written.siteEntries);
      expect(site.checkpoint).toBe(written.siteNote);
      expect(own!.results).toMatchObject([{ sha256: written.fileSha256 }]);
      expect(await (await app.fetch(`${path}/ballots/1`)).text()).toBe(written.file);
      expect(await (await app.fetch('/integrity/key')).text()).toBe(`${vectors.keys.names[0]!.vkey}\n`);
    },
  );
});
