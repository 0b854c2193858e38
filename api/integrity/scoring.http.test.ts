import { expect, test } from 'vitest';
import { detectorScores } from '#domain/integrity/cluster.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { decide, decisionsOf, expireHolds } from '#api/voting/decisions.service.ts';
import { recentMarks } from '#api/voting/recent-marks.service.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { isNewAccount, isNewcomer, total } from '#domain/integrity/marks.ts';
import { accountAges, cookieTrait } from '#domain/integrity/vote-traits.ts';
import { isSqlite } from '#platform/database.ts';
import { holdDays } from './holds.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { attack, crowd, dayMinutes } from '#api/testing/vote-traffic.ts';
import { newDigest, seedTraffic } from '#api/testing/votes.ts';
import { challengeMinutes, scorePolls } from './scoring.service.ts';

const day = 86_400_000;
const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
const shares = [0.5, 0.3, 0.2];

const honest = () => crowd(seededRandom(1), { votes: 300, shares });
const stuffed = () => [
  ...honest(),
  ...attack(seededRandom(2), { perMinute: 10, start: dayMinutes - 120, minutes: 120 }),
];

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'attacked' }, { id: 'quiet' }, { id: 'small' }]);
    const clock = fixedClock(testNow);
    return { db, clock, context: { db, clock, intake, log: silentLogger } };
  }
  const scores = (db: Database) =>
    db('integrity_scores as s')
      .join('ballots as b', 'b.key', 's.ballot_key')
      .orderBy('b.id')
      .select<{ id: string; score: number; detection: string }[]>('b.id', 's.score', 's.detection');
  const challengedUntil = async (db: Database, id: string) =>
    (await db('ballots').where({ id }).pluck('challenged_until'))[0];

  test('every open poll with enough recent votes is scored, and votes on one under attack need a challenge', async () => {
    const { db, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await seedTraffic(db, 'quiet', honest());
    await seedTraffic(db, 'small', honest().slice(0, 20));
    await scorePolls(context);
    const [attacked, quiet, ...others] = await scores(db);
    expect(others).toEqual([]);
    expect(attacked!.score).toBeGreaterThanOrEqual(detectorScores.flagged);
    expect(quiet!.score).toBe(0);
    const { votes, clusters } = JSON.parse(attacked!.detection) as Detection;
    expect(votes).toBe(1_500);
    expect(clusters).toHaveLength(1);
    expect(clusters[0]).toMatchObject({ reason: 'automated-network', votes: 1_200 });
    expect(await challengedUntil(db, 'attacked')).toBe(testNow + challengeMinutes * 60_000);
    expect(await challengedUntil(db, 'quiet')).toBeNull();
  });

  test('votes for several options are held for an option that they name after a random one; ranked ones are not', async () => {
    const { db, context } = await start();
    const random = seededRandom(3);
    const people = honest().map((vote) => ({ ...vote, further: vote.option === 0 ? [1] : [0] }));
    const program = attack(random, { perMinute: 5, start: dayMinutes - 60, minutes: 60 });
    const votes = [...people, ...program.map((vote) => ({ ...vote, option: random.whole(0, 1), further: [2] }))];
    for (const [id, method] of [
      ['attacked', 'several'],
      ['quiet', 'ranked'],
    ] as const) {
      await db('ballots').where({ id }).update({ kind: 'community', method, max_choices: 3 });
      await seedTraffic(db, id, votes);
    }
    await scorePolls(context);
    const [held, ...others] = await decisionsOf(db, ['attacked', 'quiet']);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ state: 'held', reason: 'automated-network', votes: 300 });
    expect(await db('ballots').where({ id: 'attacked' }).pluck('total_votes')).toEqual([300]);
    expect((await reconcile(db)).wrongCounters.filter(({ counter }) => counter.includes('attacked'))).toEqual([]);
    const { optionId } = held!.cluster;
    expect(optionId).toBe(
      (await db('ballot_options').where({ ballot_id: 'attacked', position: 2 }).pluck('option_id'))[0],
    );
    const [row] = await db('network_votes as n')
      .join('ballots as b', 'b.key', 'n.ballot_key')
      .where('b.id', 'attacked')
      .select(db.raw('sum(n.votes) as choices, sum(n.votes - n.further) as voters'));
    expect([row.choices, row.voters].map(Number)).toEqual([1_200, 600]);
  });

  once('challenges end an hour after the last suspicious vote, and follow the operator’s switch', async () => {
    const { db, clock, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await db('ballots').update({ challenge: 'off' });
    await scorePolls(context);
    expect(await challengedUntil(db, 'attacked')).toBeNull();
    await db('ballots').update({ challenge: 'auto' });
    clock.set(testNow + challengeMinutes * 60_000);
    await scorePolls(context);
    expect(await challengedUntil(db, 'attacked')).toBeNull();
    clock.set(testNow + challengeMinutes * 60_000 - 1);
    await scorePolls(context);
    expect(await challengedUntil(db, 'attacked')).toBe(testNow + challengeMinutes * 60_000);
  });

  test('an attack just before the end of a poll is found after it, and its votes are held without a challenge', async () => {
    const { db, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await db('ballots').where({ id: 'attacked' }).update({ closed_at: testNow, is_active: false });
    await scorePolls(context);
    expect(await decisionsOf(db, ['attacked'])).toMatchObject([{ state: 'held', votes: 1_200 }]);
    expect(await challengedUntil(db, 'attacked')).toBeNull();
  });

  test('scores are removed when all votes are older than a day', async () => {
    const { db, clock, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await scorePolls(context);
    expect((await scores(db)).map(({ id }) => id)).toEqual(['attacked']);
    clock.set(testNow + day);
    await scorePolls(context);
    expect(await scores(db)).toEqual([]);
  });

  test('strong evidence holds the votes for seven days, exactly and once, and new ones of the cluster follow', async () => {
    const { db, clock, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await Promise.all([scorePolls(context), scorePolls(context)]);
    const [held, ...others] = await decisionsOf(db, ['attacked']);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ state: 'held', reason: 'automated-network', madeBy: 'detector', votes: 1_200 });
    expect(held!.expiresAt).toBe(testNow + holdDays * day);
    expect((await reconcile(db)).wrongCounters).toEqual([]);
    expect(await db('ballots').where({ id: 'attacked' }).pluck('total_votes')).toEqual([300]);

    const more = attack(seededRandom(2), { perMinute: 10, start: dayMinutes - 10, minutes: 10 });
    const { network } = stuffed().at(-1)!;
    await seedTraffic(
      db,
      'attacked',
      more.map((vote) => ({ ...vote, network })),
    );
    await scorePolls(context);
    expect(await decisionsOf(db, ['attacked'])).toHaveLength(1);
    clock.set(testNow + 20 * 60_000);
    await scorePolls(context);
    expect((await decisionsOf(db, ['attacked'])).map(({ votes }) => votes)).toEqual([1_200, 100]);
    await scorePolls(context);
    expect(await decisionsOf(db, ['attacked'])).toHaveLength(2);
  });

  once('votes that the operator counted again, or whose hold expired, are not held again', async () => {
    const { db, clock, context } = await start();
    for (const id of ['attacked', 'quiet']) await seedTraffic(db, id, stuffed());
    await scorePolls(context);
    const [made] = await decisionsOf(db, ['attacked']);
    await decide(context, made!.key, 'release', { actor: 'operator' });
    const [other] = await decisionsOf(db, ['quiet']);
    await db('vote_decisions').where({ key: other!.key }).update({ expires_at: testNow });
    await expireHolds(context);
    clock.set(testNow + 60_000);
    await scorePolls(context);
    expect((await decisionsOf(db, ['attacked'])).map(({ state }) => state)).toEqual(['released']);
    expect((await decisionsOf(db, ['quiet'])).map(({ state }) => state)).toEqual(['expired']);
  });

  test('a run reads no more than the newest votes', async () => {
    const { db } = await start();
    await seedTraffic(db, 'quiet', honest());
    await seedTraffic(db, 'attacked', stuffed());
    const marks = await recentMarks(db, { since: 0, most: 500 });
    expect([...marks.values()].map((one) => total(one))).toEqual([500]);
    const all = await recentMarks(db, { since: 0, most: 5_000 });
    expect([...all.values()].map((one) => total(one)).sort((x, y) => x - y)).toEqual([300, 1_500]);
  });

  test('a browser is known by a cookie older than the poll and a day that voted on two other polls of the operator', async () => {
    const { db } = await start();
    await db('ballots').update({ starts_at: testNow - 5 * day });
    const keys = Object.fromEntries((await db('ballots').select('id', 'key')).map(({ id, key }) => [id, key]));
    const [option] = await db('ballot_options').where({ ballot_id: 'attacked' }).pluck('key');
    let network = 0;
    /** Votes with one cookie on the attacked poll, as the last of these. */
    const cast = async (made: number, others: readonly string[], traits: number = cookieTrait) => {
      network += 1;
      const digits = Math.floor(made / 1_000)
        .toString(16)
        .padStart(8, '0');
      const digest = digits + newDigest().slice(8);
      const stored = (value: string) => (isSqlite(db) ? Buffer.from(value, 'hex') : value);
      for (const id of [...others, 'attacked'])
        await db('votes').insert({
          ...{ ballot_key: keys[id], option_key: option, device: stored(newDigest()), cookie: stored(digest) },
          ...{ network, traits, created_at: testNow - day / 2 },
        });
    };
    const both = ['quiet', 'small'];
    await cast(testNow - 10 * day, both);
    await cast(testNow - 10 * day, ['quiet']);
    await cast(testNow - 10 * day, both, 0);
    await cast(testNow - 5 * day, both);
    await db('ballots').update({ starts_at: testNow });
    await cast(testNow - 2 * day, both);
    await cast(testNow - day, both);
    const known = async () => {
      const marks = (await recentMarks(db, { since: 0, most: 100 })).get(keys.attacked!)!;
      return marks.filter(({ traits }) => !isNewcomer(traits)).map((mark) => mark.network);
    };
    expect((await known()).sort()).toEqual([1, 4, 5]);
    await db('ballots').update({ starts_at: testNow - 5 * day });
    expect(await known()).toEqual([1]);
  });

  test('an account is established by what it did on three days before the vote, unless it was registered in a crowd', async () => {
    const { db } = await start();
    const key = (await db('ballots').where({ id: 'attacked' }).pluck('key'))[0];
    const [option] = await db('ballot_options').where({ ballot_id: 'attacked' }).pluck('key');
    let network = 0;
    /** A vote with an account a year old that was active so many days ago. */
    const cast = async (ago: readonly number[], about: object = {}) => {
      network += 1;
      const id = `member-${network}`;
      await db('users').insert({
        ...{ id, username: id, username_key: id, password: 'x', created_at: testNow - 365 * day, updated_at: testNow },
        ...about,
      });
      for (const days of ago)
        for (const n of [1, 2])
          await db('events').insert({
            ...{ type: 'comment.posted', subject_kind: 'comment', subject: `${days} ${n}`, member_id: id },
            at: testNow - days * day,
          });
      const digest = () => (isSqlite(db) ? Buffer.from(newDigest(), 'hex') : newDigest());
      await db('votes').insert({
        ...{ ballot_key: key, option_key: option, device: digest(), cookie: digest(), user_id: id, network },
        ...{ traits: accountAges.sevenDays, created_at: testNow },
      });
    };
    const email = { email: 'a@example.org', email_key: 'a@example.org', email_confirmed_at: testNow - 90 * day };
    await cast([]);
    await cast([1, 2, 30]);
    await cast([0, 1, 2]);
    await cast([1, 2, 3, 4], { registered_in_crowd: true });
    await cast([1, 2], email);
    await cast([1], { ...email, email_key: 'b@example.org' });
    const marks = (await recentMarks(db, { since: 0, most: 100 })).get(key!)!;
    const established = marks.filter(({ traits }) => !isNewAccount(traits));
    expect(established.map((mark) => mark.network).sort()).toEqual([2, 5]);
  });
});
