import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  appliedMigrations,
  applyMigrations,
  assertVoterKey,
  isSqlite,
  knownMigrations,
  migrate,
  openDatabase,
} from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { voterDigests } from '#platform/voter-digest.ts';
import { earlierMigrations, fillEarlierRelease } from '#api/testing/earlier-votes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { emptyPlaces, startCommand } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { slow } from '#api/testing/slow.ts';
import { startTexts } from '#texts/start.ts';
import { prepareDatabase } from './prepare.ts';

const voterKey = 'a voter key of thirty-two letters';
const digests = voterDigests(voterKey);
const withKey = { VOTER_KEY: voterKey };
const empty = emptyPlaces();

const columns = ['votes.id', 'ballot_options.ballot_id', 'option_id', 'user_id', 'created_at'];

/** The votes, voters, and counters of the earlier release in the form in which this one stores them. */
async function earlierState(db: Database) {
  const votes = await db('votes')
    .join('ballot_options', {
      'ballot_options.ballot_id': 'votes.ballot_id',
      'ballot_options.option_id': 'votes.option_id',
    })
    .orderBy('votes.id')
    .select<{ voter_fingerprint: string; voter_cookie: string | null }[]>(
      ...columns.map((name) => (name === 'option_id' ? 'votes.option_id' : name)),
      ...['voter_fingerprint', 'voter_cookie'],
    );
  const voters = await db('voters').select<{ voter_key: string; counted: number }[]>('voter_key', 'counted');
  return {
    votes: votes.map(({ voter_fingerprint, voter_cookie, ...vote }) => ({
      ...vote,
      device: digests.device(voter_fingerprint),
      cookie: voter_cookie === null ? null : digests.cookie(voter_cookie),
    })),
    voters: new Map(
      voters.map(({ voter_key, counted }) => [
        voter_key.length === 43 ? digests.device(voter_key) : digests.cookie(voter_key),
        counted,
      ]),
    ),
    counters: await counters(db),
  };
}

async function presentState(db: Database) {
  const hex = (digest: Buffer | string | null) =>
    Buffer.isBuffer(digest) ? digest.toString('hex') : (digest?.replaceAll('-', '') ?? null);
  const votes = await db('votes')
    .join('ballots', { 'ballots.key': 'ballot_key' })
    .join('ballot_options', { 'ballot_options.key': 'option_key', 'ballot_options.ballot_id': 'ballots.id' })
    .orderBy('votes.id')
    .select<{ device: Buffer; cookie: Buffer | null }[]>(...columns, 'device', 'cookie');
  const voters = await db('voters').select<{ digest: Buffer; counted: number }[]>('digest', 'counted');
  return {
    votes: votes.map((vote) => ({ ...vote, device: hex(vote.device), cookie: hex(vote.cookie) })),
    voters: new Map(voters.map(({ digest, counted }) => [hex(digest), counted])),
    counters: await counters(db),
  };
}

async function counters(db: Database) {
  return {
    ballots: await db('ballots').orderBy('id').select('id', 'base_votes', 'total_votes'),
    options: await db('ballot_options').orderBy(['ballot_id', 'option_id']).select('ballot_id', 'base_votes', 'votes'),
    statistics: await db('statistics')
      .orderBy('shard')
      .select('shard', 'total_votes', 'total_participants', 'total_polls'),
  };
}

eachDatabase((_open, engine, once) => {
  /** Runs a task with the database of a place. */
  async function withDatabase<Result>({ url }: Place, task: (db: Database) => Promise<Result>): Promise<Result> {
    const db = openDatabase(url);
    return task(db).finally(() => db.destroy());
  }

  /** An installation of the earlier release, and what its votes have to become. */
  async function earlierInstallation(votes: number) {
    const place = await empty.place(engine);
    const before = await withDatabase(place, async (db) => {
      await fillEarlierRelease(db, votes);
      return earlierState(db);
    });
    expect(before.votes).toHaveLength(votes);
    return { place, before };
  }

  /** Expects that the conversion kept everything, left nothing of its own, and that the rules hold. */
  async function expectConverted(place: Place, before: Awaited<ReturnType<typeof earlierState>>) {
    await withDatabase(place, async (db) => {
      expect(await appliedMigrations(db)).toEqual(knownMigrations());
      expect(await presentState(db)).toEqual(before);
      const ownRows = db('installation')
        .where('name', 'not like', 'integrity.%')
        .whereNotIn('name', ['search index', 'detector.votes']);
      expect(await ownRows.pluck('name')).toEqual(['voter key']);
      expect([await db.schema.hasTable('old_votes'), await db.schema.hasTable('old_voters')]).toEqual([false, false]);
      await expectExactCounters(db);
      const again = await db('votes').whereNotNull('cookie').whereNotNull('user_id').first<Record<string, unknown>>();
      for (const same of ['device', 'cookie', 'user_id']) {
        const other = {
          ...again,
          id: 9_000_000,
          device: digestOf(db, 'd'),
          cookie: digestOf(db, 'c'),
          user_id: 'other',
        };
        await expect(db('votes').insert({ ...other, [same]: again[same] })).rejects.toThrow(/unique/i);
      }
    });
  }

  const digestOf = (db: Database, digit: string) =>
    isSqlite(db) ? Buffer.from(digit.repeat(32), 'hex') : digit.repeat(32);

  test('npm run migrate converts every vote and voter of the previous release', async () => {
    const { place, before } = await earlierInstallation(300);
    const { code, output, complaint } = await startCommand('migrate', place, [], withKey).answer;
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('migrations applied') as string });
    expect(complaint).toContain(`${startTexts.converting(300)}\n`);
    expect(complaint).toContain(`${startTexts.phases.votes}: 100 %\n`);
    await expectConverted(place, before);
    const otherKeys = { VOTER_KEY: voterKey.toUpperCase(), LOG_KEY: '0f'.repeat(32) };
    const env = { API_PORT: String(await freePort()), ...otherKeys };
    expect(await startCommand('api', place, [], env).answer).toMatchObject({
      code: 1,
      complaint: `${startTexts.otherVoterKey}\n`,
    });
  });

  once('the migration converts everything itself when it is run without preparation', async () => {
    const { place, before } = await earlierInstallation(100);
    await withDatabase(place, async (db) => {
      await applyMigrations(db, ['027_ballot_keys.ts']);
      await expect(applyMigrations(db, ['028_compact_votes.ts'])).rejects.toThrow(
        'The votes can only be converted with the voter key',
      );
      Object.assign((db.client as { config: object }).config, { userParams: { voterDigests: digests } });
      await applyMigrations(db, ['028_compact_votes.ts']);
      await migrate(db, { voterKey });
    });
    await expectConverted(place, before);
  });

  once('an interrupted conversion continues after the last committed rows', async () => {
    const { place, before } = await earlierInstallation(200);
    await withDatabase(place, async (db) => {
      for (const phase of ['voters', 'indexes', 'comparing']) {
        const seen: string[] = [];
        const interrupted = migrate(db, {
          voterKey,
          onProgress(now) {
            seen.push(now);
            if (now === phase) throw new Error('interrupted');
          },
        });
        await expect(interrupted).rejects.toThrow('interrupted');
        if (phase !== 'voters') expect(seen).not.toContain('votes');
      }
      expect(await db('old_votes').count({ votes: '*' }).first()).toEqual({ votes: 200 });
      await migrate(db, { voterKey });
    });
    await expectConverted(place, before);
  });

  once('a process with another voter key converts nothing', async () => {
    const { place, before } = await earlierInstallation(100);
    await withDatabase(place, async (db) => {
      const stop = () => {
        throw new Error('interrupted');
      };
      await expect(migrate(db, { voterKey, onProgress: stop })).rejects.toThrow('interrupted');
      const other = { dataDir: place.dataDir, voterKey: null, publicUrl: 'http://localhost' };
      await expect(prepareDatabase(db, other)).rejects.toThrow(startTexts.otherVoterKey);
      expect(await db('votes').count({ votes: '*' }).first()).toEqual({ votes: 0 });
      await migrate(db, { voterKey });
      await expect(assertVoterKey(db, `${voterKey}.`)).rejects.toThrow(startTexts.otherVoterKey);
    });
    await expectConverted(place, before);
  });

  once.each([
    ['a missing vote', (db: Database) => db('votes').where({ id: 7 }).del(), /votes: 100 before, 99 after/],
    [
      'a vote for another option',
      (db: Database) =>
        db('votes')
          .where({ id: 7 })
          .update({ option_key: db('ballot_options').max('key') }),
      /votes for option option-\d of ballot-\d+: \d+ before, \d+ after/,
    ],
    [
      'a changed counter',
      (db: Database) => db('statistics').increment({ total_participants: 1 }),
      /total participants: \d+ before/,
    ],
    [
      'two voters that became one',
      (db: Database) =>
        db('votes')
          .where({ ballot_key: 1 })
          .update({ device: digestOf(db, 'a') }),
      /Two earlier voters would be one: a unique index refuses their rows \(.*votes.*\)/,
    ],
  ])('%s ends the conversion, and no earlier vote is dropped', async (_, damage, message) => {
    const { place, before } = await earlierInstallation(100);
    await withDatabase(place, async (db) => {
      const interrupted = migrate(db, {
        voterKey,
        onProgress(phase) {
          if (phase === 'indexes') throw new Error('interrupted');
        },
      });
      await expect(interrupted).rejects.toThrow('interrupted');
      await damage(db);
      await expect(migrate(db, { voterKey })).rejects.toThrow(message);
      expect(await db('old_votes').count({ votes: '*' }).first()).toEqual({ votes: before.votes.length });
      expect(await appliedMigrations(db)).toEqual([...earlierMigrations, '027_ballot_keys.ts']);
    });
  });

  test('several processes that start at once convert every vote once', slow, async () => {
    const { place, before } = await earlierInstallation(500);
    const running = Array.from({ length: 3 }, () => startCommand('migrate', place, [], withKey));
    for (const { answer } of running) expect(await answer).toMatchObject({ code: 0 });
    await expectConverted(place, before);
  });

  test(
    'a conversion that is killed again and again loses and repeats nothing',
    { ...slow, timeout: 300_000 },
    async () => {
      const { place, before } = await earlierInstallation(50_000);
      const position = () =>
        withDatabase(place, (db) => db('installation').where('name', 'like', 'converted %').orderBy('name')).catch(
          () => [],
        );
      for (let kills = 0; kills < 6; kills += 1) {
        const was = JSON.stringify(await position());
        const { answer, kill } = startCommand('migrate', place, [], withKey);
        const ended = answer.then(() => true);
        while (JSON.stringify(await position()) === was) if (await Promise.race([ended, pause(5, false)])) break;
        kill();
        await answer;
      }
      expect(await startCommand('migrate', place, [], withKey).answer).toMatchObject({ code: 0 });
      await expectConverted(place, before);
    },
  );
});
