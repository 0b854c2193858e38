import { expect, test } from 'vitest';
import type { CommunityPoll, WaitingAnswer } from '#api/polls/community/community-polls.contract.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { closeBallot, logWriter, publishedEvidence } from '#api/testing/vote-logs.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { recount } from '#domain/verification/recount.ts';
import { parseEntry } from '#domain/verification/site-log.ts';
import { fixedClock } from '#platform/clock.ts';
import { loadEvidence } from '#site/verification/load-evidence.ts';
import { clearNextMarks } from '#api/voting/decision-marks.service.ts';
import { differingPolls } from './comparison.service.ts';
import { verifySignature } from './signing.ts';
import { tick } from './tick.service.ts';

eachDatabase((open) => {
  /** A poll on which eleven voters chose an option, and four wrote answers: two the same, one of each other. */
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const writer = logWriter(db, clock);
    await tick(writer);
    const carla = await registered(app, 'carla');
    const { id } = await made(carla, { writeIns: true, optionOrder: 'fixed' });
    const path = `/api/community-polls/${id}`;
    for (let n = 0; n < 11; n++) await castVote(visitor(app), id);
    const texts = ['Water', 'water', 'Black tea', 'Spam'];
    const voters = texts.map((writeIn) => ({ writeIn, browser: visitor(app) }));
    const votes: { receipt: string; promise: never; userVote: string }[] = [];
    for (const { writeIn, browser } of voters)
      votes.push(
        (
          await ask<(typeof votes)[number]>(browser, `${path}/vote`, 'POST', {
            ...{ writeIn, voterFingerprint: browser.device },
          })
        ).body,
      );
    const review = async (action: string, into?: string) => {
      clock.set(clock.now() + 60_000);
      const [answer] = (await ask<WaitingAnswer[]>(carla, `${path}/write-ins`)).body;
      expect((await ask(carla, `${path}/write-ins/${answer!.id}`, 'POST', { action, into })).status).toBe(204);
    };
    const close = async () => {
      await tick(writer);
      await closeBallot(db, id, clock.now());
      await tick(writer);
    };
    /** What a reader finds who recounts the poll, and compares it with the API’s answer. */
    const recounted = async () => {
      const download = async (address: string) => {
        const response = await app.fetch(address);
        return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
      };
      const loaded = await loadEvidence(id, [], download, clock.now());
      if (typeof loaded === 'string') throw new Error(loaded);
      const promised = votes.map(({ receipt, promise, userVote: optionId }) => ({
        ...{ receipt: decodeReceipt(receipt)!, optionId, promise },
      }));
      const receipts = promised.map(({ receipt }) => receipt);
      const result = await recount(loaded.evidence, loaded.expected, verifySignature, { promised, receipts });
      return { result, labels: loaded.options.map(({ label }) => label), totals: loaded.expected.totals };
    };
    const entries = async () =>
      ((await publishedEvidence(app, id)).evidence.site!.entries as readonly { text: string }[]).flatMap(
        ({ text }) => parseEntry(text) ?? [],
      );
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    /** What the server finds, once no decision is under way. */
    const differing = async () => {
      while (await clearNextMarks({ db, clock, intake }));
      return Array.fromAsync(differingPolls({ db, clock, readPage: () => Promise.resolve(null) }));
    };
    return { db, app, writer, id, path, review, close, recounted, entries, differing };
  }

  test('each decision about a written answer is in the log, and a recount agrees, with its receipts and promises', async () => {
    const { db, app, path, review, close, recounted, entries, differing } = await start();
    await review('approve');
    await review('merge', 'option-1');
    await review('reject');
    await close();
    const { result, labels, totals } = await recounted();
    expect(result).toMatchObject({ verdict: 'ok', promises: ['kept', 'kept', 'kept', 'kept'] });
    const [counted, setAside] = [result.tally!.counted, result.tally!.setAside].map((votes) => votes.slice(0, 6));
    expect([counted, setAside]).toEqual([
      [11, 0, 2, 1, 0, 0],
      [0, 0, 0, 0, 1, 0],
    ]);
    expect(labels.slice(0, 5)).toEqual(['Tea', 'Coffee', 'Water', 'Tea', 'Written answer 3']);
    // The site shows the votes for a merged answer with those of the other one.
    expect(totals?.api?.slice(0, 5)).toEqual([12, 0, 2, 0, 0]);
    expect(result.found.map((ballot) => ballot?.status)).toEqual(['counted', 'counted', 'counted', 'set-aside']);
    const kinds = (await entries()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'amend')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'decision')).toHaveLength(3);
    expect(await differing()).toEqual([]);
    expect((await ask<CommunityPoll>(visitor(app), path)).body.totalVotes).toBe(14);
    await expectExactCounters(db);
  });

  test('each approval is an amendment of its own once the log has seen it', async () => {
    const { writer, review, close, entries, recounted } = await start();
    await review('approve');
    await tick(writer);
    await review('approve');
    await tick(writer);
    await review('reject');
    await close();
    expect((await entries()).filter(({ kind }) => kind === 'amend')).toHaveLength(2);
    expect((await recounted()).result.verdict).toBe('ok');
  });

  test('answers that wait when the poll closes are held in its result, and a later decision publishes the next one', async () => {
    const { db, writer, review, close, recounted, differing, id, app } = await start();
    await close();
    const first = await recounted();
    expect(first.result).toMatchObject({ verdict: 'ok', header: { version: 1 } });
    expect(first.result.tally?.held.slice(0, 6)).toEqual([0, 0, 2, 1, 1, 0]);
    expect(await differing()).toEqual([]);
    await review('approve');
    await review('merge', 'option-2');
    await tick(writer);
    const second = await recounted();
    expect(second.result).toMatchObject({ verdict: 'ok', header: { version: 2 }, promises: Array(4).fill('kept') });
    expect(second.result.tally?.counted.slice(0, 5)).toEqual([11, 0, 2, 1, 0]);
    expect(second.totals?.api?.slice(0, 5)).toEqual([11, 1, 2, 0, 0]);
    expect(await differing()).toEqual([]);
    const { log } = (await ask<{ log: { paper: { options: unknown[] } } }>(visitor(app), `/api/polls/${id}/integrity`))
      .body;
    expect(JSON.stringify(log)).not.toContain('Spam');
    await expectExactCounters(db);
  });

  test('an answer that a site merges without a log entry, or into another option than the log says, is found', async () => {
    const { db, review, close, recounted, differing, id } = await start();
    await review('approve');
    await review('merge', 'option-1');
    await close();
    expect((await recounted()).result.verdict).toBe('ok');
    const options = db('ballot_options').where({ ballot_id: id });
    const coffee = await options.clone().where({ option_id: 'option-2' }).first('key');
    const merged = { written: 'merged', offered: false, merged_into: coffee!.key } as const;
    for (const option_id of ['write-in-1', 'write-in-2']) {
      const answer = () => options.clone().where({ option_id });
      const before = (await answer().first('written', 'offered', 'merged_into'))!;
      await answer().update(merged);
      const { result } = await recounted();
      expect([result.verdict, result.detail]).toEqual(['wrong-paper', 'written answers']);
      expect(await differing()).toHaveLength(1);
      await answer().update(before);
    }
    expect((await recounted()).result.verdict).toBe('ok');
    expect(await differing()).toEqual([]);
  });

  test('votes that a site counts for another answer than the log says are found', async () => {
    const { db, review, close, recounted, id } = await start();
    await review('merge', 'option-1');
    await close();
    await db('ballot_options').where({ ballot_id: id, option_id: 'option-1' }).increment('votes', 1);
    const { result } = await recounted();
    expect(result).toMatchObject({
      verdict: 'tally-mismatch',
      differences: [{ source: 'api', option: 0, votes: 14, logged: 13 }],
    });
  });
});
