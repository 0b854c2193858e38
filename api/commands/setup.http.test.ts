import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { quickEngineNames } from '#api/testing/slow.ts';
import { commandEnvironment, commandScript, emptyPlaces } from '#api/testing/empty-places.ts';
import type { CommandAnswer, Place } from '#api/testing/empty-places.ts';
import { openDatabase } from '#platform/database.ts';

const empty = emptyPlaces();
const cleanUps: (() => Promise<void>)[] = [];
// Before the places, which are made earlier, are removed.
afterEach(async () => void (await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))));
const settings = ['Harbor “Polls”', 'https://polls.example.org', 'help@example.org', 'Europe/Berlin', '-', 'off'];
const password = 'blue harbor wind 7';

/** Runs the setup in the data folder, where it writes a file of settings, with one answer per line. */
function setup({ dataDir, url }: Place, answers: readonly string[], env: Record<string, string> = {}) {
  return new Promise<CommandAnswer>((done) => {
    const child = execFile(
      process.execPath,
      [commandScript('setup'), 'settings'],
      { cwd: dataDir, env: { PATH: process.env.PATH, ...commandEnvironment({ dataDir, url }), NODE_ENV: '', ...env } },
      (error, output, complaint) => done({ code: error === null ? 0 : Number(error.code ?? -1), output, complaint }),
    );
    child.stdin?.end(answers.map((answer) => `${answer}\n`).join(''));
  });
}

const settingsOf = ({ dataDir }: Place) => readFile(join(dataDir, 'settings'), 'utf8');

test.each(quickEngineNames)(
  'a new site on %s gets settings, an owner, and a backup that was restored',
  async (engine) => {
    const place = await empty.place(engine);
    await writeFile(join(place.dataDir, 'settings'), '# Ours\nPORT=3100\nTIME_ZONE=UTC\n');
    const { code, output } = await setup(place, [...settings, 'harriet', password, password]);
    expect([code, output]).toEqual([0, expect.stringContaining('harriet owns this site.')]);
    expect(output).toContain('taken, restored in a temporary place, and compared: it works.');
    expect(output).not.toContain(password);
    expect(await settingsOf(place)).toBe(
      [
        ...['# Ours', 'PORT=3100', 'TIME_ZONE=Europe/Berlin', 'SITE_NAME="Harbor “Polls”"'],
        ...['PUBLIC_URL=https://polls.example.org', 'SUPPORT_EMAIL=help@example.org', 'SMTP_URL=', 'DEMO_DATA=off'],
        'NODE_ENV=production\n',
      ].join('\n'),
    );
    const db = openDatabase(place.url);
    cleanUps.push(() => db.destroy());
    expect(await db('operators').join('users', 'id', 'user_id').select('username', 'role')).toEqual([
      { username: 'harriet', role: 'owner' },
    ]);

    const again = await setup(
      place,
      settings.map(() => ''),
    );
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('This site already has an owner.')]);
    expect(await db('users')).toHaveLength(1);
  },
);

test('an answer that can’t be used is refused with the reason, and asked for again', async () => {
  const place = await empty.place('SQLite');
  const wrong = [...settings.slice(0, 3), 'Berlin', ...settings.slice(3), 'harriet', 'short', 'short', 'harriet'];
  const { code, complaint } = await setup(place, [...wrong, password, 'other', 'harriet', password, password]);
  expect(code).toBe(0);
  expect(complaint.trim().split('\n')).toEqual([
    expect.stringMatching(/^TIME_ZONE is “Berlin”, but it must be the name of a time zone/),
    'Password must be at least 8 characters',
    'The two passwords differ. Try again.',
  ]);
});

test('when the answers end before the settings are complete, nothing is written', async () => {
  const place = await empty.place('SQLite');
  const { code, complaint } = await setup(place, settings.slice(0, 2));
  expect([code, complaint]).toEqual([1, expect.stringMatching(/^The input ended before the last question\./)]);
  await expect(settingsOf(place)).rejects.toThrow('ENOENT');
});

test('a damaged database is reported with what to do, and stays as it is', async () => {
  const place = await empty.place('SQLite');
  const file = place.url.slice('sqlite:'.length);
  const damaged = Buffer.alloc(8_192, 'x');
  await writeFile(file, damaged);
  const { code, complaint } = await setup(place, settings);
  expect([code, complaint]).toEqual([1, expect.stringContaining('npm run restore -- FILE')]);
  expect(await readFile(file)).toEqual(damaged);
});
