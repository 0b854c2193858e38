import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

const textOf = (id: string, page: string) => `${page} of ${id}. `.repeat(60);
const fileOf = (id: string, page: string) => join(folder, id, 'client', `${page}.html`);

/** A release with three pages, each also as Brotli. */
async function makeRelease(id: string): Promise<void> {
  const files: Record<string, object> = {};
  for (const page of ['index', 'about', '404']) {
    const content = Buffer.from(textOf(id, page));
    const br = brotliCompressSync(content);
    await mkdir(dirname(fileOf(id, page)), { recursive: true });
    await writeFile(fileOf(id, page), content);
    await writeFile(`${fileOf(id, page)}.br`, br);
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 27);
    files[`${page}.html`] = { hash, size: content.length, br: br.length, gz: null };
  }
  await writeFile(join(folder, id, 'manifest.json'), JSON.stringify({ files }));
  const facts = { id, createdAt: '2026-11-20T12:00:00Z', source: 's', pages: 3, bytes: 1, serverDigest: 'd' };
  await writeFile(join(folder, id, 'release.json'), JSON.stringify({ ...facts, serverFrom: id, ownAssets: [] }));
}

async function start(current: string): Promise<void> {
  await symlink(current, join(folder, 'current'), 'dir');
  site = await startSiteServer({
    port: 0,
    host: '127.0.0.1',
    releases: folder,
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

test('a page with a damaged compressed copy is sent uncompressed', async () => {
  await makeRelease('r1');
  await truncate(`${fileOf('r1', 'about')}.br`, 20);
  await start('r1');
  for (let n = 0; n < 2; n++) expect(await send('/about')).toMatchObject({ status: 200, text: textOf('r1', 'about') });
  expect(complaints()).toEqual(['a file of the release is damaged']);
});

test('a truncated, garbled, or missing page is served from an older release, and each file is logged once', async () => {
  await makeRelease('r1');
  await makeRelease('r2');
  await rm(`${fileOf('r2', 'index')}.br`);
  await truncate(fileOf('r2', 'index'), 100);
  for (const ending of ['', '.br']) await writeFile(fileOf('r2', 'about') + ending, 'x'.repeat(40));
  await start('r2');
  for (const encoding of ['br', 'identity']) {
    expect(await send('/', encoding)).toMatchObject({ status: 200, text: textOf('r1', 'index') });
    expect(await send('/about', encoding)).toMatchObject({ status: 200, text: textOf('r1', 'about') });
  }
  expect(complaints()).toEqual(Array(4).fill('a file of the release is damaged'));
});

test('a page that is damaged in every release gets an error page, and the others are served', async () => {
  await makeRelease('r1');
  await rm(fileOf('r1', 'about'));
  await rm(`${fileOf('r1', 'about')}.br`);
  await start('r1');
  expect(await send('/about')).toMatchObject({
    status: 503,
    text: expect.stringContaining('This page is damaged') as string,
    again: '60',
  });
  expect(await send('/')).toMatchObject({ status: 200, text: textOf('r1', 'index') });
});

test.each(['damaged', 'gone'])(
  'a service that starts on a release that is %s serves the newest complete one',
  async (how) => {
    for (const id of ['r1', 'r2', 'r3']) await makeRelease(id);
    if (how === 'damaged') await truncate(join(folder, 'r3', 'manifest.json'), 50);
    await start(how === 'damaged' ? 'r3' : 'r4');
    expect(await send('/')).toMatchObject({ status: 200, text: textOf(how === 'damaged' ? 'r2' : 'r3', 'index') });
    expect(complaints()).toEqual(['a release could not be loaded']);
  },
);
