import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReleaseFacts } from '#contract/publishing.ts';
import { compressRelease } from './compress.ts';
import {
  currentReleaseId,
  linkPackages,
  listReleases,
  newReleaseId,
  releaseFolder,
  releasesFolder,
  removeLeftovers,
  retireReleases,
  switchTo,
  writeFacts,
} from './releases.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-releases-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function makeRelease(id: string, more: Partial<ReleaseFacts> = {}): Promise<void> {
  const client = join(releaseFolder(dataDir, id), 'client');
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, 'index.html'), id);
  writeFileSync(join(client, '404.html'), 'lost');
  const facts = { id, createdAt: '2026-11-20T12:00:00Z', source: 's', pages: 2, bytes: 9, ...more };
  await writeFacts(dataDir, { serverDigest: 'd', serverFrom: id, ownAssets: [], ...facts }, { files: {} }, new Map());
}

test('[D9.15] at every moment during many switches there is exactly one complete release', async () => {
  await makeRelease('a');
  await makeRelease('b');
  await switchTo(dataDir, 'a');
  const page = join(dataDir, 'releases', 'current', 'client', 'index.html');
  let switching = true;
  const seen = new Set<string>();
  const read = async () => {
    while (switching) {
      seen.add(readFileSync(page, 'utf8'));
      await new Promise(setImmediate);
    }
  };
  const reading = read();
  for (let i = 0; i < 200; i += 1) await switchTo(dataDir, i % 2 === 0 ? 'b' : 'a');
  switching = false;
  await reading;
  expect([...seen].sort()).toEqual(['a', 'b']);
});

test('ids of releases sort by age', () => {
  const first = newReleaseId(Date.parse('2026-11-20T12:00:00Z'));
  expect(first).toMatch(/^20261120T120000Z-[0-9a-f]{4}$/);
  expect(first < newReleaseId(Date.parse('2026-11-20T12:00:01Z'))).toBe(true);
});

test('[D9.16] only the newest releases are kept', async () => {
  for (const id of ['a', 'b', 'c', 'd']) await makeRelease(id);
  await switchTo(dataDir, 'd');
  expect(await retireReleases(dataDir, 3, ['d'])).toEqual(['d', 'c', 'b']);
  expect((await listReleases(dataDir)).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
  await removeLeftovers(dataDir, () => Promise.resolve(null));
  expect(readdirSync(releasesFolder(dataDir)).sort()).toEqual(['b', 'c', 'current', 'd']);
});

test('leftovers of a dead builder are deleted; complete, current, and unfinished releases stay', async () => {
  await linkPackages(dataDir, dataDir);
  for (const id of ['a', 'b']) await makeRelease(id);
  await switchTo(dataDir, 'a');
  for (const id of ['half-built', 'being-built'])
    mkdirSync(join(releaseFolder(dataDir, id), 'client'), { recursive: true });
  mkdirSync(join(releasesFolder(dataDir), '.removed-x-00000000', 'client'), { recursive: true });
  for (const name of ['.current-0123abcd', '.current-4567cdef', 'node_modules-0123abcd'])
    symlinkSync('a', join(releasesFolder(dataDir), name));
  for (const name of ['.current-0123abcd', 'node_modules-0123abcd'])
    lutimesSync(join(releasesFolder(dataDir), name), 1, 1);
  await removeLeftovers(dataDir, () => Promise.resolve('being-built'));
  // The other link may belong to another process that is about to switch.
  expect(readdirSync(releasesFolder(dataDir)).sort()).toEqual(
    ['.current-4567cdef', 'a', 'b', 'being-built', 'current', 'node_modules'].sort(),
  );
});

test('[D9.16] a release that was rolled back to is kept, however old it is', async () => {
  for (const id of ['a', 'b', 'c', 'd']) await makeRelease(id);
  await switchTo(dataDir, 'a');
  expect(await retireReleases(dataDir, 3, ['a'])).toEqual(['d', 'c', 'b', 'a']);
  expect(await currentReleaseId(dataDir)).toBe('a');
});

test('server code used by a kept release outlives the pages of its own release', async () => {
  await makeRelease('a');
  mkdirSync(join(releaseFolder(dataDir, 'a'), 'server'));
  writeFileSync(join(releaseFolder(dataDir, 'a'), 'server', 'entry.mjs'), 'export {}');
  for (const id of ['b', 'c', 'd']) await makeRelease(id, { serverFrom: 'a' });
  await retireReleases(dataDir, 3, ['d']);
  expect(existsSync(join(releaseFolder(dataDir, 'a'), 'server', 'entry.mjs'))).toBe(true);
  expect(existsSync(join(releaseFolder(dataDir, 'a'), 'client', '404.html'))).toBe(true);
  expect(existsSync(join(releaseFolder(dataDir, 'a'), 'client', 'index.html'))).toBe(false);
  expect((await listReleases(dataDir)).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
});

test('an unchanged file is the same file on disk, with its compressed copies', async () => {
  const text = 'a page about very little, '.repeat(60);
  const [before, after] = [join(dataDir, 'before'), join(dataDir, 'after')];
  for (const folder of [before, after]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'same.html'), text);
    writeFileSync(join(folder, 'tiny.html'), 'tiny');
    writeFileSync(join(folder, 'changed.html'), text + folder);
  }
  const first = await compressRelease({ client: before, previous: null });
  const second = await compressRelease({ client: after, previous: { client: before, manifest: first } });
  expect(second.files['same.html']).toEqual(first.files['same.html']);
  expect(second.files['changed.html']?.hash).not.toBe(first.files['changed.html']?.hash);
  expect(second.files['tiny.html']).toMatchObject({ size: 4, br: null, gz: null });
  for (const name of ['same.html', 'same.html.br', 'same.html.gz'])
    expect(statSync(join(after, name)).ino).toBe(statSync(join(before, name)).ino);
  expect(statSync(join(after, 'changed.html.br')).ino).not.toBe(statSync(join(before, 'changed.html.br')).ino);
  expect(realpathSync(after)).toBe(after);
});
