import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeGeneratedFolder } from './astro.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-generated-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a project that may be written to keeps what the build generates itself', async () => {
  await makeGeneratedFolder(folder);
  expect((await stat(join(folder, '.astro'))).isDirectory()).toBe(true);
});

test('a project that may not be written to has a link, and the folder behind it is made before each build', async () => {
  await mkdir(join(folder, 'project'));
  await symlink('../data/cache/generated', join(folder, 'project', '.astro'));
  await makeGeneratedFolder(join(folder, 'project'));
  await makeGeneratedFolder(join(folder, 'project'));
  expect((await stat(join(folder, 'data/cache/generated'))).isDirectory()).toBe(true);
});

test('a place that cannot be written to fails the build with a sentence that says what to do', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink('file/generated', join(folder, '.astro'));
  await expect(makeGeneratedFolder(folder)).rejects.toThrow(
    /file\/generated, which is not writable \(ENOTDIR\).*DATA_DIR/,
  );
});
