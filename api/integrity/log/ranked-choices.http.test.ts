import { expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { PollIntegrity } from './integrity-log.contract.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { leastRankedBallots } from '#contract/limits.ts';
import { recount } from '#domain/verification/recount.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { headerText } from '#site/client/api.ts';
import { loadEvidence } from '#site/verification/load-evidence.ts';
import { receiptStatus } from '#site/verification/receipt-status.ts';
import { newDigest } from '#api/testing/votes.ts';
import { receiptStatusTexts } from '#texts/verification.ts';
import { differingPolls } from './comparison.service.ts';
import { verifySignature } from './signing.ts';
import { tick } from './tick.service.ts';

const shown = { question: '', option: '', day: '', path: '' };
const options = ['a', 'b', 'c'].map((text, index) => ({ id: `option-${index + 1}`, text }));

eachDatabase((open) => {
  /** A closed poll with this many random rankings, and one from a browser, which ranks c above a. */
  async function start(votes: number) {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const writer = logWriter(db, clock);
    await tick(writer);
    const carla = await registered(app, 'carla');
    const { id } = await made(carla, { options, method: 'ranked' });
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const random = seededRandom(votes);
    await Promise.all(
      Array.from({ length: votes }, () => {
        const [optionId, ...further] = random.shuffled(options.map((option) => option.id)).slice(0, random.whole(1, 3));
        const voter = { device: newDigest(), cookie: newDigest(), userId: null };
        const vote = { ballotId: id, kind: 'community', optionId: optionId!, further, network: 7, traits: 0 } as const;
        return intake.cast({ ...vote, voter, nonce: newDigest() });
      }),
    );
    const anna = visitor(app);
    const { body } = await ask<{ receipt: string; promise: never }>(anna, `/api/community-polls/${id}/vote`, 'POST', {
      ...{ optionIds: ['option-3', 'option-1'], voterFingerprint: anna.device },
    });
    await intake.drain();
    await tick(writer);
    await closeBallot(db, id, clock.now());
    await tick(writer);
    await tick(writer);
    const download = async (path: string) => {
      const response = await app.fetch(path);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
    };
    const exported = async (file: string) => {
      const headers = { [adminPasswordHeader]: headerText(testAdminPassword) };
      const answer = await app.fetch(`/api/admin/exports/${file}.json?source=community&poll=${id}`, { headers });
      return (await answer.json()) as Record<string, unknown>[];
    };
    const differences = () => Array.fromAsync(differingPolls({ db, clock, readPage: () => Promise.resolve(null) }));
    const { log } = (await (await app.fetch(`/api/polls/${id}/integrity`)).json()) as PollIntegrity;
    const { body: poll } = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`);
    const stored = {
      ...shown,
      poll: id,
      receipt: body.receipt,
      promise: body.promise,
      optionId: 'option-3',
      further: ['option-1'],
    };
    return { db, app, carla, id, body, download, exported, differences, log: log!, poll, stored };
  }

  test('the list of a ranked poll with a hundred ballots is published, and a recount of it has the rounds of the site', async () => {
    const { app, carla, id, body, download, exported, differences, log, poll } = await start(leastRankedBallots - 1);
    expect([log.paper.choice, log.publishesBallots, log.size]).toEqual(['ranked 1 3', true, leastRankedBallots]);
    const loaded = await loadEvidence(id, [], download, testNow);
    if (typeof loaded === 'string') throw new Error(loaded);
    const { evidence, expected } = loaded;
    expect(expected.runoff).toEqual(poll.runoff);
    const receipt = decodeReceipt(body.receipt)!;
    const vote = { receipt, optionId: 'option-3', further: ['option-1'], promise: body.promise };
    const result = await recount(evidence, expected, verifySignature, { receipts: [receipt], promised: [vote] });
    expect(result).toMatchObject({
      ...{ verdict: 'ok', promises: ['kept'], found: [{ options: [2, 0], status: 'counted' }] },
      ...{ runoff: poll.runoff, tally: { counted: poll.options.map(({ votes }) => votes) } },
    });
    const swapped = { ...vote, optionId: 'option-1', further: ['option-3'] };
    expect((await recount(evidence, expected, verifySignature, { promised: [swapped] })).promises).toEqual([
      'bad-format',
    ]);
    expect(await differences()).toEqual([]);
    expect((await exported('ballots')).map((row) => row.option_id)).toContain('option-3,option-1');

    const { rounds, pairwise } = poll.runoff!;
    expect((await exported('results')).map((row) => [row.rounds, row.exhausted_votes, row.preferred_to])).toEqual(
      options.map((_option, place) => [
        rounds.map(({ votes }) => votes[place]),
        rounds.map(({ exhausted }) => exhausted),
        Object.fromEntries(
          options.flatMap(({ id: other }, at) => (at === place ? [] : [[other, pairwise[place]![at]]])),
        ),
      ]),
    );
    const csv = await (await carla.fetch(`/api/community-polls/${id}/results.csv`)).text();
    const [header, first] = csv.split('\r\n');
    expect(header).toBe('option,first choices,percent of voters,round 1,round 2,above a,above b,above c');
    const [votes, above] = [rounds.map((round) => round.votes[0]), pairwise[0]!.slice(1)];
    expect(first).toBe(`a,${votes[0]},${votes[0]},${votes.join()},,${above.join()}`);
    expect(csv).toContain(`\r\nNo option left,,,${rounds.map((round) => round.exhausted).join()}`);
    await app.close();
  });

  test('with fewer ballots no ranking is published, and receipts still prove that a vote is in the log', async () => {
    const { db, app, id, download, exported, differences, log, poll, stored } = await start(leastRankedBallots - 2);
    expect([log.publishesBallots, log.results[0]?.bytes]).toEqual([false, 0]);
    expect(poll.runoff!.rounds[0]!.votes.reduce((sum, votes) => sum! + votes!, 0)).toBe(leastRankedBallots - 1);
    expect((await app.fetch(`/api/polls/${id}/integrity/ballots/1`)).status).toBe(404);
    expect(await loadEvidence(id, [], download, testNow)).toBe('few-rankings');
    expect(await db('vote_log_files').first()).toBeUndefined();
    expect(await exported('ballots')).toEqual([]);
    expect((await exported('results'))[0]).toMatchObject({
      preferred_to: { 'option-2': expect.any(Number) as number },
    });
    const own = await receiptStatus(stored, download, verifySignature, testNow);
    expect(own).toEqual({ isProblem: false, text: receiptStatusTexts.logged });
    const other = { ...shown, optionId: 'option-3', further: ['option-2'], poll: id, receipt: stored.receipt };
    expect((await receiptStatus(other, download, verifySignature, testNow)).isProblem).toBe(true);
    expect(await differences()).toEqual([]);
    await db('votes').whereNotNull('further_options').limit(1).update({ further_options: null });
    expect((await differences()).map(({ pollId }) => pollId)).toEqual([id]);
    await app.close();
  });
});
