import { expect, test } from 'vitest';
import type { PollIntegrity } from './integrity-log.contract.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { recount } from '#domain/verification/recount.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { setAside } from '#api/voting/decisions.service.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { readFurther } from '#api/voting/choices.model.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { closeBallot, logWriter, publishedEvidence, recountPublished } from '#api/testing/vote-logs.ts';
import { headerText } from '#site/client/api.ts';
import { newDigest } from '#api/testing/votes.ts';
import { differingPolls } from './comparison.service.ts';
import { verifySignature } from './signing.ts';
import { tick } from './tick.service.ts';

const options = ['a', 'b', 'c', 'd'].map((text, index) => ({ id: `option-${index + 1}`, text }));

eachDatabase((open) => {
  /** A closed poll on which votes choose two or three of four options, with four votes set aside, and one from a browser. */
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const writer = logWriter(db, clock);
    await tick(writer);
    const carla = await registered(app, 'carla');
    const { id } = await made(carla, { options, method: 'several', minChoices: 2, maxChoices: 3 });
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const cast = (numbers: readonly number[], network: number) => {
      const [optionId, ...further] = numbers.map((number) => `option-${number}`);
      const voter = { device: newDigest(), cookie: newDigest(), userId: null };
      const vote = {
        ballotId: id,
        kind: 'community',
        optionId: optionId!,
        further,
        network,
        traits: 0,
        voter,
      } as const;
      return intake.cast({ ...vote, nonce: newDigest() });
    };
    for (let n = 0; n < 9; n++) await cast([4, 2, 1], 7);
    for (let n = 0; n < 4; n++) await cast([3, 2], 9);
    const anna = visitor(app);
    const { body } = await ask<{ receipt: string; promise: never }>(anna, `/api/community-polls/${id}/vote`, 'POST', {
      ...{ optionIds: ['option-3', 'option-1'], voterFingerprint: anna.device },
    });
    const by = { actor: 'operator', note: 'seen in the log', reason: 'automated-network' } as const;
    await setAside({ db, clock, intake }, { ballotId: id, cluster: { networks: [9] }, ...by });
    await intake.drain();
    await tick(writer);
    await closeBallot(db, id, clock.now());
    await tick(writer);
    return { db, app, clock, carla, id, body };
  }

  test('a recount of a poll with several choices has each vote once for each of its options, set aside or not', async () => {
    const { db, app, clock, carla, id, body } = await start();
    const { log } = (await (await app.fetch(`/api/polls/${id}/integrity`)).json()) as PollIntegrity;
    expect(log?.paper.choice).toBe('several 2 3');
    expect(await recountPublished(app, id)).toMatchObject({
      verdict: 'ok',
      tally: { counted: [10, 9, 1, 9], setAside: [0, 4, 4, 0], held: [0, 0, 0, 0] },
    });
    const { evidence, expected } = await publishedEvidence(app, id);
    const receipt = decodeReceipt(body.receipt)!;
    const vote = { receipt, optionId: 'option-1', further: ['option-3'], promise: body.promise };
    const result = await recount(evidence, expected, verifySignature, { receipts: [receipt], promised: [vote] });
    expect(result).toMatchObject({
      verdict: 'ok',
      promises: ['kept'],
      found: [{ options: [0, 2], status: 'counted' }],
    });
    const other = { ...vote, further: ['option-2'] };
    expect((await recount(evidence, expected, verifySignature, { promised: [other] })).promises).toEqual([
      'bad-format',
    ]);
    const differences = await Array.fromAsync(differingPolls({ db, clock, readPage: () => Promise.resolve(null) }));
    expect(differences).toEqual([]);

    const exported = async (file: string) => {
      const headers = { [adminPasswordHeader]: headerText(testAdminPassword) };
      const answer = await app.fetch(`/api/admin/exports/${file}.json?source=community&poll=${id}`, { headers });
      return (await answer.json()) as Record<string, unknown>[];
    };
    expect((await exported('results')).map((row) => [row.votes, row.percent, row.total_votes])).toEqual([
      [10, 100, 10],
      [9, 90, 10],
      [1, 10, 10],
      [9, 90, 10],
    ]);
    expect((await exported('polls'))[0]).toMatchObject({
      ...{ method: 'several', min_choices: 2, max_choices: 3, total_votes: 10 },
    });
    expect(new Set((await exported('ballots')).map((row) => row.option_id))).toEqual(
      new Set(['option-1,option-2,option-4', 'option-2,option-3', 'option-1,option-3']),
    );
    const csv = await carla.fetch(`/api/community-polls/${id}/results.csv`);
    const [header, ...rows] = (await csv.text()).split('\r\n');
    expect(header).toMatch(/option,votes,percent of voters$/);
    expect(rows.slice(0, 2)).toEqual(['a,10,100', 'b,9,90']);
    await app.close();
  });

  test('a set that somebody changes in the database is found by the comparison, and not published', async () => {
    const { db, app, clock, id } = await start();
    const vote = await db('votes').whereNotNull('further_options').first<{ id: number; further_options: string }>();
    const [, ...kept] = readFurther(vote.further_options);
    await db('votes')
      .where({ id: vote.id })
      .update({ further_options: `,${kept.join()},` });
    const context = { db, clock, readPage: () => Promise.resolve(null) };
    const [found, ...others] = await Array.fromAsync(differingPolls(context));
    expect([found?.pollId, others]).toEqual([id, []]);
    expect(found?.difference).toContain('8 votes for “b” are recorded, but 9 are in the log');
    expect((await recountPublished(app, id)).verdict).toBe('ok');
    await app.close();
  });
});
