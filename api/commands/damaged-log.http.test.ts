import { copyFile, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { emptyPlaces, runCommandOn, startCommand } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { slow } from '#api/testing/slow.ts';

const places = emptyPlaces();

/** The offset of a byte in the fourth frame of a write-ahead log. */
const damagedAt = 32 + 3 * 4_120 + 200;

/** A site after a power cut, with one flipped bit in the middle of its write-ahead log. */
async function damagedPlace(): Promise<{ place: Place; file: string }> {
  const place = await places.place('SQLite');
  const file = place.url.slice('sqlite:'.length);
  const running = join(await places.folder(), 'running.sqlite');
  await copyFile(inject('sqliteTemplate'), running);
  const db = openDatabase(`sqlite:${running}`);
  for (let n = 0; n < 8; n++) await seedPolls(db, [{ id: `p${n}` }]);
  // Closing the last connection would checkpoint the log into the file.
  for (const ending of ['', '-wal']) await copyFile(running + ending, file + ending);
  await db.destroy();
  await flipBit(`${file}-wal`);
  return { place, file };
}

async function flipBit(path: string): Promise<void> {
  const log = await open(path, 'r+');
  const { buffer } = await log.read(Buffer.alloc(1), 0, 1, damagedAt);
  buffer[0]! ^= 1;
  await log.write(buffer, 0, 1, damagedAt);
  await log.close();
}

/** The contents of the database and its log files. */
async function databaseFiles(file: string): Promise<Record<string, string>> {
  const folder = join(file, '..');
  const names = (await readdir(folder)).filter((name) => name.startsWith('weathervane.sqlite'));
  const entries = names.sort().map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

const message = (file: string) =>
  `The database file ${file} is damaged: its write-ahead log, ${file}-wal, is damaged at byte ${32 + 3 * 4_120}, and ` +
  'everything written after that would be lost. It was not opened for writing, and nothing was changed.';
const advice = (file: string) => `Stop the services. Copy ${file} and ${file}-wal to a safe place`;

const commandLines = [
  'start',
  'dev',
  'api',
  'migrate',
  'build',
  'import FILE',
  'import --undo',
  'import --remove-demonstration',
  'moderate reported',
  'community feature some-poll',
  'badges list',
  'accounts reset anna',
  'admin-password status',
  'content pull',
  'backup FOLDER',
  'move TARGET',
  'doctor',
  'doctor --repair',
];

test.each(commandLines)(
  'npm run %s refuses a SQLite file whose log has a flipped bit, explains what to do, and changes nothing',
  slow,
  async (line) => {
    const { place, file } = await damagedPlace();
    const folder = await places.folder();
    const csv = join(folder, 'polls.csv');
    await writeFile(csv, 'id,question\n');
    const given: Record<string, string> = { FILE: csv, FOLDER: join(folder, 'backups'), TARGET: inject('postgresUrl') };
    const [command = '', ...words] = line.split(' ').map((word) => given[word] ?? word);
    const before = await databaseFiles(file);
    const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
    const { code, output, complaint } = await startCommand(command, place, words, ports).answer;
    const said = command === 'doctor' ? output : complaint;
    expect(said).toContain(message(file));
    expect(said).toContain(advice(file));
    expect(said).toContain('npm run restore -- FILE');
    expect(complaint).not.toContain('    at ');
    expect(code).toBe(1);
    expect(await databaseFiles(file)).toEqual(before);
  },
);

test('every command that opens the database is tested with a damaged file', async () => {
  const folder = new URL('.', import.meta.url).pathname;
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = await Promise.all(scripts.map(async (name) => ({ name, text: await readFile(folder + name, 'utf8') })));
  const commands = texts.filter(({ text }) => text.includes('await runCommand(')).map(({ name }) => name.slice(0, -3));
  // The site service and the code build open no database; start runs prepare-site; restore and setup have tests of their own.
  const tested = new Set([
    'site',
    'build-code',
    'prepare-site',
    'restore',
    'setup',
    ...commandLines.map((line) => line.split(' ')[0]),
  ]);
  expect(commands.filter((name) => !tested.has(name))).toEqual([]);
  expect(commands).toContain('doctor');
});

test('restore leaves a damaged site alone, and backup writes nothing next to older backups', async () => {
  const sound = await places.place('SQLite');
  const backups = await places.folder();
  await copyFile(inject('sqliteTemplate'), sound.url.slice('sqlite:'.length));
  expect((await runCommandOn('backup', sound, backups)).code).toBe(0);
  const [backup = ''] = await readdir(backups);
  const { place, file } = await damagedPlace();
  const before = await databaseFiles(file);
  const refused = await runCommandOn('backup', place, backups);
  expect(refused.complaint).toContain('No backup was written; older backups are unchanged.');
  expect(await readdir(backups)).toEqual([backup]);
  const restored = await runCommandHere('restore', place, join(backups, backup));
  expect(restored.complaint).toContain('already exists, and a restore never overwrites anything');
  expect(restored.code).toBe(1);
  expect(await databaseFiles(file)).toEqual(before);
});

test('doctor and backup leave the log of an intact database unchanged', async () => {
  const { place, file } = await damagedPlace();
  // The same bit again.
  await flipBit(`${file}-wal`);
  const contents = async () => [await readFile(file), await readFile(`${file}-wal`)];
  const before = await contents();
  const doctor = await runCommandHere('doctor', place);
  expect(doctor.output).toMatch(/^ok {7}database /m);
  const backup = await runCommandOn('backup', place, await places.folder());
  expect(backup.output).toContain('8 polls');
  expect(await contents()).toEqual(before);
});
