import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileOf, releaseFiles } from '#contract/publishing.ts';
import type { StoredFile } from '#contract/publishing.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { watchDisk } from '#api/testing/watched-disk.ts';
import { disk } from './disk.ts';
import { encode, endings, storedSizes } from './encode.ts';
import { addRelease, addTree, newestState, removeEarlierReleases, removeLeftovers } from './releases.ts';
import type { FileChange } from './releases.ts';
import { Manifest } from './manifest.ts';
import { currentHead, inReleases, namePath, objectPath, releaseIds, repeatPending, storeObjects } from './store.ts';
import type { MoveGuard } from './store.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-store-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

/** A site as text by address. */
type Site = Readonly<Record<string, string>>;

const run = (work: () => void) => Promise.resolve().then(work);
const free = (): MoveGuard => ({ portion: run, finish: run });
const start = Date.parse('2026-11-20T12:00:00Z');
const release = { now: start, startedAt: start - 5, reason: 'a test', guard: free };

async function stored(address: string, text: string): Promise<StoredFile> {
  const encoded = await encode(address, Buffer.from(text));
  await storeObjects(dataDir, address, encoded, { durable: true });
  return encoded.file;
}

async function publish(site: Site, code = 'code1'): Promise<string> {
  const manifest = new Manifest(dataDir, {});
  for (const [address, text] of Object.entries(site)) manifest.set(address, await stored(address, text));
  return (await addTree(dataDir, code, manifest, release)).id;
}

/** Publishes changed texts; null removes an address. */
async function change(changes: Readonly<Record<string, string | null>>): Promise<string | null> {
  const files: FileChange[] = [];
  for (const [address, text] of Object.entries(changes))
    files.push({ address, file: text === null ? null : await stored(address, text) });
  return (await addRelease(dataDir, newestState(dataDir)!, files, release))?.id ?? null;
}

/** What a web server serves: every name with its decoded content. */
function names(): [name: string, text: string][] {
  const client = inReleases(dataDir, releaseFiles.current, releaseFiles.client);
  const found = readdirSync(client, { recursive: true, encoding: 'utf8' }).sort();
  return found
    .filter((name) => statSync(join(client, name)).isFile())
    .map((name) => [name, decoded(name, readFileSync(join(client, name))).toString()]);
}

const decoded = (name: string, content: Buffer) =>
  name.endsWith('.gz') ? gunzipSync(content) : name.endsWith('.br') ? brotliDecompressSync(content) : content;

/** The same by file; all encodings must agree. */
function served(): Site {
  const texts: Record<string, string> = {};
  for (const [name, text] of names()) {
    const file = name.replace(/\.(gz|br)$/, '');
    expect([name, texts[file] ?? text]).toEqual([name, text]);
    texts[file] = text;
  }
  return texts;
}

/** What the site service serves: contents by the manifest. */
function listed(): Site {
  const head = currentHead(dataDir)!;
  const texts: Record<string, string> = {};
  for (const [address, file] of new Manifest(dataDir, head.shards).entries()) {
    const sizes = storedSizes(file);
    for (const ending of endings)
      if (sizes[ending] !== null)
        expect(statSync(objectPath(dataDir, address, file.hash, ending)).size).toBe(sizes[ending]);
    const content = readFileSync(objectPath(dataDir, address, file.hash, file.plain ? '' : '.gz'));
    texts[fileOf(address)] = (file.plain ? content : gunzipSync(content)).toString();
  }
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const expected = (site: Site): Site =>
  Object.fromEntries(
    Object.entries(site)
      .map(([address, text]) => [fileOf(address), text] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function expectSite(site: Site): void {
  expect(served()).toEqual(expected(site));
  expect(listed()).toEqual(expected(site));
}

const long = (text: string) => `${text} `.repeat(100);
const first: Site = {
  '/': long('home'),
  '/poll/tea': long('tea'),
  '/poll/rain': long('rain'),
  '/feed.xml': '<feed/>',
  '/_astro/a.js': long('script'),
};

test('a release has every address for web servers and in its manifest', async () => {
  await publish(first);
  expectSite(first);
  expect(currentHead(dataDir)).toMatchObject({ pages: 3, code: 'code1' });
});

test('reports are stored with gzip only, other pages in every encoding', async () => {
  await publish(first);
  const tree = currentHead(dataDir)!.tree;
  const stored = (address: string) => endings.filter((ending) => existsSync(namePath(dataDir, tree, address, ending)));
  expect(stored('/poll/tea')).toEqual(['.gz']);
  expect(stored('/')).toEqual(['', '.br', '.gz']);
});

test('a change replaces, adds, and removes addresses and leaves the others alone', async () => {
  await publish(first);
  const rest = Object.fromEntries(Object.entries(first).filter(([address]) => address !== '/poll/rain'));
  await change({ '/poll/tea': long('tea 2'), '/poll/sun': long('sun'), '/poll/rain': null, '/': long('home 2') });
  expectSite({ ...rest, '/poll/tea': long('tea 2'), '/poll/sun': long('sun'), '/': long('home 2') });
  expect(currentHead(dataDir)).toMatchObject({ pages: 3 });
});

test('a publish without a difference makes no release', async () => {
  await publish(first);
  expect(await change({ '/poll/tea': first['/poll/tea']!, '/poll/none': null })).toBeNull();
  expect(releaseIds(dataDir)).toHaveLength(1);
});

test('a new code build gets a tree of its own', async () => {
  await publish(first);
  await change({ '/': long('home 2') });
  const next = { '/': long('new home'), '/poll/tea': long('tea') };
  await publish(next, 'code2');
  expectSite(next);
  await change({ '/poll/sun': long('sun') });
  expectSite({ ...next, '/poll/sun': long('sun') });
});

test('contents that neither the served release nor the one before needs are deleted, and no others', async () => {
  await publish(first);
  for (let n = 0; n < 4; n += 1) await change({ '/poll/tea': long(`tea ${n}`), '/': long(`home ${n}`) });
  const count = (folder: string) =>
    readdirSync(inReleases(dataDir, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /[\w-]{27}/.test(name),
    ).length;
  const objects = count(releaseFiles.objects);
  const parts = count(releaseFiles.manifests);
  for (let n = 0; n < 4; n += 1) await change({ '/poll/tea': long(`more ${n}`), '/': long(`more ${n}`) });
  expect([count(releaseFiles.objects), count(releaseFiles.manifests)]).toEqual([objects, parts]);
  expect(Object.keys(listed())).toHaveLength(5);
  // The last release of an older code build takes its tree with it.
  await publish({ '/': 'small' }, 'code2');
  for (let n = 0; n < 3; n += 1) await change({ '/': `small ${n}` });
  expect(readdirSync(inReleases(dataDir, releaseFiles.trees))).toHaveLength(1);
  // Those of both releases, and what the older one replaced.
  expect(count(releaseFiles.objects)).toBe(3);
});

test('random changes and code builds leave exactly the newest pages', { timeout: 60_000 }, async () => {
  let seed = 855_252;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let site: Site = { '/': long('home') };
  await publish(site);
  for (let step = 0; step < 120; step += 1) {
    const changes: Record<string, string | null> = {};
    for (let n = random(4); n >= 0; n -= 1)
      changes[`/poll/p${random(12)}`] = random(3) === 0 ? null : long(`text ${random(5)}`);
    site = Object.fromEntries(
      Object.entries({ ...site, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    await (random(10) === 0 ? publish(site, `code${step}`) : change(changes));
    expectSite(site);
  }
});

test('a change writes equally many files among 10 pages and among many', { timeout: 60_000 }, async () => {
  const written: number[] = [];
  for (const count of [10, runsSlow ? 3_000 : 300]) {
    await rm(inReleases(dataDir), { recursive: true, force: true });
    await publish(Object.fromEntries(Array.from({ length: count }, (_, n) => [`/poll/p${n}`, `poll ${n}`])));
    await change({ '/poll/p1': 'warm' });
    const operations = [vi.spyOn(disk, 'write'), vi.spyOn(disk, 'rename'), vi.spyOn(disk, 'link')];
    await change({ '/poll/p2': 'changed', '/poll/p3': 'changed, too', '/': 'home' });
    written.push(operations.reduce((sum, { mock }) => sum + mock.calls.length, 0));
    vi.restoreAllMocks();
  }
  expect(written[1]).toBe(written[0]);
});

/** KILLS=all ends the publisher before each operation, which takes half a minute, otherwise before some. */
const every = process.env.KILLS === 'all' ? 1 : runsSlow ? 5 : 15;

const scenarios: Record<string, () => Promise<unknown>> = {
  'a change': () => change({ '/poll/tea': long('tea 2'), '/poll/rain': null, '/poll/sun': 'sun', '/': long('home 2') }),
  'a new code build': () => publish({ '/': long('new'), '/poll/tea': long('tea') }, 'code2'),
};

test.each(Object.keys(scenarios))(
  'killed before any write or rename of %s, the next publisher completes or discards it',
  { timeout: 60_000 },
  async (name) => {
    const begin = async () => {
      await rm(inReleases(dataDir), { recursive: true, force: true });
      await publish(first);
      await change({ '/poll/tea': long('tea 1'), '/poll/wind': long('wind') });
    };
    await begin();
    let operations = 0;
    const restore = watchDisk((operation) => (operations = operation));
    await scenarios[name]!();
    restore();
    const done = served();
    const earliest = expected(first);

    for (let at = 1; at <= operations; at += every) {
      await begin();
      const before = served();
      // This operation and all later ones fail.
      const revive = watchDisk((operation) => {
        if (operation >= at) throw new Error('killed');
      });
      await scenarios[name]!().catch(() => undefined);
      revive();
      // Readers get whole files, each old or new.
      for (const [name, text] of names()) {
        const file = name.replace(/\.(gz|br)$/, '');
        expect([before[file], done[file], earliest[file]]).toContain(text);
      }
      listed();

      await repeatPending(dataDir, free(), () => Promise.reject(new Error('contents are gone')));
      await removeLeftovers(dataDir, free().portion);
      listed();
      expect(served()).toEqual(listed());
      await scenarios[name]!();
      expect(served(), `killed at ${at}`).toEqual(done);
      expect(listed()).toEqual(done);
      expect(existsSync(inReleases(dataDir, releaseFiles.pending))).toBe(false);
    }
  },
);

test('releases of an earlier version are served until the first publish, and then deleted', async () => {
  const old = inReleases(dataDir, '20261101T120000Z-abcd', releaseFiles.client);
  mkdirSync(old, { recursive: true });
  symlinkSync('20261101T120000Z-abcd', inReleases(dataDir, releaseFiles.current), 'dir');
  await removeEarlierReleases(dataDir);
  expect(existsSync(old)).toBe(true);
  await publish(first);
  await removeEarlierReleases(dataDir);
  expect(existsSync(old)).toBe(false);
  expectSite(first);
});

test('names move when the redo record is durable, and a publish ends when the head is', async () => {
  await publish(first);
  const spies = (['rename', 'link', 'syncFolder'] as const).map((name) => [name, vi.spyOn(disk, name)] as const);
  /** The operations so far with the names of their files. */
  const done = () =>
    spies
      .flatMap(([name, { mock }]) =>
        mock.calls.map((paths, n) => ({
          order: mock.invocationCallOrder[n]!,
          text: `${name} ${basename(paths.at(-1)!)}`,
        })),
      )
      .sort((a, b) => a.order - b.order)
      .map(({ text }) => text);
  const { tree } = currentHead(dataDir)!;
  await change({ '/': long('home 2') });
  const redo = done().indexOf('rename pending.json');
  expect(done().slice(redo, redo + 3)).toEqual(['rename pending.json', 'syncFolder records', 'syncFolder releases']);
  expect(done().findIndex((one) => one.startsWith('link'))).toBeGreaterThan(redo + 2);
  expect(done().slice(-2)).toEqual(['rename release.json', `syncFolder ${tree}`]);
  await publish(first, 'code2');
  expect(done().slice(-2)).toEqual(['rename current', 'syncFolder releases']);
});

test('a change of few pages, and deleting what it retires, is one step with the end of the job; of many pages, several', async () => {
  await publish(first);
  for (let n = 0; n < 2; n++) await change({ '/': long(`home ${n}`) });
  const publishWith = async (changes: Site) => {
    const portion = vi.fn(run);
    const files: FileChange[] = [];
    for (const [address, text] of Object.entries(changes)) files.push({ address, file: await stored(address, text) });
    await addRelease(dataDir, newestState(dataDir)!, files, { ...release, guard: () => ({ portion, finish: run }) });
    return portion.mock.calls.length;
  };
  const [oldest] = releaseIds(dataDir).slice(-1);
  expect(await publishWith({ '/': long('home'), '/poll/tea': long('tea') })).toBe(0);
  expect(releaseIds(dataDir)).toHaveLength(2);
  expect(releaseIds(dataDir)).not.toContain(oldest);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`/poll/p${n}`, `poll ${n}`]));
  expect(await publishWith(many)).toBeGreaterThan(2);
  expectSite({ ...first, '/': long('home'), '/poll/tea': long('tea'), ...many });
});

test('a publisher that lost its job moves no further names and deletes nothing', async () => {
  await publish(first);
  const lost = (): MoveGuard => ({
    portion: () => Promise.reject(new Error('the job was taken')),
    finish: () => Promise.reject(new Error('the job was taken')),
  });
  const files = [{ address: '/', file: await stored('/', long('home 2')) }];
  const state = newestState(dataDir)!;
  await expect(addRelease(dataDir, state, files, { ...release, guard: lost })).rejects.toThrow('taken');
  expectSite(first);
});

test('release ids sort by age, also within one millisecond and after the clock was set back', async () => {
  await publish(first);
  const ids = [];
  for (const text of ['a', 'b', 'c', 'd']) ids.push(await change({ '/': text }));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(4);
});
