import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import { fixedClock, iso } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { assertVoterKey, knownMigrations, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import type { Secrets } from '#platform/secrets.ts';
import { takeBackup } from '#api/backup/backup.service.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { setPaused } from '#api/publishing/state.service.ts';
import { forgetPages } from '#api/testing/changes.ts';
import { emptyPlaces, runCommandOn } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { testNow } from '#api/testing/test-app.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { logWriter } from '#api/testing/vote-logs.ts';
import { doctorTexts } from '#texts/doctor.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { examine } from './doctor.service.ts';
import type { Finding } from './finding.ts';

/** Every advice of the doctor, by the place of its text: what an operator does by it ends the finding. */

const empty = emptyPlaces();
const run = promisify(execFile);

interface Site {
  readonly place: Place;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly file: string;
  readonly secretsFile: string;
  readonly backup: string;
}

/** A site with pages, a signed vote log, and a backup; each test has a copy of it. */
let original: Pick<Site, 'place' | 'secrets' | 'backup'>;

const fileIn = (dataDir: string) => join(dataDir, 'weathervane.sqlite');
const urlIn = (dataDir: string) => `sqlite:${fileIn(dataDir)}`;

beforeAll(async () => {
  const folder = await mkdtemp(join(quickFolder(), 'weathervane-site-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const url = urlIn(dataDir);
  await copyFile(inject('sqliteTemplate'), fileIn(dataDir));
  const db = openDatabase(url);
  await seedPolls(db, [{ id: 'p', votes: [3, 4, 5] }]);
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir });
  const secrets = await ensureSecrets(config);
  await assertVoterKey(db, secrets.voterKey);
  await tick(logWriter(db, fixedClock(testNow), { dataDir, seeds: secrets.logKeys }));
  await publishTexts(dataDir, { '/': 'home' });
  const { path } = await takeBackup({
    config,
    clock: fixedClock(testNow),
    folder: join(folder, 'backups'),
    onProgress: () => undefined,
  });
  await db.destroy();
  original = { place: { dataDir, url }, secrets, backup: path };
  return () => rm(folder, { recursive: true, force: true });
});

async function copySite(): Promise<Site> {
  const { place, secrets, backup } = original;
  const dataDir = join(await empty.folder(), 'data');
  await cp(place.dataDir, dataDir, { recursive: true, verbatimSymlinks: true });
  const url = urlIn(dataDir);
  return {
    ...{ place: { dataDir, url }, db: openDatabase(url), secrets, backup },
    file: fileIn(dataDir),
    secretsFile: join(dataDir, 'secrets.json'),
  };
}

/** What the doctor finds wrong on a site whose disk has room. */
async function findings({ url, dataDir }: Place, env: Readonly<Record<string, string>> = {}): Promise<Finding[]> {
  const all = await examine({
    environment: { DATABASE_URL: url, DATA_DIR: dataDir, ...env },
    clock: fixedClock(testNow),
    repair: false,
  });
  return all.filter(({ check, level }) => level !== 'ok' && check !== 'disk');
}

/** The only advice that the doctor gives. */
async function advice(place: Place, env?: Readonly<Record<string, string>>): Promise<string> {
  const found = await findings(place, env);
  expect(found.map(({ text }) => text)).toHaveLength(1);
  return found[0]?.advice ?? '';
}

/** Runs a command that an advice names, with a backup’s file name in the place of BACKUP. */
async function follow(text: string, command: RegExp, backup = ''): Promise<void> {
  const [line] = command.exec(text) ?? [];
  expect(line, `${text} names no command like ${command}`).toBeDefined();
  await run('sh', ['-c', line!.replace('BACKUP', backup)]);
}

const chmodCommand = /chmod 600 \S+?(?=\.?( |$))/;
const tarCommand = /tar -xzf BACKUP -C \S+ secrets\.json/;

/** Restores a backup as the advice says: into an empty folder, and an empty database. */
async function restoreElsewhere(text: string, { backup }: Site): Promise<void> {
  expect(text).toContain(
    'with DATA_DIR set to an empty folder (and DATABASE_URL to an empty database), npm run restore',
  );
  const place = await empty.place('SQLite');
  expect(await runCommandHere('restore', place, backup)).toMatchObject({ code: 0, complaint: '' });
  await publishTexts(place.dataDir, { '/': 'home' });
  expect(await findings(place)).toEqual([]);
}

const newKey = () => randomBytes(32).toString('hex');

/** Advice that is followed here. */
const followed: Readonly<Record<string, (site: Site) => Promise<void>>> = {
  async 'settings.wrong'({ place }) {
    await advice(place, { PORT: 'many' });
  },
  async 'settings.localAddress'({ place }) {
    const text = await advice(place, { NODE_ENV: 'production' });
    expect(text).toContain('Set PUBLIC_URL');
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://polls.example.org' };
    expect(await findings(place, production)).toEqual([]);
  },
  async 'settings.plainAddress'({ place }) {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'http://polls.example.org' };
    expect(await advice(place, production)).toContain('set PUBLIC_URL to its https:// address');
  },
  async 'settings.noLimits'({ place }) {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://polls.example.org', RATE_LIMIT: 'off' };
    expect(await advice(place, production)).toContain('Remove RATE_LIMIT');
  },
  async 'settings.noFolder'(site) {
    const [folder] = await findings({ ...site.place, dataDir: '/nowhere/at/all' });
    expect(folder?.advice).toContain('Check DATA_DIR if there used to be data.');
    expect(await findings(site.place)).toEqual([]);
  },
  async 'keys.open'({ place, secretsFile, secrets, db }) {
    await chmod(secretsFile, 0o644);
    const text = await advice(place);
    await follow(text, chmodCommand);
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    expect(await findings(place)).toEqual([]);
    // The keys that it says to replace can be replaced: the site starts with these.
    expect(text).toContain('set SESSION_KEYS=NEW, LOG_KEY=NEW,OLD, and a new ADMIN_PASSWORD');
    const { logKey } = JSON.parse(await readFile(secretsFile, 'utf8')) as { logKey: string };
    const env = {
      SESSION_KEYS: newKey(),
      LOG_KEY: `${newKey()},${logKey}`,
      ADMIN_PASSWORD: 'a password of an operator',
    };
    expect(await findings(place, env)).toEqual([]);
    await assertVoterKey(db, secrets.voterKey);
    expect(text).toContain('Don’t delete it');
  },
  async 'keys.missing'({ place, secretsFile, backup }) {
    const before = await readFile(secretsFile, 'utf8');
    await rm(secretsFile);
    const found = await findings(place);
    expect(found.map(({ level, check }) => `${level} ${check}`)).toEqual(['problem keys', 'problem voteLog']);
    // Nothing else is told to be done: a start makes no other keys, which would hide what is wrong.
    const api = await runCommandOn('api', place);
    expect(api).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('secrets.json is missing, but') as string,
    });
    expect(await stat(secretsFile).catch(() => null)).toBeNull();
    await follow(found[0]?.advice ?? '', tarCommand, backup);
    expect(await readFile(secretsFile, 'utf8')).toBe(before);
    expect(await findings(place)).toEqual([]);
  },
  async 'keys.unreadable'({ place, secretsFile, backup }) {
    await writeFile(secretsFile, '{"half');
    const found = await findings(place);
    expect(found.map(({ level, check }) => `${level} ${check}`)).toEqual(['problem keys', 'problem voteLog']);
    await follow(found[0]?.advice ?? '', tarCommand, backup);
    expect(await findings(place)).toEqual([]);
  },
  async 'keys.otherVoterKey'({ place, secrets, secretsFile, backup }) {
    const env = { VOTER_KEY: newKey() };
    expect(await advice(place, env)).toContain('Set VOTER_KEY to the other key, or remove VOTER_KEY');
    expect(await findings(place, { VOTER_KEY: secrets.voterKey })).toEqual([]);
    const other = JSON.parse(await readFile(secretsFile, 'utf8')) as object;
    await writeFile(secretsFile, JSON.stringify({ ...other, voterKey: newKey() }), { mode: 0o600 });
    await follow(await advice(place), tarCommand, backup);
    expect(await findings(place)).toEqual([]);
  },
  async 'voteLog.otherKey'({ place, secrets, secretsFile, backup }) {
    const other = JSON.parse(await readFile(secretsFile, 'utf8')) as object;
    await writeFile(secretsFile, JSON.stringify({ ...other, logKey: newKey() }), { mode: 0o600 });
    const text = await advice(place);
    const [old = ''] = secrets.logKeys;
    expect(await findings(place, { LOG_KEY: `${newKey()},${old}` })).toEqual([]);
    await follow(text, tarCommand, backup);
    expect(await findings(place)).toEqual([]);
  },
  async 'keys.openDatabase'({ place, file, db }) {
    // Its log exists while the database is open.
    await db('polls').update({ author: 'anna' });
    const files = [file, `${file}-wal`, `${file}-shm`];
    for (const one of files) await chmod(one, 0o644);
    const found = await findings(place);
    expect(found).toHaveLength(files.length);
    for (const one of found) await follow(one.advice ?? '', chmodCommand);
    expect(await findings(place)).toEqual([]);
  },
  async 'disk.full'({ place, db }) {
    const text = doctorTexts.disk.full(place.dataDir).advice;
    expect(text).toContain(`stop the services, move ${place.dataDir} to a larger disk, and set DATA_DIR`);
    await db.destroy();
    const dataDir = join(await empty.folder(), 'moved');
    await rename(place.dataDir, dataDir);
    expect(await findings({ dataDir, url: '' })).toEqual([]);
  },
  async 'database.none'(site) {
    await site.db.destroy();
    for (const end of ['', '-wal', '-shm']) await rm(`${site.file}${end}`, { force: true });
    await restoreElsewhere(await advice(site.place), site);
  },
  async 'database.empty'(site) {
    await site.db.destroy();
    for (const end of ['-wal', '-shm']) await rm(`${site.file}${end}`, { force: true });
    await writeFile(site.file, '');
    await restoreElsewhere(await advice(site.place), site);
  },
  async 'schema.pending'({ place, db }) {
    await db.migrate.down();
    expect(await advice(place)).toContain('npm run migrate');
    expect((await runCommandHere('migrate', place)).code).toBe(0);
    expect(await findings(place)).toEqual([]);
  },
  async 'schema.newer'(site) {
    await site.db('knex_migrations').insert({ name: '999_future.ts', batch: 9, migration_time: new Date() });
    await restoreElsewhere(await advice(site.place), site);
  },
  async 'schema.missing'(site) {
    await site.db.raw('drop index ballots_due');
    await restoreElsewhere(await advice(site.place), site);
  },
  async 'schema.changed'(site) {
    await site.db.raw('drop index ballots_due');
    await site.db.raw('create index ballots_due on ballots (starts_at)');
    await restoreElsewhere(await advice(site.place), site);
  },
  async 'rows.orphans'(site) {
    const unchecked = openDatabase(site.place.url);
    await unchecked.raw('pragma foreign_keys = off');
    await unchecked.raw("update polls set id = 'x'");
    await unchecked.destroy();
    const found = await findings(site.place);
    expect(found.every(({ check }) => check === 'rows')).toBe(true);
    await restoreElsewhere(found[0]?.advice ?? '', site);
  },
  async 'counters.wrong'({ place, db }) {
    await db('ballots').update({ total_votes: 99 });
    expect(await advice(place)).toContain('npm run doctor -- --repair');
    expect((await runCommandHere('doctor', place, '--repair')).output).toContain('Recalculated');
    expect(await findings(place)).toEqual([]);
  },
  async 'pages.paused'({ place, db }) {
    await forgetPages(db);
    await setPaused(db, fixedClock(testNow), true);
    expect((await findings(place)).map(({ text }) => text)).toEqual([
      `Publishing has been paused since ${iso(testNow)}.`,
    ]);
    await recordChanges(db, testNow, [{ kind: 'poll', key: 'p' }]);
    const found = await findings(place);
    expect(found.map(({ text }) => text)).toEqual([
      `Publishing has been paused since ${iso(testNow)}, and 1 change waits.`,
    ]);
    expect(found[0]?.advice).toContain('npm run build -- --resume');
    expect(await setPaused(db, fixedClock(testNow), false)).toBe(true);
    await forgetPages(db);
    expect(await findings(place)).toEqual([]);
  },
};

/** Advice whose command builds the code of the site: its options exist. */
test('the commands of the advice about pages have the options that it names', () => {
  const { pages } = doctorTexts;
  for (const [text, option] of [
    [pages.damaged('id', 1, []).advice, '--force'],
    [pages.paused(1, '').advice, '--resume'],
  ] as const) {
    expect(text).toContain(option);
    expect(publishingTexts.buildHelp).toContain(option);
  }
});

/** Advice that other tests follow, or that a person follows outside this project. */
const elsewhere: Readonly<Record<string, string>> = {
  failed: 'says to solve the other problems first',
  'mail.failed': 'mail.test.ts has servers that refuse',
  'settings.unwritable': 'needs a user other than root',
  'keys.none': 'start.http.test.ts starts a new site',
  'disk.low': 'as disk.full',
  'disk.noNames': 'as disk.full',
  'clock.behind': 'sets the clock of the machine',
  'clock.differs': 'sets the clock of the machine',
  'database.before030': 'commands/adoption.http.test.ts has such databases; 0.3.0 is not here',
  'database.unreadable': 'an error of the database that nothing here knows',
  'schema.extra': 'asks for nothing',
  'schema.notCompared': 'a grant of PostgreSQL',
  'rows.differs': 'as rows.orphans',
  'counters.refused': 'as results.differ',
  'results.differ': 'backup.http.test.ts restores the backup',
  'results.site': 'backup.http.test.ts restores the backup',
  'voteLog.late': 'asks to read the log',
  'voteLog.problems': 'as counters.wrong',
  'voteLog.witness': 'witness.http.test.ts asks again until it answers',
  'polls.closedBeforeStart': 'doctor.http.test.ts opens the polls again',
  'polls.overdue': 'a running API service closes them',
  'pages.none': 'start.http.test.ts publishes a new site',
  'pages.damaged': 'the options are above',
  'pages.lastFailed': 'a successful publish ends it',
};

/** The places of the texts with advice. */
function placesWithAdvice(texts: object, path: readonly string[] = []): string[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
    const place = [...path, name];
    if (typeof value === 'function' && path.length > 0 && name !== 'ok') {
      const list: unknown[] = [];
      const made = (value as (...args: unknown[]) => unknown)(...Array.from({ length: value.length }, () => list));
      return typeof made === 'object' && made !== null && 'advice' in made ? [place.join('.')] : [];
    }
    if (typeof value !== 'object' || value === null) return [];
    return 'advice' in value ? [place.join('.')] : placesWithAdvice(value, place);
  });
}

test('every advice of the doctor is followed in a test', () => {
  const places = [...placesWithAdvice(doctorTexts), 'failed'];
  expect([...Object.keys(followed), ...Object.keys(elsewhere)].sort()).toEqual(places.sort());
  expect(knownMigrations().length).toBeGreaterThan(0);
});

for (const [name, check] of Object.entries(followed))
  test(`what the doctor advises ends what it found: ${name}`, async () => {
    const site = await copySite();
    try {
      await check(site);
    } finally {
      await site.db.destroy();
    }
  });
