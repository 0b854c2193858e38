import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { nonceHeader } from '#contract/vocabulary.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { subnetOfNetwork } from '#domain/integrity/marks.ts';
import { accountAges, cookieTrait } from '#domain/integrity/vote-traits.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Database } from '#platform/database.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { deviceDigest, newDigest } from '#api/testing/votes.ts';
import { nonceText } from '#texts/errors.ts';
import { createVotingIntake } from './intake.service.ts';
import { deleteOldSalts, networkDigests } from './network-digests.ts';
import { receiptsOf } from './receipts.ts';

const day = 86_400_000;
const voteOn = (browser: Visitor, id: string, optionId = 'o1') =>
  ask<ErrorBody & { receipt: string }>(browser, `/api/polls/${id}/vote`, 'POST', { optionId });
const nonce = 'ab'.repeat(16);
async function withNonce(browser: Visitor, contributed: string) {
  const response = await browser.fetch('/api/polls/p/vote', {
    method: 'POST',
    headers: { [nonceHeader]: contributed },
    json: { optionId: 'o1' },
  });
  return { status: response.status, body: (await response.json()) as ErrorBody & { receipt: string } };
}
const marks = (db: Database) =>
  db('votes').orderBy('id').select<{ network: number; traits: number }[]>('network', 'traits');

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    return { db, app: await startTestApp(db) };
  }

  once(
    'the receipt of a vote is made of what its browser contributes, and of its device with a secret of the poll',
    async () => {
      const { db, app } = await start();
      const anna = visitor(app);
      const { body } = await withNonce(anna, nonce);
      await voteOn(visitor(app), 'p');
      const other = (await voteOn(anna, 'q')).body.receipt;
      expect(other).not.toBe(body.receipt);

      const secrets = await db('ballot_secrets').orderBy('ballot_key').select('*');
      const [secret, second] = secrets.map((row: { secret: string }) => Buffer.from(row.secret, 'base64'));
      expect([secrets.length, secret?.length, secret?.equals(second!)]).toEqual([2, 32, false]);
      const mark = Buffer.from(deviceDigest(anna.device), 'hex');
      const part = createHmac('sha256', secret!)
        .update('weathervane/receipt/v1\0')
        .update(mark)
        .digest()
        .subarray(0, 16);
      const both = createHash('sha256').update('weathervane/receipt/v2\0').update(part).update(nonce, 'hex').digest();
      expect(Buffer.from(decodeReceipt(body.receipt)!).equals(both.subarray(0, 16))).toBe(true);
      const receiptOf = await receiptsOf(db, (secrets[0] as { ballot_key: number }).ballot_key);
      expect(receiptOf?.(mark.toString('hex'), nonce).equals(both.subarray(0, 16))).toBe(true);
      // As earlier releases recorded votes.
      expect(receiptOf?.(mark.toString('hex'), null).equals(part)).toBe(true);
      expect(await receiptsOf(db, 9_999)).toBeNull();
    },
  );

  once(
    'a repeated vote keeps its receipt whatever its browser contributes then, and a malformed contribution records nothing',
    async () => {
      const { db, app } = await start();
      const anna = visitor(app);
      for (const wrong of ['12', 'A'.repeat(32), `${nonce}0`]) {
        const { status, body } = await withNonce(anna, wrong);
        expect([status, body.errors]).toEqual([400, [{ field: nonceHeader, message: nonceText }]]);
      }
      expect(await db('votes')).toEqual([]);
      const { receipt } = (await withNonce(anna, nonce)).body;
      expect((await withNonce(anna, 'cd'.repeat(16))).body.receipt).toBe(receipt);
      expect((await voteOn(anna, 'p')).body.receipt).toBe(receipt);
    },
  );

  test('a refused second vote gets the receipt of the recorded one, also from another device of the account', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    const poll = await made(anna);
    const { receipt } = (await voteOn(anna, 'p')).body;
    const community = ((await castVote(anna, poll.id)).body as CommunityPoll & { receipt: string }).receipt;
    for (const browser of [anna, await signedIn(app, 'anna')]) {
      const again = await voteOn(browser, 'p', 'o2');
      expect([again.status, again.body.userVote, again.body.receipt]).toEqual([409, 'o1', receipt]);
      expect(again.body.poll).not.toHaveProperty('receipt');
      expect((await castVote(browser, poll.id)).body.receipt).toBe(community);
    }
  });

  test('a vote from before there were receipts has none, and later votes on the same poll have', async () => {
    const { db, app } = await start();
    const anna = visitor(app);
    await voteOn(anna, 'p');
    // As the previous release recorded it.
    await db('ballot_secrets').del();
    await db('votes').update({ traits: null, network: null });
    const restarted = await startTestApp(db);
    expect((await voteOn(visitor(restarted), 'p')).status).toBe(200);
    expect(await db('ballot_secrets').pluck('after_id')).toEqual([0]);
    const again = await voteOn(anna, 'p');
    expect([again.status, again.body.receipt]).toEqual([409, null]);
  });

  once('no secret is made for a poll that does not exist or is closed', async () => {
    const { db, app } = await start();
    await db('ballots').where({ id: 'q' }).update({ is_active: false, closed_at: testNow });
    expect((await voteOn(visitor(app), 'q')).status).toBe(409);
    expect((await voteOn(visitor(app), 'nothing')).status).toBe(404);
    expect(await db('ballot_secrets')).toEqual([]);
  });

  test('several processes that record the first votes on a poll at once use one secret', async () => {
    const { db } = await start();
    const intakes = [1, 2, 3].map(() => createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger }));
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const voter = { device: newDigest(), cookie: newDigest(), userId: null };
        return intakes[n % 3]!.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', voter }).then((outcome) => ({
          device: voter.device,
          receipt: outcome.status === 'recorded' ? outcome.receipt : outcome.status,
        }));
      }),
    );
    await Promise.all(intakes.map((intake) => intake.drain()));
    const [row] = await db('ballot_secrets').select<{ ballot_key: number }[]>('ballot_key');
    const receiptOf = (await receiptsOf(db, row!.ballot_key))!;
    for (const { device, receipt } of outcomes)
      expect(Buffer.from(decodeReceipt(receipt!)!).equals(receiptOf(device, null))).toBe(true);
    await expectExactCounters(db);
  });

  test('a vote keeps a digest of its network, the age of its account in steps, and whether a cookie came with it', async () => {
    const { db, app } = await start();
    const from = (browser: Visitor, address: string, id = 'p') =>
      browser.fetch(`/api/polls/${id}/vote`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        json: { optionId: 'o1' },
      });
    const anna = visitor(app);
    await from(anna, '203.0.113.7');
    await from(anna, '203.0.113.7', 'q');
    await from(visitor(app), '203.0.113.7');
    await from(visitor(app), '203.0.113.250');
    await from(visitor(app), '198.51.100.7');
    await from(visitor(app), '2001:db8:1:2::3');
    await from(visitor(app), '2001:db8:1:ffff::3');
    const rows = await marks(db);
    const networks = rows.map(({ network }) => network);
    // The same number for the same network, by the order of its first vote.
    expect(networks.map((network) => networks.indexOf(network))).toEqual([0, 1, 0, 3, 4, 5, 5]);
    const subnets = networks.map(subnetOfNetwork);
    expect(subnets.map((subnet) => subnets.indexOf(subnet))).toEqual([0, 1, 0, 0, 4, 5, 5]);
    for (const network of networks) expect(network).toBeLessThan(2 ** 48);
    expect(rows.map(({ traits }) => traits)).toEqual([0, cookieTrait, 0, 0, 0, 0, 0]);
  });

  once('the age of the account is kept in steps of one and seven days', async () => {
    const { db, app } = await start();
    const ages = [0, day - 1, day, 7 * day - 1, 7 * day];
    await seedPolls(db, [{ id: 'late', endsAt: testNow + 30 * day }]);
    const members = [];
    for (const n of ages.keys()) members.push(await registered(app, `member${n}`));
    for (const [n, age] of ages.entries()) {
      app.clock.set(testNow + age);
      expect((await voteOn(members[n]!, 'late')).status).toBe(200);
    }
    const { underOneDay, underSevenDays, sevenDays } = accountAges;
    expect((await marks(db)).map(({ traits }) => traits)).toEqual([
      underOneDay,
      underOneDay,
      underSevenDays,
      underSevenDays,
      sevenDays,
    ]);
  });

  test('a network is recognized while a poll is open, on no other poll, and not after the poll was closed', async () => {
    const { db } = await start();
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const process = () => networkDigests({ db, clock, intake });
    const [one, other] = [process(), process()];
    const first = await one.forVotes('p', '203.0.113.7');
    expect(await other.forVotes('p', '203.0.113.7')).toBe(first);
    expect(await one.forVotes('q', '203.0.113.7')).not.toBe(first);
    expect(await one.forVotes('unknown', '203.0.113.7')).toBeNull();
    clock.set(testNow + 8 * day);
    await deleteOldSalts(db, clock.now());
    expect(await process().forVotes('p', '203.0.113.7')).toBe(first);

    await db('ballots').where({ id: 'p' }).update({ closed_at: clock.now() });
    await deleteOldSalts(db, clock.now());
    expect(await db('digest_salts').pluck('scope')).toEqual([expect.stringMatching(/^ballot \d+$/)]);
    expect(await process().forVotes('p', '203.0.113.7')).toBeNull();
    await db('ballots').where({ id: 'p' }).update({ closed_at: null });
    expect(await one.forVotes('p', '203.0.113.7')).not.toBe(first);
    await intake.drain();
  });

  test('digests of networks that content comes from differ between weeks, and old salts are deleted', async () => {
    const { db } = await start();
    const clock = fixedClock(Date.parse('2026-11-22T23:59:59Z'));
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const [one, other] = [networkDigests({ db, clock, intake }), networkDigests({ db, clock, intake })];
    const sunday = await one.forContent('203.0.113.7');
    expect(await other.forContent('203.0.113.7')).toBe(sunday);
    const scopes = () => db('digest_salts').orderBy('created_at').pluck<string[]>('scope');
    const [old] = await scopes();
    clock.set(Date.parse('2026-11-23T00:00:00Z'));
    expect(await one.forContent('203.0.113.7')).not.toBe(sunday);
    const [, current] = await scopes();
    await deleteOldSalts(db, clock.now());
    expect(await scopes()).toEqual([current]);
    expect(current).not.toBe(old);
    await intake.drain();
  });
});
