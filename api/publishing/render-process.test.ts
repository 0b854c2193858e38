import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { readConfig } from '#platform/config.ts';
import { placePage, readPage } from './builds.ts';
import { startRenderer } from './renderer.ts';
import type { Renderer } from './renderer.ts';

let codeFolder: string;
let renderer: Renderer | null = null;
beforeEach(async () => {
  codeFolder = await mkdtemp(join(tmpdir(), 'weathervane-renderer-'));
});
afterEach(async () => {
  await renderer?.close();
  renderer = null;
  await rm(codeFolder, { recursive: true, force: true });
});

/** Starts a renderer whose code build has this request handler. */
async function started(app: string, workers = 1, answerMs = 60_000): Promise<Renderer> {
  await mkdir(join(codeFolder, buildFiles.server));
  await writeFile(join(codeFolder, buildFiles.server, buildFiles.serverEntry), app);
  const config = readConfig({ DATA_DIR: codeFolder });
  return (renderer = await startRenderer({ codeFolder, config, workers, idleMs: 50, answerMs }));
}

/** A page that names its process. */
const page = `const page = () => new Response(String(process.pid));
  export const app = { match: () => ({}), render: (request, { locals }) => render(new URL(request.url).pathname, locals) };
`;
const pidOf = async (address: string) => Number(String((await renderer!.render(address))!.content));

test('a code build that cannot be loaded is reported at once, with the reason', async () => {
  await expect(started('throw new Error("no code");')).rejects.toThrow('no code');
});

test('pages are rendered at the same time, by as many processes as wanted', async () => {
  await started(
    `${page}let waiting = [];
     const render = (address) => new Promise((done) => {
       waiting.push(done);
       if (address === '/last') for (const one of waiting.splice(0)) one(page());
     });`,
    2,
  );
  const pids = await Promise.all(['/a', '/b', '/last', '/last'].map(pidOf));
  expect(new Set(pids).size).toBe(2);
});

test('the process that renders a page writes it as a draft if it differs from the stored one', async () => {
  await started(`${page}const render = async () => page();`);
  const client = join(codeFolder, 'client');
  const { draft, isSame } = (await renderer!.render('/a', 1, { client, write: 'durable draft' }))!;
  expect(isSame).toBe(false);
  placePage(client, '/a', draft);
  expect(String(readPage(client, '/a'))).toBe(String(await pidOf('/a')));
  const again = await renderer!.render('/a', 1, { client, write: 'durable draft' });
  expect(again).toEqual({ isSame: true, draft: null, content: null });
});

test('an error of one page leaves the others alone', async () => {
  await started(`${page}const render = async (address) => {
    if (address === '/bad') throw new TypeError('no such field');
    return address === '/none' ? new Response('Not found', { status: 404 }) : page();
  };`);
  const bad = renderer!.render('/bad').catch(String);
  expect(await renderer!.render('/none')).toBeNull();
  expect(await pidOf('/good')).toBeGreaterThan(0);
  expect(await bad).toBe('Error: no such field');
});

test('a page that ends its process is reported, and the next page has a new process', async () => {
  await started(`${page}const render = async (address) => {
    if (address === '/worst') process.exit(3);
    return page();
  };`);
  const first = await pidOf('/good');
  await expect(renderer!.render('/worst')).rejects.toThrow('exit code 3');
  expect(await pidOf('/good')).not.toBe(first);
});

test('a page that is never over ends its process, and the next page has a new one', { timeout: 60_000 }, async () => {
  const endless = "if (address === '/endless') for (;;);";
  await started(`${page}const render = async (address) => { ${endless} return page(); };`, 1, 10_000);
  const first = await pidOf('/good');
  await expect(renderer!.render('/endless')).rejects.toThrow('The renderer ended: no answer in 10 s');
  expect(await pidOf('/good')).not.toBe(first);
});

test('a visitor’s request is answered by Astro’s request handler, with an ETag and compressed', async () => {
  await started(
    `export const app = {
       match: (request) => request.url.endsWith('/none') ? undefined : {},
       async render(request, { locals, clientAddress }) {
         if (request.url.endsWith('/bad')) {
           locals.failure = new TypeError('no such field');
           return new Response(null, { status: 500 });
         }
         const text = [request.method, request.url, clientAddress, locals.data.now.slice(0, 2), await request.text()];
         return new Response('<p>' + text.join() + ' '.repeat(2000), {
           headers: { 'content-type': 'text/html', 'cache-control': request.url.endsWith('/own') ? 'no-store' : 'no-cache' },
         });
       },
     };`,
  );
  const ask = (url: string, headers = {}, form: string | null = null) =>
    renderer!.respond({
      method: form === null ? 'GET' : 'POST',
      url,
      headers,
      body: form,
      address: '203.0.113.9',
      previewOf: null,
    });
  const answer = (await ask('/poll/x/vote', { 'accept-encoding': 'gzip;q=0, br' }, 'optionId=a'))!;
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/html; charset=utf-8' });
  expect(brotliDecompressSync(answer.body).toString().trim()).toBe(
    '<p>POST,http://localhost:3000/poll/x/vote,203.0.113.9,20,optionId=a',
  );
  expect((await ask('/own'))!.headers).toContainEqual(['vary', 'Accept-Encoding']);
  const known = (await ask('/search'))!.headers.find(([name]) => name === 'etag')![1];
  expect((await ask('/search', { 'if-none-match': known }))!.status).toBe(304);
  expect(await ask('/none')).toBeNull();
  await expect(ask('/bad')).rejects.toThrow('no such field');
});

test('an idle process ends, and the next page starts another one', async () => {
  await started(`${page}const render = async () => page();`);
  const first = await pidOf('/a');
  await expect.poll(() => isRunning(first)).toBe(false);
  expect(await pidOf('/a')).not.toBe(first);
});

test('closing ends every process and rejects what is being rendered', async () => {
  await started(`${page}const render = (address) => address === '/pid' ? page() : new Promise(() => undefined);`);
  const pid = await pidOf('/pid');
  const endless = renderer!.render('/endless').catch(String);
  await renderer!.close();
  expect(isRunning(pid)).toBe(false);
  expect(await endless).toContain('The renderer ended');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
