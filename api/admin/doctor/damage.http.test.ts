import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk } from '#ci/faults/disks.ts';
import { openDatabase } from '#platform/database.ts';
import { emptyPlaces, runCommandOn } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { slow } from '#api/testing/slow.ts';

const empty = emptyPlaces();

test('the doctor reports a missing, unreachable, or empty database', async () => {
  const place = await empty.place('SQLite');
  const none = await runCommandHere('doctor', place);
  expect(none.output).toMatch(/^problem {2}database {2}There is no database at /m);
  expect(none.code).toBe(1);
  expect(await stat(place.url.slice('sqlite:'.length)).catch(() => 'still not there')).toBe('still not there');
  const silent = await runCommandHere('doctor', { ...place, url: 'postgres://nobody:secret@127.0.0.1:9/none' });
  expect(silent.output).toMatch(/^problem {2}database {2}The database is not responding \(.*ECONNREFUSED/m);
  expect(silent.output).not.toContain('secret@');
  expect((await runCommandHere('doctor', await empty.place('PostgreSQL'))).output).toMatch(
    /^problem {2}database {2}The database is empty/m,
  );
});

test('on a full disk, the doctor says so, and doesn’t advise to check a server', slow, async (ctx) => {
  const dataDir = await empty.folder();
  const disk = await smallDisk(dataDir, 16);
  if (disk === null) return ctx.skip('this user may not mount');
  try {
    const place = { dataDir, url: `sqlite:${join(dataDir, 'weathervane.sqlite')}` };
    expect((await runCommandOn('migrate', place)).code).toBe(0);
    await disk.fill();
    const { code, output } = await runCommandOn('doctor', place);
    expect(output).toMatch(new RegExp(`^problem {2}disk {6}The disk of ${dataDir} is full`, 'm'));
    expect(output).toContain('Free up space');
    // What can’t be read may have been used with keys.
    expect(output).toMatch(/^problem {2}keys {6}.*secrets\.json is missing/m);
    expect(output).not.toContain('server is running');
    expect(code).toBe(1);
  } finally {
    await disk.remove();
  }
});

const reportsDamageAt = (at: number) => async () => {
  const place = await empty.place('SQLite');
  const file = place.url.slice('sqlite:'.length);
  expect((await runCommandOn('migrate', place)).code).toBe(0);
  const db = openDatabase(place.url);
  await seedPolls(
    db,
    Array.from({ length: 40 }, (__, n) => ({ id: `p${n}`, question: 'What? '.repeat(200) })),
  );
  await db.destroy();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(60_000, 0x5a), 0, 60_000, at);
  await handle.close();
  const before = await readFile(file);
  const backups = await empty.folder();
  const doctor = await runCommandOn('doctor', place);
  expect(doctor.output).toMatch(/^problem {2}database {2}The database file .* is damaged: .+ nothing was changed\.$/m);
  expect(doctor.code).toBe(1);
  const backup = await runCommandOn('backup', place, backups);
  expect(backup.complaint).toContain(`The database file ${file} is damaged: `);
  expect(backup.complaint).toContain('No backup was written');
  expect(backup.code).toBe(1);
  const start = await runCommandOn('migrate', place);
  expect(start.complaint).toMatch(new RegExp(`^The database file ${file} is damaged: .+ nothing was changed\\.`));
  expect(start.code).toBe(1);
  expect((await readFile(file)).equals(before)).toBe(true);
};

test(
  'a SQLite file that is damaged in its first bytes is reported by every command and never overwritten',
  slow,
  reportsDamageAt(0),
);

test(
  'a SQLite file that is damaged in the middle is reported by every command and never overwritten',
  slow,
  reportsDamageAt(100_000),
);
