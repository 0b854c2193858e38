import { hash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodePicture, storePicture } from '#api/members/accounts/pictures.service.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { smallDisk } from '#ci/faults/disks.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { emptyPlaces, runCommandOn, startCommand } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { testNow } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';
import { seedText } from '#api/testing/texts.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { takeBackup } from './backup.service.ts';
import { restoreBackup } from './restore.service.ts';

const empty = emptyPlaces();
const earlierSecrets = { sessionKeys: ['of the old machine'], siteKey: 'k', adminPasswordHash: 'h' };
const voterKey = 'a voter key of thirty-two letters';
const secrets = JSON.stringify({ ...earlierSecrets, voterKey, logKey: 'cd'.repeat(32), witnessKey: 'ef'.repeat(32) });
const awkward = 'Größe 🌬️\u2028 "quoted" \\ back\n\ttab – \u{10FFFF}';

/** A vote by a new visitor. */
const newVote = () => ({
  ballotId: 'p',
  kind: 'poll' as const,
  optionId: 'o1',
  voter: { device: hash('md5', randomUUID()), cookie: hash('md5', randomUUID()), userId: null },
});

const tables = [
  ...['users', 'sessions', 'ballots', 'ballot_options', 'polls', 'votes', 'voters', 'statistics', 'events'],
  ...['comments', 'community_polls', 'community_poll_guests', 'badges', 'attempts'],
  ...['idempotency_keys', 'member_pictures', 'invite_links', 'content_entries', 'content_versions', 'content_images'],
];

/** A digest as the database returns it, as hexadecimal digits. */
const hexOf = (digest: Buffer | string) =>
  typeof digest === 'string' ? digest.replaceAll('-', '') : digest.toString('hex');

/** Every row of the tables with content. */
async function allRows(db: Database): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) rows[table] = (await db(table).select()).map((row) => JSON.stringify(row)).sort();
  return rows;
}

oneDatabase((open, engine) => {
  /** A site with a little of every kind of content. */
  async function createSite() {
    const { db, url } = await open();
    const dataDir = await empty.folder();
    await writeFile(join(dataDir, 'secrets.json'), secrets, { mode: 0o600 });
    await seedPolls(db, [
      { id: 'p', question: awkward, votes: [3, 4, 5] },
      { id: 'old', closedAt: testNow - 1 },
    ]);
    await seedMember(db, 'anna');
    await seedText(db);
    await seedDiscussedPoll(db, { id: 'c', createdBy: 'anna', visibility: 'private', question: awkward });
    await db('comments').insert({
      id: 'x',
      poll_id: 'c',
      user_id: 'anna',
      content: awkward,
      created_at: 1,
      updated_at: 1,
    });
    await db('community_polls').update({ comment_count: 1 });
    await storePicture({ db, clock: fixedClock(testNow) }, 'anna', await encodePicture(Buffer.from(await pngFile())));
    await db('invite_links').insert({ poll_id: 'c', digest: 'd', created_at: 1, expires_at: 2, uses: 1, max_uses: 5 });
    const intake = createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger });
    await Promise.all(Array.from({ length: 30 }, () => intake.cast(newVote())));
    return { db, place: { url, dataDir }, intake, backups: await empty.folder() };
  }

  /** Writes a backup in this process; a refusal is an exception. */
  async function backupTo({ url, dataDir }: Place, folder: string): Promise<string> {
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir });
    const options = { clock: fixedClock(testNow), onProgress: () => undefined };
    return (await takeBackup({ config, folder, ...options })).path;
  }

  const backupOf = ({ place, backups }: Awaited<ReturnType<typeof createSite>>) => backupTo(place, backups);

  /** Restores in this process; a refusal is an exception. */
  const restoreHere = ({ url, dataDir }: Place, file: string) =>
    restoreBackup({ config: { databaseUrl: url, dataDir, voterKey: null }, file, onProgress: () => undefined });

  /** Runs a task with the database at a URL. */
  async function withDatabase<Result>(url: string, task: (db: Database) => Promise<Result>): Promise<Result> {
    const db = openDatabase(url);
    return task(db).finally(() => db.destroy());
  }

  /** Expects that a restore left nothing but its own draft. */
  async function expectEmpty(place: { url: string; dataDir: string }) {
    const left = (await readdir(place.dataDir)).filter((name) => !/^restoring-|^secrets\.json/.test(name));
    expect(left).toEqual([]);
    if (engine === 'PostgreSQL')
      expect(await withDatabase(place.url, (db) => db('pg_tables').where({ schemaname: 'public' }))).toEqual([]);
  }

  test('a restored site has every row, text, and secret of the old one', async () => {
    const site = await createSite();
    await site.intake.drain();
    const written = await runCommandOn('backup', site.place, site.backups);
    expect(written).toMatchObject({ code: 0, complaint: '' });
    const file = /^Wrote (.+) \(/.exec(written.output)![1]!;
    const place = await empty.place(engine);
    const { code, output, complaint } = await runCommandOn('restore', place, file);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(output).toContain('2 polls, 1 community poll, 30 votes, 1 member');
    const rows = await allRows(site.db);
    expect([rows.member_pictures, rows.content_versions, rows.content_images].map((some) => some?.length)).toEqual([
      1, 1, 1,
    ]);
    expect(await withDatabase(place.url, allRows)).toEqual(rows);
    expect(await readFile(join(place.dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
    expect((await stat(join(place.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect((await readdir(place.dataDir)).filter((name) => name.startsWith('restoring-'))).toEqual([]);
  });

  test('a restored site accepts votes, and new ids follow the old ones', async () => {
    const site = await createSite();
    await site.intake.drain();
    const event = { type: 'site.published', subject_kind: 'site', at: 1 };
    await site.db('events').insert([1, 2, 3].map((n) => ({ ...event, subject: `e${n}` })));
    const [last = 0] = await site.db('events').where({ subject: 'e3' }).pluck('id');
    await site.db('events').where({ subject: 'e3' }).del();
    const place = await empty.place(engine);
    await restoreHere(place, await backupOf(site));
    await withDatabase(place.url, async (db) => {
      const intake = createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger });
      expect((await intake.cast(newVote())).status).toBe('recorded');
      await intake.drain();
      expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 31 });
      await db('events').insert({ ...event, subject: 'e4' });
      expect(await db('events').where({ subject: 'e4' }).pluck('id')).toEqual([last + 1]);
    });
  });

  test('a backup taken during voting has every vote acknowledged before it and exact counters', slow, async () => {
    const site = await createSite();
    const acknowledged: string[] = [];
    let voting = true;
    const visitor = async () => {
      while (voting) {
        const vote = newVote();
        expect((await site.intake.cast(vote)).status).toBe('recorded');
        acknowledged.push(vote.voter.device);
        await new Promise((next) => setImmediate(next));
      }
    };
    const visitors = Array.from({ length: 8 }, visitor);
    while (acknowledged.length < 100) await new Promise((next) => setImmediate(next));
    const before = [...acknowledged];
    const file = await backupOf(site).finally(() => (voting = false));
    const during = acknowledged.length - before.length;
    await Promise.all(visitors);
    await site.intake.drain();
    expect(during).toBeGreaterThan(0);
    const place = await empty.place(engine);
    await restoreHere(place, file);
    await withDatabase(place.url, async (db) => {
      const { wrongCounters, recordedVotes } = await reconcile(db);
      expect(wrongCounters).toEqual([]);
      expect(recordedVotes).toBeGreaterThanOrEqual(before.length + 30);
      const there = new Set((await db('votes').pluck('device')).map(hexOf));
      expect(before.filter((device) => !there.has(device))).toEqual([]);
      await expectExactCounters(db);
    });
  });

  test('a backup of a newer version is refused, and nothing changes', async () => {
    const site = await createSite();
    await site.intake.drain();
    await site.db('knex_migrations').insert({ name: '999_from_the_future.ts', batch: 9, migration_time: new Date() });
    const place = await empty.place(engine);
    await expect(restoreHere(place, await backupOf(site))).rejects.toThrow('was written by a newer version');
    await expectEmpty(place);
  });

  test('a restore over an existing site is refused and changes nothing', slow, async () => {
    const site = await createSite();
    await site.intake.drain();
    const file = await backupOf(site);
    const before = await allRows(site.db);
    const { code, complaint } = await runCommandOn('restore', site.place, file);
    expect(code).toBe(1);
    expect(complaint).toContain(', and a restore never overwrites anything. Nothing was changed.');
    expect(await allRows(site.db)).toEqual(before);

    const place = await empty.place(engine);
    await writeFile(join(place.dataDir, 'secrets.json'), '{"of":"another installation"}');
    expect((await runCommandOn('restore', place, file)).complaint).toContain('secrets.json already exists');
    await expectEmpty(place);
  });

  test('a damaged or truncated backup is refused wherever the damage is', async () => {
    const site = await createSite();
    await site.intake.drain();
    const file = await backupOf(site);
    const whole = await readFile(file);
    const place = await empty.place(engine);
    for (const at of [0, 100, Math.floor(whole.length / 2), whole.length - 6]) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 0x20;
      await writeFile(file, bytes);
      await expect(restoreHere(place, file)).rejects.toThrow(/Nothing was changed\./);
      await expectEmpty(place);
    }
    await writeFile(file, whole);
    await truncate(file, whole.length - 100);
    await expect(restoreHere(place, file)).rejects.toThrow('it is truncated');
    await writeFile(file, 'id,question\n');
    await expect(restoreHere(place, file)).rejects.toThrow('is not a backup');
    await expectEmpty(place);
    await writeFile(file, whole);
    await restoreHere(place, file);
    expect(await withDatabase(place.url, allRows)).toEqual(await allRows(site.db));
  });

  test('a restore killed at any moment leaves nothing half-done and can be repeated', slow, async () => {
    const site = await createSite();
    await site.intake.drain();
    const file = await backupOf(site);
    const place = await empty.place(engine);
    const started = performance.now();
    expect((await runCommandOn('restore', await empty.place(engine), file)).code).toBe(0);
    const usual = performance.now() - started;
    let finished = 0;
    for (let round = 0; round < 8 && finished === 0; round++) {
      const { answer, kill } = startCommand('restore', place, [file]);
      // The first part of the time is Node’s startup.
      const timer = setTimeout(kill, usual * (0.4 + 0.07 * round));
      finished += Number((await answer).code === 0);
      clearTimeout(timer);
      if (engine === 'PostgreSQL') await connectionsEnded(place.url);
      const there = await hasDatabase(place);
      if (!there) await expectEmpty(place);
      else if (finished === 0) finished = 1;
    }
    if (finished === 0) expect((await runCommandOn('restore', place, file)).complaint).toBe('');
    expect(await withDatabase(place.url, allRows)).toEqual(await allRows(site.db));
    expect(await readFile(join(place.dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  });

  /** Whether a place has a database. */
  async function hasDatabase({ url, dataDir }: { url: string; dataDir: string }): Promise<boolean> {
    if (engine === 'SQLite') return (await readdir(dataDir)).includes('weathervane.sqlite');
    return withDatabase(url, (db) => db.schema.hasTable('votes'));
  }

  /** Waits until the server has noticed that a client disconnected. */
  async function connectionsEnded(url: string): Promise<void> {
    await withDatabase(url, async (db) => {
      for (;;) {
        const { rows } = await db.raw<{ rows: unknown[] }>(
          'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        if (rows.length === 0) return;
      }
    });
  }

  test('only its owner can read a backup file, and --keep keeps that many', async () => {
    const site = await createSite();
    await site.intake.drain();
    const { backups, place } = site;
    for (const day of [1, 2, 3]) await writeFile(join(backups, `weathervane-2026110${day}T000000Z.tar.gz`), '');
    await writeFile(join(backups, 'something else.tar.gz'), '');
    const abandoned = join(backups, '.weathervane-draft-abc');
    await mkdir(abandoned);
    await utimes(abandoned, 0, 0);
    const { code, output } = await runCommandOn('backup', place, backups, '--keep', '2');
    expect(code).toBe(0);
    expect(output).toContain('Removed 2 older backups: weathervane-20261101T000000Z.tar.gz, weathervane-20261102');
    const left = (await readdir(backups)).sort();
    expect(left).toEqual([
      'something else.tar.gz',
      'weathervane-20261103T000000Z.tar.gz',
      expect.stringMatching(/^weathervane-\d{8}T\d{6}Z\.tar\.gz$/),
    ]);
    expect((await stat(join(backups, left[2]!))).mode & 0o777).toBe(0o600);
  });

  test('a backup to a folder that can’t exist says so at once, and doesn’t blame the database', async () => {
    const site = await createSite();
    await site.intake.drain();
    const file = join(site.place.dataDir, 'a file');
    await writeFile(file, '');
    const folders = [
      file,
      join(file, 'backups'),
      ...(process.platform === 'linux' ? ['/proc/weathervane/backups'] : []),
    ];
    for (const folder of folders)
      await expect(backupTo(site.place, folder)).rejects.toThrow(
        new RegExp(`^${folder} is not writable \\(E[A-Z]+\\)\\. Choose another folder`),
      );
  });

  test('a backup to a full disk says so, and leaves the older backups as they are', async (ctx) => {
    const site = await createSite();
    await site.intake.drain();
    const folder = await empty.folder();
    const disk = await smallDisk(folder, 2);
    if (disk === null) return ctx.skip('this user may not mount');
    try {
      await writeFile(join(folder, 'weathervane-20261101T000000Z.tar.gz'), 'a backup');
      await disk.fill();
      const before = (await readdir(folder)).sort();
      const { code, complaint } = await runCommandOn('backup', site.place, folder, '--keep', '1');
      expect(complaint.trim()).toMatch(new RegExp(`^The disk of ${folder} is full\\. No backup was written`));
      expect(code).toBe(1);
      expect((await readdir(folder)).sort()).toEqual(before);
    } finally {
      await disk.remove();
    }
  });

  test('a killed backup leaves no incomplete backup file', async () => {
    const site = await createSite();
    await site.intake.drain();
    const { answer, kill } = startCommand('backup', site.place, [site.backups]);
    for (;;) if ((await readdir(site.backups)).length > 0) break;
    kill();
    await answer;
    const shown = (await readdir(site.backups)).filter((name) => !name.startsWith('.weathervane-draft-'));
    for (const name of shown)
      expect((await runCommandOn('restore', await empty.place(engine), join(site.backups, name))).code).toBe(0);
  });

  test('a backup of one database engine is refused by the other', async () => {
    const site = await createSite();
    await site.intake.drain();
    const place = await empty.place(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite');
    const file = await backupOf(site);
    await expect(restoreHere(place, file)).rejects.toThrow(`This is a backup of a ${engine} database`);
  });
});
