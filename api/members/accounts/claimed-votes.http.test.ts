import { expect, test } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { storedVotes } from '#api/testing/votes.ts';

const vote = async (browser: Visitor, poll: string, optionId: string) => {
  const response = await browser.fetch(`/api/polls/${poll}/vote`, { method: 'POST', json: { optionId } });
  const body = (await response.json()) as Poll & { code?: string };
  return [response.status, body.code ?? 'recorded', body.userVote];
};
const choice = async (browser: Visitor, poll: string) =>
  ((await (await browser.fetch(`/api/polls/${poll}`)).json()) as Poll).userVote;

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    const app = await startTestApp(db);
    return { db, app };
  }

  test('a visitor’s votes before registering belong to the account on every device and count once', async () => {
    const { db, app } = await start();
    const phone = visitor(app);
    expect(await vote(phone, 'p', 'o2')).toEqual([200, 'recorded', 'o2']);
    await registered(app, 'anna', {}, phone);
    const laptop = await signedIn(app, 'anna');
    expect(await choice(laptop, 'p')).toBe('o2');
    expect(await vote(laptop, 'p', 'o1')).toEqual([409, 'ALREADY_VOTED', 'o2']);
    expect(await vote(laptop, 'q', 'o3')).toEqual([200, 'recorded', 'o3']);
    expect(await vote(phone, 'q', 'o1')).toEqual([409, 'ALREADY_VOTED', 'o3']);
    expect(await db('votes')).toHaveLength(2);
    await expectExactCounters(db);
  });

  test('signing in claims this browser’s votes, by its cookie, too', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const library = visitor(app);
    await vote(library, 'p', 'o1');
    // A browser that lost its device id but kept its cookies.
    const later = visitor(app);
    for (const [name, value] of library.cookies) later.cookies.set(name, value);
    const json = { username: 'anna', password: testPassword };
    expect((await later.fetch('/api/login', { method: 'POST', json })).status).toBe(200);
    expect(await choice(anna, 'p')).toBe('o1');
    expect(await db('votes').pluck('user_id')).toEqual([anna.user.id]);
  });

  test('an account that has voted keeps that vote, and the device’s other vote stays counted without an account', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    await vote(anna, 'p', 'o1');
    const library = visitor(app);
    await vote(library, 'p', 'o2');
    await library.fetch('/api/login', { method: 'POST', json: { username: 'anna', password: testPassword } });
    expect(await choice(anna, 'p')).toBe('o1');
    expect((await db('votes').pluck('user_id')).filter((id) => id === null)).toHaveLength(1);
    await expectExactCounters(db);
  });

  test('votes on community polls are claimed, too', async () => {
    const { db, app } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(ben, { visibility: 'unlisted' });
    const phone = visitor(app);
    await castVote(phone, id, 'option-2');
    await registered(app, 'anna', {}, phone);
    const laptop = await signedIn(app, 'anna');
    const status = `/api/community-polls/${id}/vote/status?fingerprint=${laptop.device}`;
    expect((await ask(laptop, status)).body).toEqual({ hasVoted: true, optionId: 'option-2' });
    expect((await castVote(laptop, id, 'option-1')).body).toMatchObject({
      code: 'ALREADY_VOTED',
      userVote: 'option-2',
    });
    await expectExactCounters(db);
  });

  test('another account’s votes on the same device stay theirs', async () => {
    const { db, app } = await start();
    const shared = visitor(app);
    const anna = await registered(app, 'anna', {}, shared);
    await vote(shared, 'p', 'o1');
    await shared.fetch('/api/logout', { method: 'POST' });
    await registered(app, 'bert', {}, shared);
    expect(await db('votes').pluck('user_id')).toEqual([anna.user.id]);
    expect(await choice(await signedIn(app, 'bert'), 'p')).toBeNull();
  });

  test('of two votes on one poll by the same browser, one is claimed', async () => {
    const { db, app } = await start();
    const [first, second] = [visitor(app), visitor(app)];
    await vote(first, 'p', 'o1');
    await vote(second, 'p', 'o2');
    // The device id of one vote, the cookie of the other.
    const mixed: Visitor = {
      ...second,
      fetch: (path, init) => second.fetch(path, { ...init, headers: { 'x-device-id': first.device } }),
    };
    await registered(app, 'anna', {}, mixed);
    const claimed = (await storedVotes(db)).filter(({ user_id }) => user_id !== null);
    expect(claimed.map(({ option_id }) => option_id)).toEqual(['o1']);
  });

  test('votes cast while a member signs in on many devices count once', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const devices = Array.from({ length: 8 }, () => visitor(app));
    await Promise.all(devices.map((device) => vote(device, 'p', 'o1')));
    const answers = await Promise.all([
      ...devices.map(async (device) => {
        const json = { username: 'anna', password: testPassword };
        return (await device.fetch('/api/login', { method: 'POST', json })).status;
      }),
      ...['p', 'q'].map(async (poll) => (await vote(anna, poll, 'o2'))[0]),
    ]);
    expect(answers.filter((status) => status === 500)).toEqual([]);
    const mine = await db('votes').where({ user_id: anna.user.id }).groupBy('ballot_key').count({ votes: '*' });
    expect(mine.map(({ votes }) => Number(votes))).toEqual([1, 1]);
    await expectExactCounters(db);
  });

  test('[D2.7] 100 concurrent votes of one signed-in member from 100 devices count once', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const devices = Array.from({ length: 100 }, () => {
      const device = visitor(app);
      for (const name of ['wv_session', 'wv_session.sig']) device.cookies.set(name, anna.cookies.get(name) ?? '');
      return device;
    });
    const answers = await Promise.all(devices.map((device, place) => vote(device, 'p', `o${(place % 3) + 1}`)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === 'ALREADY_VOTED')).toHaveLength(99);
    expect(new Set(answers.map(([, , userVote]) => userVote)).size).toBe(1);
    expect(await db('votes').pluck('user_id')).toEqual([anna.user.id]);
    await expectExactCounters(db);
  });
});
