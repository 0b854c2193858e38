import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentHead, headFile, inReleases } from '#api/publishing/store.ts';
import { publishTexts, publishTree } from '#api/testing/test-releases.ts';
import { fileOf, releaseFiles, shardOf } from '#contract/publishing.ts';
import { digestOf } from '#site/etag.ts';
import { startSiteServer } from './site-server.ts';
import type { SiteEvent, SiteServer } from './site-server.ts';

let folder: string;
let site: SiteServer | undefined;
let events: SiteEvent[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-damaged-'));
  events = [];
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  await rm(folder, { recursive: true, force: true });
});

const textOf = (release: string, page: string) => `${page} of ${release}. `.repeat(60);
const pages = ['/', '/about', '/404', '/poll/tea'];
const textsOf = (release: string) => Object.fromEntries(pages.map((page) => [page, textOf(release, page)]));

/** The stored copies of a page: one for a report, otherwise uncompressed, Brotli, and gzip. */
function copies(release: string, page: string): string[] {
  const hash = digestOf(textOf(release, page));
  const shard = inReleases(folder, releaseFiles.objects, shardOf(page));
  const names = readdirSync(shard).filter((name) => name.startsWith(hash));
  return names.sort().map((name) => join(shard, name));
}

const damages: ((copy: string) => Promise<void>)[] = [
  (copy) => truncate(copy, 20),
  (copy) => writeFile(copy, 'x'.repeat(40)),
  (copy) => rm(copy),
];
const damage = (release: string, page: string) =>
  Promise.all(copies(release, page).map((copy, n) => damages[n]!(copy)));

async function start(): Promise<void> {
  site = await startSiteServer({
    port: 0,
    host: '127.0.0.1',
    releases: inReleases(folder),
    apiOrigin: 'http://127.0.0.1:9',
    publicUrl: 'http://localhost:3000',
    siteName: 'Weathervane',
    pictures: join(folder, 'pictures'),
    onEvent: (event) => events.push(event),
  });
}

async function send(path: string, encoding = 'br') {
  const answer = await fetch(`http://127.0.0.1:${site?.port}${path}`, { headers: { 'accept-encoding': encoding } });
  return { status: answer.status, text: await answer.text(), again: answer.headers.get('retry-after') };
}

const complaints = () => events.flatMap((event) => (event.kind === 'failed' ? [event.what] : []));
const errorPage = { status: 503, text: expect.stringContaining('This page is damaged') as string, again: '60' };

test.each([
  ['br', 1],
  ['identity', 0],
  ['gzip', 2],
])('a page with a damaged %s copy is sent from another copy', async (encoding, place) => {
  await publishTree(folder, textsOf('r1'));
  await truncate(copies('r1', '/about')[place]!, 20);
  await start();
  for (let n = 0; n < 2; n++)
    expect(await send('/about', encoding)).toMatchObject({ status: 200, text: textOf('r1', '/about') });
  expect(complaints()).toEqual(['a file of the release is damaged']);
});

test('a truncated, garbled, or missing page is served from an older release, and each file is logged once', async () => {
  await publishTree(folder, textsOf('r1'));
  await publishTexts(folder, textsOf('r2'));
  for (const page of ['/', '/about', '/poll/tea']) await damage('r2', page);
  await start();
  for (const encoding of ['br', 'identity', 'gzip'])
    for (const page of ['/', '/about', '/poll/tea'])
      expect(await send(page, encoding)).toMatchObject({ status: 200, text: textOf('r1', page) });
  expect(complaints()).toEqual(Array(3 + 3 + 1).fill('a file of the release is damaged'));
});

test('a report with one wrong byte is not sent, and one that was compressed differently is', async () => {
  await publishTree(folder, textsOf('r1'));
  const [copy] = copies('r1', '/poll/tea');
  const intact = await readFile(copy!);
  await start();
  // The level and the system, which are in the header.
  await writeFile(copy!, intact.with(8, 2).with(9, 255));
  expect(await send('/poll/tea', 'gzip')).toMatchObject({ status: 200, text: textOf('r1', '/poll/tea') });
  await site?.close();
  await start();
  await writeFile(copy!, intact.with(30, intact[30]! ^ 1));
  expect(await send('/poll/tea', 'gzip')).toMatchObject(errorPage);
});

test('a page that is damaged in every release gets an error page, and the others are served', async () => {
  await publishTree(folder, textsOf('r1'));
  await publishTexts(folder, { '/about': textOf('r2', '/about') });
  for (const release of ['r1', 'r2']) await damage(release, '/about');
  await start();
  expect(await send('/about')).toMatchObject(errorPage);
  expect(await send('/')).toMatchObject({ status: 200, text: textOf('r1', '/') });
});

test('a damaged page is served again once a publish has repaired it', async () => {
  await publishTree(folder, textsOf('r1'));
  await damage('r1', '/poll/tea');
  await start();
  expect(await send('/poll/tea')).toMatchObject(errorPage);
  await publishTexts(folder, { '/poll/tea': textOf('r2', '/poll/tea') });
  expect(await send('/poll/tea')).toMatchObject({ status: 200, text: textOf('r2', '/poll/tea') });
});

test('pages of a damaged part of the manifest are served from an older code build, and the others stay', async () => {
  await publishTree(folder, textsOf('r1'));
  await publishTree(folder, textsOf('r2'), { code: 'code2' });
  const part = currentHead(folder)!.shards[shardOf('/about')]!;
  await truncate(inReleases(folder, releaseFiles.manifests, `${part}.json`), 40);
  await start();
  for (let n = 0; n < 2; n++) expect(await send('/about')).toMatchObject({ status: 200, text: textOf('r1', '/about') });
  expect(await send('/')).toMatchObject({ status: 200, text: textOf('r2', '/') });
  expect(complaints()).toEqual(['a release could not be loaded']);
});

test('a removed page stays removed when its part of the manifest is damaged', async () => {
  await publishTree(folder, textsOf('r1'));
  const sameShard = Array.from({ length: 20_000 }, (_, n) => `/poll/p${n}`).find(
    (address) => shardOf(address) === shardOf('/poll/tea'),
  )!;
  await publishTexts(folder, { '/poll/tea': null, [sameShard]: 'Another report.' });
  const part = currentHead(folder)!.shards[shardOf('/poll/tea')]!;
  await truncate(inReleases(folder, releaseFiles.manifests, `${part}.json`), 40);
  await start();
  expect(await send('/poll/tea')).toMatchObject(errorPage);
  expect(await send(sameShard)).toMatchObject({ status: 200, text: 'Another report.' });
});

test('a page of a damaged part of the manifest that is in no other release gets an error page', async () => {
  await publishTree(folder, textsOf('r1'));
  const part = currentHead(folder)!.shards[shardOf('/about')]!;
  await rm(inReleases(folder, releaseFiles.manifests, `${part}.json`));
  await start();
  expect(await send('/about')).toMatchObject(errorPage);
});

test.each(['damaged', 'gone'])(
  'a service that starts on a release that is %s serves the newest complete one',
  async (how) => {
    await publishTree(folder, textsOf('r1'));
    await publishTree(folder, textsOf('r2'), { code: 'code2' });
    const id = await publishTree(folder, textsOf('r3'), { code: 'code3' });
    if (how === 'damaged') await truncate(headFile(folder, id), 50);
    else await rm(inReleases(folder, releaseFiles.trees, id), { recursive: true });
    await start();
    expect(await send('/')).toMatchObject({ status: 200, text: textOf('r2', '/') });
    expect(complaints()).toEqual(['a release could not be loaded']);
  },
);

test('a part of the manifest that could not be read for a moment is read again', async () => {
  await publishTree(folder, textsOf('r1'));
  const digest = currentHead(folder)!.shards[shardOf('/poll/tea')]!;
  const part = inReleases(folder, releaseFiles.manifests, `${digest}.json`);
  await rename(part, `${part}.kept`);
  await mkdir(part);
  await start();
  expect(await send('/poll/tea')).toMatchObject({ status: 503 });
  await rm(part, { recursive: true });
  await rename(`${part}.kept`, part);
  expect(await send('/poll/tea')).toMatchObject({ status: 200, text: textOf('r1', '/poll/tea') });
});

test('a release of an earlier version is served until the first one of this version', async () => {
  const earlier = inReleases(folder, '20261101T000000Z-abcd');
  await mkdir(join(earlier, 'client/poll'), { recursive: true });
  const files: Record<string, object> = {};
  for (const page of pages) {
    const path = fileOf(page);
    const text = textOf('earlier', page);
    await writeFile(join(earlier, 'client', path), text);
    await writeFile(join(earlier, 'client', `${path}.gz`), gzipSync(text));
    files[path] = { hash: digestOf(text), size: text.length, br: null, gz: gzipSync(text).length };
  }
  await writeFile(join(earlier, 'manifest.json'), JSON.stringify({ files }));
  const facts = { id: '20261101T000000Z-abcd', pages: 4, serverFrom: '20261101T000000Z-abcd' };
  await writeFile(join(earlier, 'release.json'), JSON.stringify(facts));
  await symlink('20261101T000000Z-abcd', inReleases(folder, releaseFiles.current));
  await start();
  for (const page of ['/', '/poll/tea'])
    for (const encoding of ['gzip', 'identity'])
      expect(await send(page, encoding)).toMatchObject({ status: 200, text: textOf('earlier', page) });
  await publishTree(folder, textsOf('r1'));
  await expect.poll(async () => (await send('/')).text).toBe(textOf('r1', '/'));
  expect(complaints()).toEqual([]);
});
