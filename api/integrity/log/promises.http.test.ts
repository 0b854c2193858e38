import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PollIntegrity } from './integrity-log.contract.ts';
import { nonceHeader } from '#contract/vocabulary.ts';
import { recount } from '#domain/verification/recount.ts';
import { parseEntryBundle } from '#domain/verification/site-log.ts';
import { referenceRecount } from '#api/testing/reference-verifier.ts';
import type { ReferencePaper } from '#api/testing/reference-verifier.ts';
import { receiptStatus } from '#site/verification/receipt-status.ts';
import type { Download } from '#site/verification/load-evidence.ts';
import { receiptStatusTexts } from '#texts/verification.ts';
import { parseCheckpoint, parseVerifierKey } from '#domain/verification/note.ts';
import { checkPromise } from '#domain/verification/promise.ts';
import type { VotePromise } from '#domain/verification/promise.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { logWriter, publishedEvidence } from '#api/testing/vote-logs.ts';
import { verifySignature } from './signing.ts';
import { tick } from './tick.service.ts';

interface Answer {
  readonly receipt: string;
  readonly promise: VotePromise | null;
}

async function vote(browser: Visitor, poll: string, nonce?: string, optionId = 'o1') {
  const response = await browser.fetch(`/api/polls/${poll}/vote`, {
    method: 'POST',
    headers: nonce === undefined ? {} : { [nonceHeader]: nonce },
    json: { optionId },
  });
  const text = await response.text();
  // One character of two bytes would double the work of sending the answer.
  if (response.ok) expect(text).toMatch(/^[\x00-\x7f]*$/);
  return { status: response.status, ...(JSON.parse(text) as Answer & ErrorBody) };
}

/** Whether a promise holds for the poll as it has published its paper and keys. */
async function verdictOf(app: TestApp, poll: string, { receipt, promise }: Answer, optionId = 'o1') {
  const { log } = (await (await app.fetch(`/api/polls/${poll}/integrity`)).json()) as PollIntegrity;
  const keys = log!.verifierKeys.map((key) => parseVerifierKey(key)!.publicKey);
  const promised = { receipt: decodeReceipt(receipt)!, optionId, promise: promise! };
  return checkPromise(log!.paper, promised, keys, verifySignature);
}

const hour = 3_600_000;
const expectedSize = (note: string) => parseCheckpoint(note)!.size;

const downloadFrom =
  (app: TestApp): Download =>
  async (path) => {
    const response = await app.fetch(path);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  };

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p', endsAt: testNow + 2 * hour }, { id: 'q' }]);
    const clock = fixedClock(testNow);
    return { db, clock, app: await startTestApp(db, { clock }), writer: logWriter(db, clock) };
  }
  const papersOf = (db: Database) => db('ballot_papers');

  test('voters are promised their places in the log, many with one signature, and who votes again gets a promise, too', async () => {
    const { app, writer } = await start();
    await tick(writer);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => vote(visitor(app), n % 3 === 0 ? 'q' : 'p', 'ab'.repeat(16))),
    );
    for (const [n, answer] of answers.entries()) {
      expect(answer.promise).toMatchObject({ nonce: 'ab'.repeat(16), result: 1 });
      expect(await verdictOf(app, n % 3 === 0 ? 'q' : 'p', answer)).toBe('ok');
      expect(await verdictOf(app, n % 3 === 0 ? 'q' : 'p', answer, 'o2')).toBe('bad-format');
    }
    expect(new Set(answers.map(({ promise }) => promise!.note)).size).toBeLessThan(answers.length);
    const anna = await registered(app, 'anna');
    const poll = await made(anna);
    await tick(writer);
    const first = await vote(anna, 'p', 'cd'.repeat(16));
    const again = await vote(anna, 'p', 'ef'.repeat(16), 'o2');
    expect([again.status, again.receipt, again.promise!.nonce]).toEqual([409, first.receipt, 'cd'.repeat(16)]);
    expect(await verdictOf(app, 'p', again)).toBe('ok');
    const community = (await castVote(anna, poll.id)).body as unknown as Answer & { userVote: string };
    expect(await verdictOf(app, poll.id, community, community.userVote)).toBe('ok');
  });

  test('votes before the log of their poll has opened are promised with the paper that it opens with, though its wording has changed', async () => {
    const { db, clock, app, writer } = await start();
    expect((await vote(visitor(app), 'p')).promise).toBeNull();
    await tick(writer);
    await seedPolls(db, [{ id: 'late', startsAt: testNow }]);
    const early = [await vote(visitor(app), 'late'), await vote(visitor(app), 'late')];
    expect(await papersOf(db)).toHaveLength(1);
    clock.set(testNow + 1_000);
    await db('polls').where({ id: 'late' }).update({ question: 'Another wording?', updated_at: clock.now() });
    await tick(writer);
    expect(await papersOf(db)).toEqual([]);
    for (const answer of [...early, await vote(visitor(app), 'late')])
      expect(await verdictOf(app, 'late', answer)).toBe('ok');
    const { evidence } = await publishedEvidence(app, 'late');
    const entries = evidence.site!.entries.map((entry) => (typeof entry === 'string' ? entry : entry.text));
    expect(entries.some((text) => text.startsWith('weathervane/amend/v1'))).toBe(true);
  });

  once(
    'the reference reads what the server publishes and promises, and finds the vote that the server has dropped, as the verifiers and the page with the receipts do',
    async () => {
      const { db, clock, app, writer } = await start();
      await tick(writer);
      const answers = [];
      for (let n = 0; n < 12; n++) answers.push(await vote(visitor(app), 'p', undefined, n % 2 ? 'o1' : 'o2'));
      const votes = answers.map(({ receipt: code, promise }, n) => ({
        ...{ code, optionId: n % 2 ? 'o1' : 'o2', promise: promise! },
      }));
      // Before it is in the log, somebody removes a vote with everything that counts it.
      const [dropped] = votes;
      const { option_key: key } = await db('votes').orderBy('id').first<{ option_key: number }>();
      await db('votes').where('id', db('votes').min('id')).del();
      await db('ballot_options').where({ key }).decrement('votes', 1);
      await db('ballots').where({ id: 'p' }).decrement('total_votes', 1);
      clock.set(testNow + 2 * hour);
      const stored = { poll: 'p', question: '', option: '', day: '', path: '/poll/p', nonce: dropped!.promise.nonce };
      const status = (at: number) => {
        const kept = { ...stored, receipt: dropped!.code, optionId: dropped!.optionId, promise: dropped!.promise };
        return receiptStatus(kept, downloadFrom(app), verifySignature, at);
      };
      expect((await status(clock.now())).text).toContain(receiptStatusTexts.promised);
      await db('ballots').where({ id: 'p' }).update({ closed_at: clock.now(), is_active: false });
      expect((await status(clock.now() + hour + 1)).text).toBe(receiptStatusTexts.overdue);
      await tick(writer);

      const { evidence, expected } = await publishedEvidence(app, 'p');
      const bundle = await app.fetch('/integrity/log/tile/entries/000.p/' + String(expectedSize(evidence.site!.note)));
      const published = {
        paper: evidence.paper as ReferencePaper,
        file: Buffer.from(evidence.file).toString(),
        // The first one is of the empty log.
        notes: evidence.checkpoints.slice(1),
        siteEntries: parseEntryBundle(Buffer.from(await bundle.arrayBuffer()))!,
        ...{ siteNote: evidence.site!.note, siteOrigin: expected.siteOrigin },
      };
      const [publicKey] = expected.keys;
      expect(referenceRecount(published, publicKey!, votes.slice(1))).toBe('ok');
      expect(referenceRecount(published, publicKey!, votes)).toBe('broken');
      const promised = votes.map(({ code, ...one }) => ({ ...one, receipt: decodeReceipt(code)! }));
      expect(await recount(evidence, expected, verifySignature, { promised })).toMatchObject({
        verdict: 'broken-promise',
        promises: ['broken', ...votes.slice(1).map(() => 'kept')],
      });
      expect(await status(clock.now())).toEqual({ text: receiptStatusTexts.broken, isProblem: true });
    },
  );

  once('a promise made after a poll was reopened is about the next result', async () => {
    const { db, clock, app, writer } = await start();
    await tick(writer);
    await vote(visitor(app), 'p');
    clock.set(testNow + hour);
    await db('ballots').where({ id: 'p' }).update({ closed_at: clock.now(), is_active: false });
    await tick(writer);
    await db('ballots').where({ id: 'p' }).update({ closed_at: null, is_active: true });
    const answer = await vote(visitor(app), 'p');
    expect(answer.promise!.result).toBe(2);
    expect(await verdictOf(app, 'p', answer)).toBe('ok');
  });
});
