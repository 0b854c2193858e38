import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { createLockedAccounts } from '#api/members/accounts/accounts.service.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { awardAll, badgesOf, eventsOf, expectAllAwarded } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { setFeatured } from '#api/polls/community/community-polls.service.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { clearNextMarks } from '#api/voting/decision-marks.service.ts';
import { runDueJobs } from '#platform/jobs/runner.service.ts';
import type { Job } from '#platform/jobs/runner.service.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { newDigest } from '#api/testing/votes.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { decide, setAside } from '#api/voting/decisions.service.ts';
import { awardAfterStart, awardJobDue, progressFor } from './awards.service.ts';

const hour = 3_600_000;
const vote = (browser: Visitor, poll: string, optionId = 'o1') =>
  ask(browser, `/api/polls/${poll}/vote`, 'POST', { optionId });
const report = (browser: Visitor, what: 'opened' | 'shares', kind: 'poll' | 'community', id: string) =>
  ask(browser, `/api/user/${what}`, 'POST', { kind, id });

/** Does the jobs that are due, as the API service does. */
const doJobs = (db: Database, clock: Clock) => {
  const run = (job: Job) => awardJobDue({ db, clock }, job);
  const badges = { run, failed: 'badges', lanes: 1, retryMs: [] };
  return runDueJobs({ db, clock, log: silentLogger, kinds: { badges } });
};

eachDatabase((open) => {
  async function start(config: { earlyAdopterUntil?: number } = {}) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p', category: 'science' }, { id: 'q' }]);
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock, config });
    return { db, app, clock };
  }

  test('a vote is recorded with the poll as it was at that moment', async () => {
    const { db, app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const theirs = await made(ben, { endsAt: new Date(testNow + hour).toISOString() });
    const own = await made(anna, { category: null });
    await vote(anna, 'p');
    await castVote(anna, theirs.id);
    await castVote(anna, own.id);
    expect((await vote(anna, 'p', 'o2')).status).toBe(409);
    await vote(visitor(app), 'q');
    await awardAll(db);
    const events = await eventsOf(db, anna.user.id, 'vote.cast');
    // The day, never the time.
    const at = Date.parse('2026-11-20T00:00:00Z');
    expect(events).toEqual([
      { at, kind: 'poll', subject: 'p', details: { category: 'science', traits: [] } },
      {
        ...{ at, kind: 'community-poll', subject: theirs.id },
        details: { category: 'Lifestyle', traits: ['firstHour', 'lastHour'] },
      },
      { at, kind: 'community-poll', subject: own.id, details: { category: null, traits: ['own', 'firstHour'] } },
    ]);
    expect(await eventsOf(db, ben.user.id, 'vote.cast')).toEqual([]);
    await expectAllAwarded(db);
  });

  test('votes claimed at sign-in are recorded once, and no badge for them is older than the account', async () => {
    const { db, app } = await start();
    const phone = visitor(app);
    await vote(phone, 'p');
    app.clock.set(testNow + hour);
    const anna = await registered(app, 'anna', {}, phone);
    await ask(anna, '/api/user/summary');
    const library = visitor(app);
    await vote(library, 'q');
    app.clock.set(testNow + 2 * hour);
    await library.fetch('/api/login', { method: 'POST', json: { username: 'anna', password: testPassword } });
    await awardAll(db, app.clock);
    const events = await eventsOf(db, anna.user.id, 'vote.cast');
    expect(events.map(({ subject }) => subject)).toEqual(['p', 'q']);
    // The badge for a vote from before the sign-up dates from the sign-up.
    const [badge] = await db('badges').where({ user_id: anna.user.id, badge_type: 'votes_1' });
    expect(badge!.earned_at).toBe(testNow + hour);
    await expectAllAwarded(db);
  });

  test('a vote whose account was deleted counts for the next account that claims it', async () => {
    const { db, app } = await start();
    const phone = visitor(app);
    const anna = await registered(app, 'anna', {}, phone);
    await vote(anna, 'p');
    await awardAll(db);
    await ask(anna, '/api/user', 'DELETE', { username: 'anna', password: testPassword });
    const ben = await registered(app, 'ben', {}, phone);
    await awardAll(db);
    expect(await eventsOf(db, ben.user.id, 'vote.cast')).toHaveLength(1);
    await expectAllAwarded(db);
  });

  test('polls and comments are recorded, and still count after they are deleted', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, { visibility: 'unlisted' });
    const comments = `/api/community-polls/${id}/comments`;
    const first = await ask<{ id: string }>(anna, comments, 'POST', { content: ` ${'ü'.repeat(499)}😀 ` });
    await ask(anna, `${comments}/${first.body.id}`, 'DELETE');
    await ask(anna, comments, 'POST', { content: 'Short' });
    await castVote(anna, id);
    await castVote(visitor(app), id);
    await ask(anna, `/api/community-polls/${id}`, 'DELETE');
    await awardAll(db);
    expect(await eventsOf(db, anna.user.id, 'poll.created')).toEqual([
      {
        ...{ at: testNow, kind: 'community-poll', subject: id },
        details: { visibility: 'unlisted', category: 'Lifestyle', options: 2 },
      },
    ]);
    expect((await eventsOf(db, anna.user.id, 'comment.posted'))[0]).toEqual({
      ...{ at: testNow, kind: 'comment', subject: first.body.id, details: { poll: id, full: true } },
    });
    const { counts, mostVotes, mostComments } = await progressFor(db, anna.user.id);
    expect(counts).toMatchObject({ polls: 1, comments: 2, fullComments: 1, votes: 1, ownPollVotes: 1 });
    expect([mostVotes, mostComments]).toEqual([2, 1]);
    expect(await badgesOf(db, anna.user.id)).toEqual(expect.arrayContaining(['comments_1', 'long_winded', 'own_horn']));
    await expectAllAwarded(db);
    await expectExactCounters(db);
  });

  test('[D7.6] opening a poll and copying its link count once per poll', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna);
    for (let time = 0; time < 3; time++)
      for (const what of ['opened', 'shares'] as const) {
        expect((await report(anna, what, 'poll', 'p')).status).toBe(204);
        expect((await report(anna, what, 'community', id)).status).toBe(204);
      }
    await awardAll(db);
    expect((await progressFor(db, anna.user.id)).counts).toMatchObject({ openedPolls: 2, shares: 2 });
    await expectAllAwarded(db);
  });

  test('[D4.5] opening or sharing a poll that a member may not see is refused like reading it', async () => {
    const { db, app } = await start();
    const [anna, ben, carl] = [
      await registered(app, 'anna'),
      await registered(app, 'ben'),
      await registered(app, 'carl'),
    ];
    const secret = await made(anna, { visibility: 'private' });
    const hidden = await made(anna, { visibility: 'unlisted' });
    await seedPolls(db, [{ id: 'coming', startsAt: testNow + hour }]);
    await invited(anna, secret.id, 'carl');
    for (const what of ['opened', 'shares'] as const) {
      const answers = async (by: Visitor, kind: 'poll' | 'community', id: string) => {
        const { status, body } = await report(by, what, kind, id);
        return status === 204 ? 204 : body.code;
      };
      expect(await answers(ben, 'community', secret.id)).toBe('PRIVATE_POLL_ACCESS_DENIED');
      expect(await answers(carl, 'community', secret.id)).toBe(204);
      expect(await answers(anna, 'community', secret.id)).toBe(204);
      expect(await answers(ben, 'community', hidden.id)).toBe(204);
      expect(await answers(ben, 'community', 'no-such-poll')).toBe('POLL_NOT_FOUND');
      expect(await answers(ben, 'poll', 'no-such-poll')).toBe('POLL_NOT_FOUND');
      expect(await answers(ben, 'poll', 'coming')).toBe('POLL_NOT_FOUND');
      // A poll of the other kind does not exist for anyone.
      for (const by of [anna, ben]) expect(await answers(by, 'poll', secret.id)).toBe('POLL_NOT_FOUND');
      expect(await answers(ben, 'community', 'p')).toBe('POLL_NOT_FOUND');
      expect(await answers(ben, 'poll', '../p')).toBe('VALIDATION_FAILED');
      expect(await answers(visitor(app), 'community', secret.id)).toBe('UNAUTHENTICATED');
    }
    await awardAll(db);
    expect((await progressFor(db, ben.user.id)).counts).toMatchObject({ openedPolls: 1, shares: 1 });
  });

  test('[D7.6] a followed invitation counts once for guest and host, even after it was revoked and sent again', async () => {
    const { db, app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { visibility: 'private' });
    for (let time = 0; time < 2; time++) {
      await invited(anna, id, 'ben');
      await awardAll(db);
      expect((await progressFor(db, anna.user.id)).counts.acceptedInvites).toBe(time);
      await ask(ben, `/api/community-polls/${id}`);
      await ask(ben, `/api/community-polls/${id}`);
      await awardAll(db);
      await ask(anna, `/api/community-polls/${id}/invites/${ben.user.id}`, 'DELETE');
    }
    expect((await progressFor(db, anna.user.id)).counts.acceptedInvites).toBe(1);
    expect((await progressFor(db, ben.user.id)).counts.followedInvitations).toBe(1);
    expect(await badgesOf(db, ben.user.id)).toContain('by_invitation');
    await expectAllAwarded(db);
  });

  test('creators earn badges for votes, comments, results, and being featured', async () => {
    const { db, app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { endsAt: new Date(testNow + hour).toISOString() });
    for (let n = 0; n < 12; n++) await castVote(visitor(app), id, n % 2 === 0 ? 'option-1' : 'option-2');
    for (let n = 0; n < 3; n++)
      await ask(ben, `/api/community-polls/${id}/comments`, 'POST', { content: `Hear, ${n}` });
    await awardAll(db);
    expect(await progressFor(db, anna.user.id)).toMatchObject({ mostVotes: 12, mostComments: 3 });
    await castVote(ben, id);
    await setFeatured({ db, clock: app.clock }, id, true);
    await setFeatured({ db, clock: app.clock }, id, false);
    await setFeatured({ db, clock: app.clock }, id, true);
    app.clock.set(testNow + 2 * hour);
    await closeDue({ db, clock: app.clock });
    await awardAll(db, app.clock);
    await awardAll(db, app.clock);
    const figures = await progressFor(db, anna.user.id);
    expect(figures).toMatchObject({ mostVotes: 13, mostComments: 3, counts: { featuredPolls: 1, closeCalls: 0 } });
    expect(await badgesOf(db, anna.user.id)).toContain('front_page');
    await expectAllAwarded(db);
  });

  test('badges count a vote while it is counted: not while it is set aside, and again once it is released', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    const cluster = { from: testNow - hour };
    await vote(anna, 'p');
    await awardAll(db);
    const counted = async () => (await progressFor(db, anna.user.id)).counts.votes;
    const first = await setAside(context, { ballotId: 'p', cluster, reason: 'operator-test', actor: 'operator' });
    // Nobody knows whether a vote counts while it is being marked.
    await vote(anna, 'q');
    const { key: q } = (await db('ballots').where({ id: 'q' }).first('key'))!;
    const staged = { key: 99, ballot_key: q, is_staged: true, after_id: 0, last_id: 9, touched_at: 0 };
    await db('unfinished_decisions').insert(staged);
    await db('votes').where({ ballot_key: q }).update({ decision_key: 99 });
    expect(await counted()).toBe(0);
    while (await clearNextMarks(context));
    await setAside(context, { ballotId: 'q', cluster, reason: 'operator-test', actor: 'operator' });
    for (let time = 0; time < 2; time++) {
      await awardAll(db);
      expect(await counted()).toBe(0);
      await expectAllAwarded(db);
    }
    expect((await progressFor(db, anna.user.id)).days.total).toBe(1);
    // A badge that was earned is never lost.
    expect(await badgesOf(db, anna.user.id)).toContain('votes_1');
    await decide(context, first.key, 'release', { actor: 'operator' });
    while (await clearNextMarks(context));
    await awardAll(db);
    expect(await counted()).toBe(1);
    await expectAllAwarded(db);
    await expectExactCounters(db);
  });

  test('badges of a creator use counted votes, and the result of a poll once no decision about it is pending', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, { endsAt: new Date(testNow + hour).toISOString() });
    for (let n = 0; n < 18; n++) await castVote(visitor(app), id, n < 12 ? 'option-1' : 'option-2');
    await awardAll(db);
    const progress = () => progressFor(db, anna.user.id);
    expect(await progress()).toMatchObject({ mostVotes: 18 });
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    const held = await setAside(context, {
      ...{ ballotId: id, cluster: { optionId: 'option-2', from: testNow - hour }, reason: 'unusual-rate' },
      ...{ actor: 'detector', hold: { expiresAt: testNow + 24 * hour } },
    });
    await awardAll(db);
    expect(await progress()).toMatchObject({ mostVotes: 12 });
    app.clock.set(testNow + 2 * hour);
    await closeDue({ db, clock: app.clock });
    await awardAll(db, app.clock);
    expect((await progress()).counts.landslides).toBe(0);
    await decide(context, held.key, 'confirm', { actor: 'operator' });
    await awardAll(db, app.clock);
    expect((await progress()).counts.landslides).toBe(1);
    await decide(context, held.key, 'release', { actor: 'operator' });
    await awardAll(db, app.clock);
    expect(await progress()).toMatchObject({ mostVotes: 18, counts: { landslides: 0 } });
    expect(await badgesOf(db, anna.user.id)).toContain('landslide');
    await expectAllAwarded(db);
  });

  test('badges count a poll from the fifth vote of others on, and not while votes that it needs are set aside', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna);
    await castVote(anna, id);
    for (let n = 0; n < 4; n++) await castVote(visitor(app), id, 'option-2');
    const counted = async () => {
      await awardAll(db);
      await expectAllAwarded(db);
      return (await progressFor(db, anna.user.id)).counts.qualifiedPolls;
    };
    expect(await counted()).toBe(0);
    expect(await badgesOf(db, anna.user.id)).not.toContain('polls_1');
    await castVote(visitor(app), id, 'option-1');
    expect(await counted()).toBe(1);
    expect(await badgesOf(db, anna.user.id)).toContain('polls_1');
    await castVote(visitor(app), id, 'option-1');
    expect(await counted()).toBe(1);
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    const cluster = { optionId: 'option-2', from: testNow - hour };
    const { key } = await setAside(context, { ballotId: id, cluster, reason: 'operator-test', actor: 'operator' });
    expect(await counted()).toBe(0);
    // A badge that was earned is never lost.
    expect(await badgesOf(db, anna.user.id)).toContain('polls_1');
    await decide(context, key, 'release', { actor: 'operator' });
    while (await clearNextMarks(context));
    expect(await counted()).toBe(1);
  });

  test('of the time of a vote, night, dawn, midnight, and the first and last hour of the poll are known', async () => {
    const { db, app, clock } = await start();
    const day = Date.parse('2026-11-22T00:00:00Z');
    const times = [
      ['00:00:59', ['night', 'midnight']],
      ['00:01:00', ['night']],
      ['04:59:59', ['night']],
      ['05:00:00', ['dawn']],
      ['07:59:59', ['dawn']],
      ['08:00:00', []],
      ['13:59:00', ['firstHour']],
      ['14:00:00', []],
      ['22:00:00', []],
      ['22:01:00', ['lastHour']],
    ] as const;
    const open = { startsAt: day + 13 * hour, endsAt: day + 23 * hour + 60_000 };
    await seedPolls(
      db,
      times.map(([time], n) => ({ id: `at-${n}`, ...(time > '13' && open) })),
    );
    await registered(app, 'anna');
    const cast = [];
    for (const [n, [time]] of times.entries()) {
      clock.set(Date.parse(`2026-11-22T${time}Z`));
      const anna = await signedIn(app, 'anna');
      expect((await vote(anna, `at-${n}`)).status).toBe(200);
      cast.push(...(await eventsOf(db, anna.user.id, 'vote.cast')).filter(({ subject }) => subject === `at-${n}`));
    }
    expect(cast.map(({ at, details }, n) => [times[n]![0], at, details])).toEqual(
      times.map(([time, traits]) => [time, day, { category: 'General', traits }]),
    );
  });

  test('badges that were not awarded when the process died are awarded after the next start', async () => {
    const { db, clock } = await start();
    await seedMember(db, 'anna');
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const voter = { device: newDigest(), cookie: null, userId: 'anna' };
    await intake.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', voter });
    await intake.drain();
    await awardAfterStart({ db, clock });
    await doJobs(db, clock);
    expect(await badgesOf(db, 'anna')).toEqual(['votes_1']);
  });

  test('a start is not prevented by accounts that are deleted meanwhile', async () => {
    const { db, clock } = await start();
    await seedMember(db, 'anna');
    const voter = { device: newDigest(), cookie: null, userId: 'anna' };
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    await intake.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', voter });
    await intake.drain();
    await db('jobs').del();
    let done: Promise<void> | undefined;
    await db.transaction(async (trx) => {
      await trx('users').where({ id: 'anna' }).del();
      done = awardAfterStart({ db, clock });
      if (!isSqlite(db)) await Promise.race([done, waitForLock(db)]);
    });
    await done;
    expect(await db('users')).toEqual([]);
  });

  test('members earn badges without being here: a poll is featured, an invitation accepted, a vote counts again', async () => {
    const { db, app, clock } = await start();
    await seedMember(db, 'anna');
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const voter = { device: newDigest(), cookie: null, userId: 'anna' };
    await intake.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', voter });
    const context = { db, clock, intake };
    const cluster = { from: testNow - hour };
    const { key } = await setAside(context, { ballotId: 'p', cluster, reason: 'operator-test', actor: 'operator' });
    const earned = async () => {
      await doJobs(db, clock);
      return badgesOf(db, 'anna');
    };
    expect(await earned()).toEqual([]);
    await decide(context, key, 'release', { actor: 'operator' });
    expect(await earned()).toEqual(['votes_1']);
    await seedDiscussedPoll(db, { id: 'tea', createdBy: 'anna' });
    await setFeatured({ db, clock }, 'tea', true);
    expect(await earned()).toEqual(['front_page', 'votes_1']);
    const guests = await Promise.all(['ben', 'carl', 'dora', 'emil', 'finn'].map((name) => registered(app, name)));
    const ids = guests.map(({ user }) => user.id);
    await seedDiscussedPoll(db, { id: 'secret', createdBy: 'anna', visibility: 'private', guests: ids });
    await db('ballot_options').insert({ ballot_id: 'secret', option_id: 'o1', position: 0, text: 'Tea' });
    for (const guest of guests) expect((await ask(guest, '/api/community-polls/secret')).status).toBe(200);
    expect(await earned()).toEqual(['front_page', 'invites_5', 'votes_1']);
    await intake.drain();
  });

  test('creators earn badges for results without being here', async () => {
    const { db, app, clock } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, { endsAt: new Date(testNow + hour).toISOString() });
    for (let n = 0; n < 10; n++) await castVote(visitor(app), id);
    clock.set(testNow + hour);
    await closeDue({ db, clock });
    await doJobs(db, clock);
    expect(await badgesOf(db, anna.user.id)).toContain('landslide');
  });

  test('a day on which a member only reads is one active day', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const laptop = await signedIn(app, 'anna');
    for (let n = 0; n < 3; n++) for (const by of [anna, laptop]) await ask(by, '/api/user');
    await awardAll(db);
    expect(await eventsOf(db, anna.user.id, 'member.active')).toHaveLength(1);
    expect((await progressFor(db, anna.user.id)).days.total).toBe(1);
  });

  test('[S9.13] members are early adopters for 90 days after the first account, not counting demonstration accounts', async () => {
    const { db, app, clock } = await start();
    const locked = { id: 'demo', username: 'demo', firstName: 'Demo', lastName: 'Desk' };
    await createLockedAccounts(db, [locked], testNow - 20 * 86_400_000);
    const first = await registered(app, 'first');
    await ask(first, '/api/user/summary');
    clock.set(testNow + 90 * 86_400_000 - 1);
    const last = await registered(app, 'last');
    clock.set(testNow + 90 * 86_400_000);
    const late = await registered(app, 'late');
    for (const one of [last, late]) await ask(one, '/api/user/summary');
    const held = await Promise.all([first, last, late].map(({ user }) => badgesOf(db, user.id)));
    expect(held).toEqual([['early_adopter'], ['early_adopter'], []]);
  });

  test('[S9.13] the operator’s date decides who is an early adopter', async () => {
    const { db, app, clock } = await start({ earlyAdopterUntil: testNow + 1 });
    const before = await registered(app, 'before');
    clock.set(testNow + 1);
    const after = await registered(app, 'after');
    for (const one of [before, after]) await ask(one, '/api/user/summary');
    expect(await badgesOf(db, before.user.id)).toEqual(['early_adopter']);
    expect(await badgesOf(db, after.user.id)).toEqual([]);
  });
});
