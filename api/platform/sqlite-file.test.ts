import { copyFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { damagedAt, sqliteFileProblem } from './sqlite-file.ts';

const hadData = () => Promise.resolve(true);

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-file-'));
  file = join(folder, 'polls.sqlite');
  const whole = join(folder, 'whole');
  const db = openDatabase(`sqlite:${whole}`);
  await db.schema.createTable('words', (table) => void table.text('word').index());
  await db.batchInsert(
    'words',
    Array.from({ length: 2_000 }, (_, n) => ({ word: `${n} `.repeat(40) })),
    100,
  );
  await db.raw('pragma wal_checkpoint(truncate)');
  for (let n = 0; n < 12; n++) await db('words').insert({ word: `late ${n}` });
  // Copies, as after a power failure: closing the last handle would delete the log.
  await copyFile(whole, `${file}.kept`);
  await copyFile(`${whole}-wal`, `${file}.kept-wal`);
  await db.destroy();
});
beforeEach(async () => {
  for (const ending of ['', '-wal']) await copyFile(`${file}.kept${ending}`, file + ending);
  await rm(`${file}-shm`, { force: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function overwrite(path: string, share: number, bytes: number): Promise<void> {
  const handle = await open(path, 'r+');
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, Math.floor((size * share) / 4_096) * 4_096);
  await handle.close();
}

const withoutLog = () => rm(`${file}-wal`);

test.each<[string, RegExp, () => Promise<void>]>([
  ['whose header is overwritten', /does not start with a SQLite header/, () => overwrite(file, 0, 100)],
  ['with a damaged page', /page/, () => overwrite(file, 0.5, 8_192)],
  ['that contains text', /does not start with a SQLite header/, () => writeFile(file, 'No polls here.')],
  ['that is empty', /it is empty/, () => writeFile(file, '')],
  [
    'that is cut off',
    /it ends after 40960 of \d+ bytes/,
    async () => {
      await withoutLog();
      await truncate(file, 40_960);
    },
  ],
  [
    'whose log is damaged in the middle',
    /its write-ahead log, .*-wal, is damaged at byte \d+/,
    () => overwrite(`${file}-wal`, 0.5, 100),
  ],
  [
    'whose log has no header',
    /its write-ahead log, .*-wal, is damaged at byte \d+/,
    () => overwrite(`${file}-wal`, 0, 32),
  ],
])('a file %s is detected before it is opened and left unchanged', async (_, problem, damage) => {
  await damage();
  const before = [await readFile(file), await readFile(`${file}-wal`).catch(() => null)];
  expect(await sqliteFileProblem(file, hadData)).toMatch(problem);
  expect([await readFile(file), await readFile(`${file}-wal`).catch(() => null)]).toEqual(before);
});

test('an intact file, one with a transaction cut short by a power failure, and a missing one are accepted', async () => {
  expect(await sqliteFileProblem(file, hadData)).toBeNull();
  const { length } = await readFile(`${file}-wal`);
  await truncate(`${file}-wal`, length - 2_000);
  expect(await sqliteFileProblem(file, hadData)).toBeNull();
  await overwrite(`${file}-wal`, 1, 10);
  expect(await sqliteFileProblem(file, hadData)).toBeNull();
  expect(await sqliteFileProblem(join(folder, 'none'), hadData)).toBeNull();
  await withoutLog();
  await writeFile(file, '');
  expect(await sqliteFileProblem(file)).toBeNull();
});

test('a file that another process is writing is accepted', async () => {
  await withoutLog();
  await truncate(file, 4_096);
  const problem = sqliteFileProblem(file, hadData);
  await new Promise((later) => setTimeout(later, 50));
  await copyFile(`${file}.kept`, file);
  expect(await problem).toBeNull();
});

test.each([false, true])(
  'frames with wrong checksums are damage, unless the log was reset meanwhile (%s)',
  async (wasReset) => {
    const log = await readFile(`${file}-wal`);
    const mixed = Buffer.from(log).fill(0x5a, 32 + 4_120, 32 + 4_220);
    let isRead = false;
    const now = () => (wasReset && isRead ? Buffer.alloc(32, 1) : mixed);
    const handle = {
      stat: () => Promise.resolve({ size: now().length }),
      read: (buffer: Buffer, _offset: number, length: number, position: number) => {
        const bytesRead = now().copy(buffer, 0, position, position + length);
        isRead ||= position > 0;
        return Promise.resolve({ buffer, bytesRead });
      },
    };
    expect(await damagedAt(handle as unknown as Parameters<typeof damagedAt>[0])).toBe(wasReset ? null : 32 + 4_120);
  },
);
