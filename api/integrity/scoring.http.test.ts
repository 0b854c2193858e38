import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { detectorScores } from '#domain/integrity/cluster.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { attack, crowd, dayMinutes } from '#api/testing/vote-traffic.ts';
import type { GeneratedVote } from '#api/testing/vote-traffic.ts';
import { challengeMinutes, scorePolls, takeTurn } from './scoring.service.ts';

const day = 86_400_000;
const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
const shares = [0.5, 0.3, 0.2];

/** Inserts a day of generated votes that ends now, and keeps the counters exact. */
export async function seedTraffic(db: Database, ballotId: string, votes: readonly GeneratedVote[]): Promise<void> {
  const options = await db('ballot_options').where({ ballot_id: ballotId }).orderBy('position').pluck<number[]>('key');
  const [ballot] = await db('ballots').where({ id: ballotId }).pluck<number[]>('key');
  const bytes = () => (isSqlite(db) ? randomBytes(16) : randomBytes(16).toString('hex'));
  const rows = [...votes]
    .sort((a, b) => a.minute - b.minute)
    .map(({ minute, network, traits, option }) => ({
      ...{ ballot_key: ballot, option_key: options[option], device: bytes(), cookie: bytes() },
      ...{ network, traits, created_at: testNow - day + minute * 60_000 },
    }));
  await db.batchInsert('votes', rows, 90);
  for (const [place, key] of options.entries())
    await db('ballot_options')
      .where({ key })
      .increment('votes', votes.filter(({ option }) => option === place).length);
  await db('ballots').where({ id: ballotId }).increment('total_votes', votes.length);
  await db('statistics').where({ shard: 0 }).increment('total_votes', votes.length);
}

const honest = () => crowd(seededRandom(1), { votes: 300, shares });
const stuffed = () => [
  ...honest(),
  ...attack(seededRandom(2), { perMinute: 10, start: dayMinutes - 120, minutes: 120 }),
];

eachDatabase((open) => {
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
    (await db('ballots').where({ id }).pluck<(number | null)[]>('challenged_until'))[0];

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
    expect(clusters[0]).toMatchObject({ reason: 'automated-network', counted: 1_200 });
    expect(await challengedUntil(db, 'attacked')).toBe(testNow + challengeMinutes * 60_000);
    expect(await challengedUntil(db, 'quiet')).toBeNull();
  });

  test('challenges end an hour after the last suspicious vote, and follow the operator’s switch', async () => {
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

  test('scores of closed polls and of votes older than a day are removed', async () => {
    const { db, clock, context } = await start();
    await seedTraffic(db, 'attacked', stuffed());
    await seedTraffic(db, 'quiet', honest());
    await scorePolls(context);
    await db('ballots').where({ id: 'quiet' }).update({ closed_at: testNow, is_active: false });
    clock.set(testNow + 1);
    await scorePolls(context);
    expect((await scores(db)).map(({ id }) => id)).toEqual(['attacked']);
    clock.set(testNow + day);
    await scorePolls(context);
    expect(await scores(db)).toEqual([]);
  });

  test('of several processes, one scores in each minute', async () => {
    const { clock, context } = await start();
    const turns = () => Promise.all([takeTurn(context), takeTurn(context), takeTurn(context)]);
    const taken = async () => (await turns()).filter(Boolean).length;
    expect(await taken()).toBe(1);
    expect(await taken()).toBe(0);
    clock.set(testNow + 60_000);
    expect(await taken()).toBe(1);
    // A clock that was ahead and is set back blocks nobody.
    clock.set(testNow - day);
    expect(await taken()).toBe(1);
  });
});
