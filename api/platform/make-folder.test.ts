import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'weathervane-folder-'));
});
afterEach(() => rm(place, { recursive: true }));

test('a folder is created with the folders above it, and one that exists stays', () => {
  const folder = join(place, 'a', 'b');
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a folder below a file is refused at once', async () => {
  await writeFile(join(place, 'file'), '');
  expect(() => makeFolder(join(place, 'file', 'folder'))).toThrow(/ENOTDIR/);
  expect(() => makeFolder(join(place, 'file'))).toThrow(/EEXIST/);
});

test.runIf(process.platform === 'linux')(
  'a folder that a file system refuses with “no such file” is refused at once',
  () => {
    expect(() => makeFolder('/proc/weathervane/backups')).toThrow(/ENOENT/);
  },
);
