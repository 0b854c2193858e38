import { expect, test } from 'vitest';
import type { CommunityPoll, WaitingAnswer } from './community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { castVote, ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { closeBallot } from '#api/testing/vote-logs.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { headerText } from '#site/client/api.ts';
import { setAside } from '#api/voting/decisions.service.ts';
import { fixedClock } from '#platform/clock.ts';
import { voteErasure } from '#api/voting/erasure.service.ts';
import { expireWriteIns } from '#api/voting/write-ins.service.ts';

/** A text that nothing else contains. */
const written = 'Zwiebelsuppe Nr. 7';

eachDatabase((open) => {
  async function start(more: Parameters<typeof made>[1] = {}) {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const carla = await registered(app, 'carla');
    const { id } = await made(carla, { writeIns: true, optionOrder: 'fixed', resultVisibility: 'always', ...more });
    const path = `/api/community-polls/${id}`;
    const write = (browser: Visitor, writeIn: string) =>
      ask<CommunityPoll & ErrorBody>(browser, `${path}/vote`, 'POST', { writeIn, voterFingerprint: browser.device });
    const waiting = async () => (await ask<WaitingAnswer[]>(carla, `/api/community-polls/${id}/write-ins`)).body;
    const review = (answer: string, action: string, into?: string) =>
      ask(carla, `/api/community-polls/${id}/write-ins/${answer}`, 'POST', { action, into });
    const poll = async (browser: Visitor = visitor(app)) => (await ask<CommunityPoll>(browser, path)).body;
    const later = () => clock.set(clock.now() + 60_000);
    const context = { db, clock, intake: { runExclusive: <T>(task: () => Promise<T>) => task() } };
    return { db, clock, app, carla, id, path, write, waiting, review, poll, later, context };
  }

  test('an answer that a voter writes has a receipt and waits; approved, it is an option with its votes', async () => {
    const { db, app, write, waiting, review, poll, later, id } = await start();
    const [first, second, early] = [visitor(app), visitor(app), visitor(app)];
    await castVote(early, id);
    later();
    const { status, body } = await write(first, `  ${written} `);
    expect([status, typeof body.receipt]).toEqual([200, 'string']);
    expect(body).toMatchObject({ hasVoted: true, userVote: 'write-in-1', writtenVote: 'waiting', totalVotes: 1 });
    expect((await write(second, written.toUpperCase())).body).toMatchObject({ userVote: 'write-in-1', totalVotes: 1 });
    expect(await poll()).toMatchObject({
      ...{ totalVotes: 1, heldVotes: 2, receivedVotes: 3, writeIns: true },
      options: [{ votes: 1 }, { votes: 0 }],
      interventions: [{ action: 'hold', reason: 'written-answer', votes: 2, state: 'held' }],
    });
    await expectExactCounters(db);
    const [answer, ...others] = await waiting();
    expect([answer, others]).toEqual([{ id: answer!.id, text: written, votes: 2, writtenAt: expect.any(String) }, []]);

    later();
    expect((await review(answer!.id, 'approve')).status).toBe(204);
    const added = { id: 'write-in-1', text: written, votes: 2 };
    expect(await poll()).toMatchObject({ totalVotes: 3, heldVotes: 0, options: [{ votes: 1 }, { votes: 0 }, added] });
    expect(await waiting()).toEqual([]);
    // Whoever voted before is told; those who wrote it are not.
    expect((await poll(early)).missedOptions).toEqual(['write-in-1']);
    expect(await poll(first)).toMatchObject({ userVote: 'write-in-1', hasVoted: true });
    expect(Object.keys(await poll(first))).not.toEqual(expect.arrayContaining(['missedOptions']));
    expect((await poll(first)).writtenVote).toBeUndefined();
    // From now on everyone can choose it.
    const late = visitor(app);
    expect((await castVote(late, id, 'write-in-1')).body).toMatchObject({ totalVotes: 4, userVote: 'write-in-1' });
    expect((await poll(late)).missedOptions).toBeUndefined();
    await expectExactCounters(db);
  });

  test('a merged answer counts for another option, and its voter is told which', async () => {
    const { db, app, write, waiting, review, poll, id } = await start();
    const voter = visitor(app);
    await write(voter, 'Black tea');
    await castVote(visitor(app), id);
    const [answer] = await waiting();
    expect((await review(answer!.id, 'merge', 'option-9')).body.code).toBe('INVALID_OPTION');
    expect((await review(answer!.id, 'merge', 'option-1')).status).toBe(204);
    expect(await poll(voter)).toMatchObject({
      ...{ totalVotes: 2, heldVotes: 0, userVote: 'option-1', writtenVote: 'merged' },
      options: [{ votes: 2, merged: ['write-in-1'] }, { votes: 0 }],
    });
    // Answers to votes have the same counts at once, and the text leads to the option from now on.
    expect((await castVote(visitor(app), id)).body).toMatchObject({
      totalVotes: 3,
      options: [{ votes: 3 }, { votes: 0 }],
    });
    expect((await write(visitor(app), 'BLACK TEA')).body.message).toContain('“Tea”');
    await expectExactCounters(db);
  });

  test('the votes for a rejected answer are set aside, their voters are told, and it can’t be written again', async () => {
    const { db, app, write, waiting, review, poll } = await start();
    const voter = visitor(app);
    await write(voter, written);
    const [answer] = await waiting();
    expect((await review(answer!.id, 'reject')).status).toBe(204);
    expect(await poll(voter)).toMatchObject({
      totalVotes: 0,
      setAsideVotes: 1,
      hasVoted: true,
      writtenVote: 'rejected',
    });
    expect((await write(visitor(app), written)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    // It is decided once.
    for (const action of ['approve', 'reject']) expect((await review(answer!.id, action)).status).toBe(409);
    await expectExactCounters(db);
  });

  test('of many reviews at once, one decides', async () => {
    const { db, app, write, waiting, review, poll } = await start();
    await write(visitor(app), written);
    const [answer] = await waiting();
    const actions = ['approve', 'reject', 'approve', 'merge', 'reject'];
    const answers = await Promise.all(actions.map((action) => review(answer!.id, action, 'option-1')));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409]);
    const { totalVotes, setAsideVotes = 0 } = await poll();
    expect(totalVotes + setAsideVotes).toBe(1);
    await expectExactCounters(db);
  });

  test('of many voters who write the same at once, all join one answer', async () => {
    const { db, app, write, waiting } = await start();
    const voters = Array.from({ length: 6 }, () => visitor(app));
    const answers = await Promise.all(voters.map((voter, place) => write(voter, place % 2 ? written : ` ${written}`)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.userVote}`))).toEqual(
      new Set(['200 write-in-1']),
    );
    expect(await waiting()).toMatchObject([{ votes: 6 }]);
    await expectExactCounters(db);
  });

  test('what can’t be an answer is refused, says why, and changes nothing', async () => {
    const { db, app, write, path } = await start();
    const voter = visitor(app);
    const refusal = async (text: string) => (await write(voter, text)).body.errors?.[0];
    expect(await refusal(' ')).toEqual({ field: 'writeIn', message: 'Your answer is required' });
    expect(await refusal('\u200b')).toMatchObject({ field: 'writeIn' });
    expect(await refusal('x'.repeat(limits.communityOption + 1))).toMatchObject({ field: 'writeIn' });
    for (const hidden of ['a\0b', 'a\nb', 'a\u202ed', 'a\u0001'])
      expect(await refusal(hidden)).toMatchObject({ field: 'writeIn' });
    expect(await refusal('ＴＥＡ ')).toEqual({
      field: 'writeIn',
      message: '“Tea” is among the options. Choose it there.',
    });
    for (const lookalike of ['T\u0435a', 'Iced t\u0435a', 'W\u03b1ter'])
      expect(await refusal(lookalike)).toEqual({
        ...{ field: 'writeIn', message: 'Your answer mixes letters of alphabets that look alike' },
      });
    const both = { writeIn: written, optionId: 'option-1', voterFingerprint: voter.device };
    expect((await ask(voter, `${path}/vote`, 'POST', both)).status).toBe(400);
    for (const table of ['votes', 'write_ins', 'vote_decisions']) expect(await db(table)).toEqual([]);
    // A slot can’t be chosen as an option.
    expect((await castVote(voter, path.split('/').at(-1)!, 'write-in-1')).body.code).toBe('INVALID_OPTION');

    const plain = await start({ writeIns: false });
    const { status, body } = await plain.write(visitor(plain.app), written);
    expect([status, body.message]).toEqual([400, 'This poll takes no other answers. Choose one of the options.']);
  });

  test('answers that are refused use up nothing of what others can write on the poll', async () => {
    const { db } = await open();
    const app = await startTestApp(db, { config: { rateLimit: true } });
    const { id } = await made(await registered(app, 'carla'), { writeIns: true });
    const write = async (writeIn: string, place: number) => {
      const by = visitor(app);
      const headers = { 'x-forwarded-for': `203.0.${place}.7` };
      const body = { writeIn, voterFingerprint: by.device };
      return (await ask(by, `/api/community-polls/${id}/vote`, 'POST', body, headers)).status;
    };
    expect(await write('Water', 1)).toBe(200);
    // As if all but one had been used.
    await db('attempts').update({ used: rateLimits.heldVotesOnPoll.points - 1 });
    for (const place of [2, 3, 4]) expect(await write('Tea', place)).toBe(400);
    expect(await write('Milk', 5)).toBe(200);
    expect(await write('Juice', 6)).toBe(429);
  });

  test('a voter has one vote, whether for an option or for an answer of their own', async () => {
    const { db, app, write, id } = await start();
    const [one, other] = [visitor(app), visitor(app)];
    await write(one, written);
    expect(await castVote(one, id)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_VOTED', userVote: 'write-in-1' },
    });
    expect((await write(one, 'Water')).body).toMatchObject({ code: 'ALREADY_VOTED', poll: { writtenVote: 'waiting' } });
    await castVote(other, id);
    expect(await write(other, 'Tea')).toMatchObject({ status: 409, body: { userVote: 'option-1' } });
    await expectExactCounters(db);
  });

  test('only so many answers wait, those that could be joined included; options stay within their limit', async () => {
    const { app, write, waiting, review, poll } = await start();
    for (let n = 0; n < limits.writeInsWaiting; n++)
      expect((await write(visitor(app), `Answer ${n}`)).status).toBe(200);
    for (const text of ['Another', 'Answer 0'])
      expect((await write(visitor(app), text)).body.errors?.[0]?.message).toContain('Several answers wait');
    const answers = await waiting();
    const statuses = [];
    for (const { id } of answers) statuses.push((await review(id, 'approve')).status);
    expect(statuses).toEqual([...Array<number>(8).fill(204), 409, 409]);
    expect((await poll()).options).toHaveLength(limits.communityOptionsMax);
    expect((await write(visitor(app), 'One more')).body.errors?.[0]?.message).toContain(
      'as many answers as it can have',
    );
    for (const { id } of answers.slice(8)) expect((await review(id, 'reject')).status).toBe(204);
  });

  test('no public response has the text of an answer that waits, was merged, or rejected', async () => {
    const { db, app, carla, id, path, write, waiting, review } = await start();
    const hasText = async () => {
      const pages = [
        ...['', '/edits', '/comments', '/vote/status?fingerprint=device_abcdefghijklmnopqrstuvwxyz'].map(
          (end) => path + end,
        ),
        ...[`/api/polls/${id}/integrity`, '/api/community-polls', '/api/integrity', '/api/openapi.json'],
        ...[`/api/search?q=${encodeURIComponent(written)}`, '/api/statistics', '/api/community-polls/featured'],
      ];
      const found: string[] = [];
      for (const page of pages) {
        const text = await (await visitor(app).fetch(page)).text();
        // A search repeats what was asked.
        if ((page.includes('search') ? text.replaceAll(`"query":"${written}"`, '') : text).includes(written))
          found.push(page);
      }
      for (const table of [
        'events',
        'jobs',
        'search_documents',
        'ballot_options',
        'vote_decisions',
        'integrity_actions',
        'changes',
      ]) {
        const rows = await db(table).catch(() => []);
        if (JSON.stringify(rows).includes(written)) found.push(table);
      }
      const csv = await (await carla.fetch(`${path}/results.csv`)).text();
      return csv.includes(written) ? [...found, 'csv'] : found;
    };
    await write(visitor(app), written);
    expect(await hasText()).toEqual([]);
    expect((await ask(visitor(app), `${path}/write-ins`)).status).toBe(401);
    expect((await ask(await registered(app, 'bruno'), `${path}/write-ins`)).status).toBe(403);
    await review((await waiting())[0]!.id, 'merge', 'option-2');
    expect(await hasText()).toEqual([]);
    await write(visitor(app), `${written}!`);
    await review((await waiting())[0]!.id, 'reject');
    expect(await hasText()).toEqual([]);
  });

  test('the creator is told once, not for each vote, until the notification is read', async () => {
    const { db, app, carla, write } = await start();
    for (const text of [written, written, 'Water']) await write(visitor(app), text);
    const { body } = await ask<{ notifications: { kind: string; id: number }[] }>(carla, '/api/user/notifications');
    expect(body.notifications.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(written);
    expect(await db('events').where({ type: 'answer.waiting' })).toEqual([]);
  });

  test('the setting is for polls with one answer per voter, and fixed by the first vote', async () => {
    const { app, carla, id, path, write, poll } = await start();
    const several = { ...{ question: 'Which?', method: 'several', writeIns: true }, options: (await poll()).options };
    const options = several.options.map(({ text }, index) => ({ id: `option-${index + 1}`, text }));
    const refused = await ask(carla, '/api/community-polls', 'POST', { ...several, options });
    expect(refused.body.errors).toMatchObject([{ field: 'writeIns' }]);
    expect((await ask(carla, path, 'PATCH', { method: 'several' })).body.errors).toMatchObject([{ field: 'writeIns' }]);
    expect((await ask<CommunityPoll>(carla, path, 'PATCH', { writeIns: false })).body.writeIns).toBeUndefined();
    expect((await write(visitor(app), written)).status).toBe(400);
    expect((await ask<CommunityPoll>(carla, path, 'PATCH', { writeIns: true })).body.writeIns).toBe(true);
    expect((await write(visitor(app), written)).status).toBe(200);
    for (const edit of [{ writeIns: false }, { options: [{ text: 'x' }, { text: 'y' }] }])
      expect((await ask(carla, path, 'PATCH', edit)).status).toBe(409);
    expect((await poll()).id).toBe(id);
  });

  test('what nobody reviews within a week after the end is set aside, and its text deleted with the other data', async () => {
    const { db, app, carla, clock, id, write, waiting, poll, context } = await start();
    const voter = await registered(app, 'vera');
    await write(voter, written);
    const exported = async () => JSON.stringify((await ask(voter, '/api/user/export')).body);
    expect(await exported()).toContain(written);
    await closeBallot(db, id, clock.now());
    await expireWriteIns(context);
    // The creator can still review it.
    expect(await waiting()).toHaveLength(1);
    clock.set(clock.now() + 7 * 86_400_000);
    await expireWriteIns(context);
    expect(await poll(voter)).toMatchObject({ setAsideVotes: 1, heldVotes: 0, writtenVote: 'rejected' });
    expect(await waiting()).toEqual([]);
    clock.set(clock.now() + 30 * 86_400_000);
    const erase = voteErasure(context);
    while (await erase());
    expect(await db('write_ins')).toEqual([]);
    expect(await exported()).not.toContain(written);
    expect(await poll(carla)).toMatchObject({ setAsideVotes: 1 });
    await expectExactCounters(db);
  });

  test('votes that count once their answer is approved can be set aside like others', async () => {
    const { db, app, write, waiting, review, poll, id, context } = await start();
    for (let n = 0; n < 3; n++) await write(visitor(app), written);
    await castVote(visitor(app), id);
    await review((await waiting())[0]!.id, 'approve');
    const networks = await db('votes').whereNotNull('network').distinct('network').pluck<number[]>('network');
    expect(networks).toHaveLength(1);
    const cluster = { networks, optionId: 'write-in-1' };
    await setAside(context, { ballotId: id, cluster, reason: 'automated-network', actor: 'operator' });
    expect(await poll()).toMatchObject({ totalVotes: 1, setAsideVotes: 3, options: [{}, {}, { votes: 0 }] });
    await expectExactCounters(db);
  });

  test('nobody decides about a written answer but its review, which the creator alone can make', async () => {
    const { app, carla, path, write, waiting, poll } = await start();
    await write(visitor(app), written);
    const flags = await ask<{ decisions: unknown[] }>(carla, `${path}/decisions`);
    expect(flags.body.decisions).toEqual([]);
    expect((await ask(carla, `${path}/decisions/1`, 'POST', { action: 'release' })).status).toBe(409);
    const other = await registered(app, 'otto');
    const [answer] = await waiting();
    expect((await ask(other, `${path}/write-ins/${answer!.id}`, 'POST', { action: 'approve' })).status).toBe(403);
    expect(await poll()).toMatchObject({ totalVotes: 0, heldVotes: 1 });
  });

  test('the answers that wait are set aside a week after their creator has left', async () => {
    const { db, app, carla, clock, write, poll, context } = await start();
    await write(visitor(app), written);
    expect((await ask(carla, '/api/user', 'DELETE', { username: 'carla', password: testPassword })).status).toBe(204);
    expect(await poll()).toMatchObject({ isActive: false, heldVotes: 1 });
    clock.set(clock.now() + 7 * 86_400_000);
    await expireWriteIns(context);
    expect(await poll()).toMatchObject({ totalVotes: 0, heldVotes: 0, setAsideVotes: 1 });
    await expectExactCounters(db);
  });

  test('an approved answer stands before the options that stay at the end, and exports say when it was added', async () => {
    const options = ['Tea', 'Coffee', 'Other'].map((text, index) => ({ id: `option-${index + 1}`, text }));
    const { app, carla, path, write, waiting, review, poll, id } = await start({ options, optionOrder: 'random-1' });
    await write(visitor(app), written);
    await review((await waiting())[0]!.id, 'approve');
    expect((await poll()).options.map(({ text }) => text)).toEqual(['Tea', 'Coffee', written, 'Other']);
    const [head, , , added] = (await (await carla.fetch(`${path}/results.csv`)).text()).split('\r\n');
    expect([head, added]).toEqual(['option,votes,percent,added', `${written},1,100,2026-11-20T12:00:00.000Z`]);
    const headers = { [adminPasswordHeader]: headerText(testAdminPassword) };
    const exported = await app.fetch(`/api/admin/exports/results.json?source=community&poll=${id}`, { headers });
    const rows = (await exported.json()) as { option: string; added_at: string | null }[];
    expect(rows.map(({ added_at }) => added_at)).toEqual([null, null, null, '2026-11-20T12:00:00.000Z']);
    const found = await ask(visitor(app), `/api/search?q=${encodeURIComponent('Zwiebelsuppe')}`);
    expect(JSON.stringify(found.body)).toContain(id);
  });

  test('an answer stays without the account of who wrote it, and goes with its poll', async () => {
    const { db, app, carla, path, write, waiting } = await start();
    const voter = await registered(app, 'vera');
    await write(voter, written);
    expect((await ask(voter, '/api/user', 'DELETE', { username: 'vera', password: testPassword })).status).toBe(204);
    expect(await waiting()).toMatchObject([{ text: written, votes: 1 }]);
    expect(JSON.stringify(await db('write_ins'))).not.toContain(voter.user.id);
    expect((await ask(carla, path, 'DELETE')).status).toBe(204);
    expect(await db('write_ins')).toEqual([]);
  });
});
