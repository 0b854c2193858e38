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

test('a writable project contains the generated files', async () => {
  await makeGeneratedFolder(folder);
  expect((await stat(join(folder, '.astro'))).isDirectory()).toBe(true);
});

test('[D1.6] a read-only project has a link, and its target folder is created before each build', async () => {
  await mkdir(join(folder, 'project'));
  await symlink('../data/cache/generated', join(folder, 'project', '.astro'));
  await makeGeneratedFolder(join(folder, 'project'));
  await makeGeneratedFolder(join(folder, 'project'));
  expect((await stat(join(folder, 'data/cache/generated'))).isDirectory()).toBe(true);
});

test('an unwritable folder fails the build with advice', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink('file/generated', join(folder, '.astro'));
  await expect(makeGeneratedFolder(folder)).rejects.toThrow(
    /file\/generated, which is not writable \(ENOTDIR\).*DATA_DIR/,
  );
});
