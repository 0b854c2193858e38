import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { storageKey } from '#site/polls/voting/receipts.ts';
import { forgetOffline, keepOffline } from './offline-copy.ts';

afterEach(() => vi.unstubAllGlobals());

test('a receipt that is forgotten while the page is being copied leaves no copy', async () => {
  const [names, scopes] = [new Set<string>(), new Set<string>()];
  const registering: Promise<null>[] = [];
  const open = (name: string) => {
    names.add(name);
    const done = () => Promise.resolve();
    return Promise.resolve({ addAll: done, add: done, keys: () => Promise.resolve([]) });
  };
  vi.stubGlobal('caches', { open, delete: (name: string) => Promise.resolve(names.delete(name)) });
  const serviceWorker = {
    register: async (_path: string, { scope }: { scope: string }) => {
      scopes.add(scope);
      await registering[0];
    },
    getRegistration: (scope: string) => Promise.resolve({ unregister: () => Promise.resolve(scopes.delete(scope)) }),
  };
  vi.stubGlobal('navigator', { serviceWorker });
  const texts = { question: '', receipt: '', optionId: '', option: '', day: '', path: '' };
  const stored = new Map([[storageKey, JSON.stringify([{ poll: 'tea', ...texts }])]]);
  vi.stubGlobal('localStorage', { getItem: (name: string) => stored.get(name) ?? null });
  await keepOffline();
  expect([names.size, scopes.size]).toEqual([1, 1]);
  const { promise, resolve } = Promise.withResolvers<null>();
  registering.push(promise);
  const keeping = keepOffline();
  stored.clear();
  await forgetOffline();
  resolve(null);
  await keeping;
  expect([names.size, scopes.size]).toEqual([0, 0]);
});

test('the page is kept only after all the files that it has loaded', async () => {
  const kept: string[] = [];
  const cache = {
    addAll: async (paths: string[]) => {
      await Promise.resolve();
      if (paths.includes('/missing.css')) throw new TypeError('not found');
      kept.push(...paths);
    },
    add: (path: string) => Promise.resolve(kept.push(path)),
    keys: () => Promise.resolve([]),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache), delete: () => Promise.resolve() });
  const registration = { register: () => Promise.resolve(), getRegistration: () => Promise.resolve() };
  vi.stubGlobal('navigator', { serviceWorker: registration });
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('location', { origin: 'https://polls.test' });
  const loaded = ['/app.js'];
  const entries = () => loaded.map((path) => ({ name: `https://polls.test${path}`, initiatorType: 'link' }));
  vi.stubGlobal('performance', { getEntriesByType: entries });
  await keepOffline();
  expect(kept).toEqual(['/app.js', '/my-votes']);
  kept.length = 0;
  loaded.push('/missing.css');
  await expect(keepOffline()).rejects.toThrow('not found');
  expect(kept).toEqual([]);
});

test('the copy is shown without a network and while the server is down, and not instead of another response', async () => {
  let answer = (): Response => Response.error();
  let handler: ((event: object) => void) | undefined;
  runInNewContext(readFileSync('site/public/my-votes-worker.js', 'utf8'), {
    ...{ URL, Response, location: new URL('https://polls.test/my-votes') },
    addEventListener: (_type: string, listener: (event: object) => void) => (handler = listener),
    fetch: () => new Promise((resolve) => resolve(answer())),
    caches: { open: () => Promise.resolve({ match: () => Promise.resolve(new Response('copy')) }) },
  });
  const shown = async (network: () => Response) => {
    answer = network;
    let response: Promise<Response> | undefined;
    const request = { method: 'GET', url: 'https://polls.test/my-votes' };
    handler!({ request, respondWith: (given: Promise<Response>) => (response = given) });
    return (await response!).text();
  };
  const offline = () => {
    throw new TypeError('offline');
  };
  const down = [502, 503].map((status) => () => new Response('error', { status }));
  for (const network of [offline, ...down]) expect(await shown(network)).toBe('copy');
  for (const status of [200, 404, 500]) expect(await shown(() => new Response('page', { status }))).toBe('page');
});
