import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { knownMigrations, openDatabase } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { readConfig } from '#platform/config.ts';
import { recordSignUp } from '#api/members/badges/sign-up.service.ts';
import { inBuilds, servedBuild } from '#api/publishing/builds.ts';
import { recordEnded } from '#api/publishing/job.service.ts';
import { buildFiles } from '#domain/build-files.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { emptyPlaces, runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { castVotes, logWriter } from '#api/testing/vote-logs.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { reopenPoll } from '#api/polls/managing.service.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import { examine } from './doctor.service.ts';
import { producedSchema } from './schema.queries.ts';

const empty = emptyPlaces();

eachDatabase((open, engine, once) => {
  async function createSite() {
    const { db, url } = await open();
    const dataDir = await empty.folder();
    const environment = { DATABASE_URL: url, DATA_DIR: dataDir };
    await ensureSecrets(readConfig(environment));
    await publishTexts(dataDir, { '/': 'home', '/poll/p': 'report' });
    await seedPolls(db, [
      { id: 'p', votes: [3, 4, 5] },
      { id: 'old', closedAt: testNow - 1, category: 'Science' },
    ]);
    await seedMember(db, 'anna');
    await recordSignUp(db, 'anna', testNow, null);
    await seedDiscussedPoll(db, { id: 'c', createdBy: 'anna', visibility: 'unlisted' });
    const runDoctor = (options: { repair?: boolean; now?: number; env?: Record<string, string> } = {}) =>
      examine({
        environment: { ...environment, ...options.env },
        clock: fixedClock(options.now ?? testNow),
        repair: options.repair ?? false,
      });
    /** The printed problems, except the clock of the test’s database server. */
    const problems = async (...args: Parameters<typeof runDoctor>) =>
      (await runDoctor(...args))
        .filter(({ level, check }) => level !== 'ok' && check !== 'disk' && !(check === 'clock' && level === 'warning'))
        .map(({ level, check, text }) => `${level} ${check}: ${text}`);
    return { db, url, dataDir, runDoctor, problems, place: { url, dataDir } };
  }

  /** Runs a statement that the database’s constraints would refuse. */
  async function withoutConstraints(url: string, statement: string): Promise<void> {
    const unchecked = openDatabase(url);
    await (engine === 'SQLite'
      ? unchecked.raw('pragma foreign_keys = off').then(() => unchecked.raw(statement))
      : unchecked.transaction(async (trx) => {
          await trx.raw('set local session_replication_role = replica');
          await trx.raw(statement);
        }));
    await unchecked.destroy();
  }

  test('every check of a healthy site is ok', async () => {
    const { runDoctor, problems } = await createSite();
    expect(await problems()).toEqual([]);
    const checks = (await runDoctor()).map(({ check }) => check);
    expect(checks).toEqual([
      ...['settings', 'keys', 'disk', 'clock', 'database', 'schema', 'rows', 'results', 'counters', 'polls'],
      ...['voteLog', 'pages'],
      'mail',
    ]);
  });

  once('a vote log that was signed with another key is a problem, and one that has stopped is a warning', async () => {
    const { db, problems } = await createSite();
    const writer = logWriter(db, fixedClock(testNow - 7_200_000));
    await tick(writer);
    const [told, ...others] = await problems();
    expect(others).toEqual([]);
    expect(told).toMatch(/^problem voteLog: The vote log was signed with a key that is not configured/);
    await castVotes(db, 'p', 'o1', 1, testNow - 3_600_000);
    expect((await problems()).filter((one) => one.startsWith('warning voteLog'))).toEqual([
      expect.stringMatching(/the oldest vote not yet in it is 60 minutes old/),
    ]);
  });

  once('wrong counters are listed, and corrected on request', async () => {
    const { db, problems, runDoctor } = await createSite();
    await db('ballot_options').where({ ballot_id: 'p', option_id: 'o2' }).increment({ votes: 2 });
    await db('ballots').where({ id: 'old' }).increment({ total_votes: 1 });
    await db('statistics').where({ shard: 3 }).increment({ total_votes: 7, total_participants: 1, total_polls: -1 });
    await db('archive_categories').where({ category: 'Science' }).update({ closed_polls: 5 });
    await db('community_polls').where({ id: 'c' }).update({ comment_count: 9 });
    const [told, ...others] = await problems();
    expect(others).toEqual([]);
    expect(told).toMatch(
      /^problem counters: 7 counters are wrong: closed polls of category "Science" 5 instead of 1; /,
    );
    expect(await problems({ repair: true })).toEqual([]);
    await expectExactCounters(db);
    expect(await problems()).toEqual([]);
    expect((await runDoctor({ repair: true })).find(({ check }) => check === 'counters')?.text).toContain(
      'Every counter',
    );
  });

  test('a row whose referenced row is missing is reported', async () => {
    const { db, url, problems } = await createSite();
    await db('comments').insert({ id: 'x', poll_id: 'c', user_id: 'anna', content: '…', created_at: 1, updated_at: 1 });
    await db('community_polls').update({ comment_count: 1 });
    await withoutConstraints(url, "delete from community_polls where id = 'c'");
    expect(await problems()).toEqual([
      'problem rows: 1 row of comments without its community_polls: c.',
      'problem rows: Ballots without a poll: c.',
    ]);
  });

  once('a listed poll that is not public is reported', async () => {
    const { db, problems } = await createSite();
    await db('community_polls').update({ visibility: 'private', category: 'Elsewhere' });
    await db('ballots').where({ id: 'c' }).update({ listed: true });
    expect((await problems()).map((line) => line.slice(0, 46))).toEqual([
      'problem rows: Community polls whose category d',
      'problem rows: Ballots that are listed although',
    ]);
  });

  once('ballots that wrongly count or don’t count in the totals are listed, and corrected on request', async () => {
    const { db, problems } = await createSite();
    await db('polls').where({ id: 'p' }).update({ demonstration: true });
    await db('ballots').where({ id: 'old' }).update({ in_totals: false });
    // This is how a process of the previous release stores a community poll that is not public.
    await db('ballots').where({ id: 'c' }).update({ in_totals: true });
    const [told, ...others] = await problems();
    expect(others).toEqual([]);
    for (const one of [
      'c in the totals 1 instead of 0',
      'old in the totals 0 instead of 1',
      'p in the totals 1 instead',
    ])
      expect(told).toContain(`ballot ${one}`);
    expect(await problems({ repair: true })).toEqual([]);
    expect((await db('ballots').orderBy('id').pluck('in_totals')).map(Boolean)).toEqual([false, true, false]);
    expect(await statisticsNow(db, testNow)).toMatchObject({ totalVotes: 0, totalPolls: 1 });
    await expectExactCounters(db);
  });

  once(
    'polls that an earlier release stored as closed before their start are reported until they are reopened',
    async () => {
      const { db, problems } = await createSite();
      await db('ballots')
        .where({ id: 'old' })
        .update({ starts_at: testNow + 1_000, ends_at: testNow + 2_000 });
      expect(await problems()).toEqual([
        'warning polls: 1 poll is closed and public, but not to start until later: old.',
      ]);
      await reopenPoll({ db, clock: fixedClock(testNow) }, 'old');
      expect(await problems()).toEqual([]);
    },
  );

  test('a missing index, column, or constraint is reported; an extra one is a warning', async () => {
    const { db, problems } = await createSite();
    await db.raw(engine === 'SQLite' ? 'drop index votes_device' : 'alter table votes drop constraint votes_device');
    await db.raw('drop index ballots_due');
    await db.raw('create index somebodys_own on polls (author)');
    await db.schema.alterTable('users', (t) => t.dropColumn('last_name'));
    const lines = await problems();
    expect(lines).toContainEqual(
      expect.stringMatching(/^problem schema: (index|constraint) votes_device.* is missing\.$/),
    );
    expect(lines).toContain('problem schema: index ballots_due is missing.');
    expect(lines).toContain('problem schema: column users.last_name is missing.');
    expect(lines).toContain('warning schema: Not created by the migrations: index somebodys_own.');
    expect(lines).toHaveLength(4);
  });

  test('an index with the right name but another definition is reported with the expected one', async () => {
    const { db, problems } = await createSite();
    await db.raw('drop index ballots_due');
    await db.raw('create index ballots_due on ballots (starts_at)');
    const [line] = await problems();
    expect(line).toMatch(
      /^problem schema: index ballots_due doesn’t match the migrations: it is “.*starts_at.*”, but should be “.*ends_at/,
    );
  });

  test('the schema check leaves nothing behind', async () => {
    const { db } = await createSite();
    await producedSchema(db, knownMigrations());
    if (engine === 'PostgreSQL')
      expect(await db('pg_namespace').where('nspname', 'like', 'doctor%').pluck('nspname')).toEqual([]);
    expect(await db('knex_migrations').orderBy('name').pluck('name')).toEqual(knownMigrations());
  });

  test('a database of a newer version is distinguished from one that needs migrations', async () => {
    const { db, problems } = await createSite();
    await db('knex_migrations').insert({ name: '999_future.ts', batch: 9, migration_time: new Date() });
    expect(await problems()).toEqual([
      expect.stringContaining('newer than this code: its migrations include 999_future.ts'),
    ]);
    await db('knex_migrations').where({ name: '999_future.ts' }).del();
    const older = await empty.place(engine);
    const olderDb = openDatabase(older.url);
    await olderDb.migrate.up();
    await olderDb.destroy();
    const lines = (
      await examine({
        environment: { DATABASE_URL: older.url, DATA_DIR: older.dataDir },
        clock: fixedClock(testNow),
        repair: false,
      })
    ).map(({ level, check, text }) => `${level} ${check}: ${text}`);
    // The first one creates the schema of 0.3.0.
    const pending = knownMigrations().length - 1;
    expect(lines).toContainEqual(expect.stringContaining(`warning schema: ${pending} migration`));
  });

  once('an overdue poll, a slow clock, and a failed build are reported', async () => {
    const { db, problems } = await createSite();
    await recordEnded(db, { changes: [], startedAt: testNow, changed: 0, error: 'No disk.' }, testNow);
    expect(await problems()).toEqual(['warning pages: The last publish failed: No disk.']);
    expect(await problems({ now: testNow + 8 * 86_400_000 })).toContain(
      'warning polls: 1 poll should have closed by now: p.',
    );
    expect(await problems({ now: testNow - 86_400_000 })).toContainEqual(
      expect.stringMatching(/^problem clock: This machine’s clock says 2026-11-19T12:00:00.000Z/),
    );
  });

  once('a missing or damaged file of the served build is reported', async () => {
    const { dataDir, problems } = await createSite();
    const folder = inBuilds(dataDir, servedBuild(dataDir)!);
    await writeFile(join(folder, 'client', 'poll', 'p.html.gz'), 'not compressed');
    await rm(join(folder, buildFiles.fill));
    expect(await problems()).toEqual([
      'problem pages: Build build1, which is served, is incomplete: filled is missing, /poll/p is damaged.',
    ]);
    await rm(join(folder, buildFiles.facts));
    expect(await problems()).toEqual([
      'problem pages: Build build1, which is served, is incomplete: build1/build.json is missing.',
    ]);
  });

  once('all wrong settings and keys that others can read are reported at once', async () => {
    const { dataDir, problems } = await createSite();
    await chmod(join(dataDir, 'secrets.json'), 0o644);
    const env = {
      PORT: 'many',
      SUPPORT_EMAIL: 'nobody',
      NODE_ENV: 'production',
      RATE_LIMIT: 'off',
      ADMIN_PASSWORD: 'short',
    };
    const lines = await problems({ env });
    expect(lines).toHaveLength(6);
    expect(lines.join('\n')).not.toMatch(/["“]short["”]/);
    expect(lines).toContainEqual(expect.stringMatching(/^problem settings: PORT is “many”/));
    expect(lines).toContainEqual(expect.stringMatching(/^problem settings: SUPPORT_EMAIL is “nobody”/));
    expect(lines).toContainEqual(expect.stringMatching(/^problem settings: ADMIN_PASSWORD is too short/));
    expect(lines).toContainEqual(expect.stringMatching(/^warning settings: This is production, but PUBLIC_URL/));
    expect(lines).toContainEqual(expect.stringMatching(/^warning settings: RATE_LIMIT is off/));
    expect(lines).toContainEqual(expect.stringMatching(/^problem keys: Other users .*mode 644/));
  });

  once('the command exits with 1 if there is a problem, also with JSON output', async () => {
    const { db, place } = await createSite();
    await db('community_polls').where({ id: 'c' }).update({ comment_count: 9 });
    const { code, output } = await runCommandOn('doctor', place);
    expect(output).toMatch(
      /^problem {2}counters {2}1 counter is wrong: comments of community poll c 9 instead of 0\.$/m,
    );
    expect(output).toMatch(/^ +→ Run npm run doctor -- --repair/m);
    expect(code).toBe(1);
    const json = await runCommandHere('doctor', place, '--json', '--repair');
    const { well, findings } = JSON.parse(json.output) as {
      well: boolean;
      findings: { check: string; text: string }[];
    };
    expect([json.code, well]).toEqual([0, true]);
    expect(findings.find(({ check }) => check === 'counters')?.text).toContain(
      'Recalculated 1 counter (comments of community poll c',
    );
  });

  test('votes cast while counters are corrected are counted', async () => {
    const { db, url, problems } = await createSite();
    await db('ballots').where({ id: 'p' }).increment({ total_votes: 5 });
    const other = openDatabase(url);
    const mending = problems({ repair: true });
    const changes = Array.from({ length: 20 }, () =>
      other.transaction(async (trx) => {
        await trx('ballots').where({ id: 'p' }).increment({ total_votes: 1, base_votes: 1 });
        await trx('ballot_options').where({ ballot_id: 'p', option_id: 'o1' }).increment({ votes: 1, base_votes: 1 });
        await trx('statistics').where({ shard: 5 }).increment({ total_votes: 1, imported_votes: 1 });
      }),
    );
    await Promise.all([mending, ...changes]);
    await other.destroy();
    expect((await db('ballots').where({ id: 'p' }).first<{ total_votes: number }>('total_votes')).total_votes).toBe(32);
    await expectExactCounters(db);
  });
});
