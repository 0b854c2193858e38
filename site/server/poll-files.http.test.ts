import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenResults } from '#api/polls/polls.contract.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { createPollFiles } from './poll-files.ts';
import { securityHeaders } from './security-headers.ts';

const closed = {
  id: 'train',
  question: 'Train or plane?',
  description: '',
  options: [
    { id: 'o1', text: '=1+1', votes: 614 },
    { id: 'o2', text: 'Plane', votes: 386 },
  ],
  totalVotes: 1_000,
  isActive: false,
  createdAt: '2026-10-01T00:00:00.000Z',
  startsAt: '2026-10-01T00:00:00.000Z',
  endsAt: '2026-10-08T00:00:00.000Z',
  updatedAt: '2026-10-08T00:00:00.000Z',
  closedAt: '2026-10-08T00:00:00.000Z',
  category: 'Travel',
  tags: [],
  author: null,
  hasVoted: false,
  userVote: null,
  summary: null,
  analysis: null,
  methodologyNotes: null,
  countryBreakdown: [],
};
const open = { ...closed, id: 'open', isActive: true, closedAt: null };
const community = { ...closed, visibility: 'public' };

/** The API’s data. */
const polls: Record<string, [status: number, body: unknown]> = {
  '/api/polls/train': [200, closed],
  '/api/polls/open': [200, open],
  '/api/polls/soon?preview=token': [200, { ...open, id: 'soon' }],
  '/api/polls/gone': [410, { code: 'POLL_DELETED' }],
  '/api/polls/hurried': [429, { code: 'RATE_LIMITED' }],
  '/api/polls/broken': [500, { code: 'INTERNAL' }],
  '/api/community-polls/public': [200, community],
  '/api/community-polls/unlisted': [200, { ...community, visibility: 'unlisted' }],
  '/api/community-polls/private': [401, { code: 'PRIVATE_POLL_AUTH_REQUIRED' }],
};

let folder: string;
let api: Server;
let site: Server;
let origin: string;
let visitors: string[];
let failures: unknown[];

const listen = async (server: Server) => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-poll-files-'));
  visitors = [];
  failures = [];
  api = createServer((request, response) => {
    visitors.push(String(request.headers['x-forwarded-for']));
    const [status, body] = polls[request.url ?? ''] ?? [404, { code: 'POLL_NOT_FOUND' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const files = createPollFiles({
    apiOrigins: [await listen(api)],
    publicUrl: 'https://polls.example',
    siteName: 'Weathervane',
    pictures: folder,
    alwaysHeaders: securityHeaders('https://polls.example'),
    onApiFailure: (reason) => failures.push(reason),
    onFailure: (error) => failures.push(error),
  });
  site = createServer((request, response) => {
    if (!files.answer(request, response, (request.url ?? '').split('?')[0]!)) response.writeHead(418).end();
  });
  origin = await listen(site);
});
afterEach(async () => {
  site.closeAllConnections();
  site.close();
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(origin + path, { method, headers: { 'accept-encoding': 'identity', ...headers } });

test('the results of a closed poll are available as JSON and CSV, also to pages of other sites', async () => {
  const json = await send('/poll/train.json');
  expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const results = (await json.json()) as OpenResults;
  expect(results.totalVotes).toBe(1_000);
  expect(results.poll.report).toBe('https://polls.example/poll/train');
  const csv = await send('/poll/train.csv');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="poll-train.csv"');
  const rows = parse<Record<string, string>>(await csv.text(), { bom: true, columns: true });
  expect(rows.map(({ option, votes }) => [option, votes])).toEqual([
    ["'=1+1", '614'],
    ['Plane', '386'],
  ]);
  for (const answer of [json, csv]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test('the chart of a closed poll is an SVG that other sites may show, a pie or bars', async () => {
  const [pie, bars] = await Promise.all(['/poll/train.svg', '/poll/train.svg?chart=bar'].map((path) => send(path)));
  for (const answer of [pie!, bars!]) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'");
  }
  expect(await pie!.text()).toContain('aria-label="Train or plane? Pie chart: =1+1 61.4%, Plane 38.6%');
  expect(await bars!.text()).toContain('Bar chart: =1+1 61.4%, Plane 38.6%');
});

test('results are compressed as requested and revalidated with an ETag', async () => {
  const answers = await Promise.all(
    ['identity', 'gzip', 'br'].map((one) => send('/poll/train.csv', { 'accept-encoding': one })),
  );
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br']);
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  const tags = answers.map(({ headers }) => headers.get('etag'));
  expect(new Set(tags).size).toBe(3);
  for (const [place, encoding] of ['identity', 'gzip', 'br'].entries()) {
    const again = await send('/poll/train.csv', { 'accept-encoding': encoding, 'if-none-match': tags[place] ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  const head = await send('/poll/train.csv', {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tags[0]]);
});

test('open and missing polls have no downloadable results', async () => {
  for (const path of [
    '/poll/open.csv',
    '/poll/open.json',
    '/poll/open.svg',
    '/poll/nothing.csv',
    '/community-polls/public.csv',
  ]) {
    const answer = await send(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 404, sharingTexts.open.notFound]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('every public poll has a share picture, and other polls are not disclosed', async () => {
  for (const path of ['/poll/train.png', '/poll/open.png?v=abc', '/community-polls/public.png']) {
    const answer = await send(path.split('?')[0] ?? '');
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
    const png = Buffer.from(await answer.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
  }
  for (const path of ['/poll/nothing.png', '/community-polls/unlisted.png', '/community-polls/private.png']) {
    const answer = await send(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 404, sharingTexts.open.noPicture]);
  }
});

test('the share picture of a poll that is not published is drawn only for its preview link, and not cached', async () => {
  const picture = await send('/poll/soon/preview.png?preview=token');
  expect([picture.status, picture.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  const sample = await send('/poll/soon/preview.png?preview=token&sample');
  const [drawn, other] = [Buffer.from(await picture.arrayBuffer()), Buffer.from(await sample.arrayBuffer())];
  expect(drawn.equals(other)).toBe(false);
  for (const path of ['/poll/soon/preview.png?preview=wrong', '/poll/soon/preview.png', '/poll/soon.png?preview=token'])
    expect([path, (await send(path)).status]).toEqual([path, 404]);
});

test('the files of a deleted poll are gone', async () => {
  for (const ending of ['csv', 'json', 'png', 'svg']) expect((await send(`/poll/gone.${ending}`)).status).toBe(410);
});

test('other URLs are left to the pages', async () => {
  for (const path of [
    '/poll/train',
    '/poll/a.b.csv',
    '/poll/train.pdf',
    '/poll/%2e.csv',
    '/poll/active.json',
    '/blog/train.csv',
  ])
    expect((await send(path)).status).toBe(418);
});

test('the API receives the visitor’s address, and failures may be retried later', async () => {
  const hurried = await send('/poll/hurried.csv', { 'x-forwarded-for': '203.0.113.7' });
  expect([hurried.status, hurried.headers.get('retry-after')]).toEqual([429, '10']);
  expect(visitors).toEqual(['203.0.113.7']);
  expect((await send('/poll/broken.csv')).status).toBe(503);
  api.closeAllConnections();
  await new Promise((gone) => api.close(gone));
  expect((await send('/poll/train.json')).status).toBe(503);
  expect(failures).toEqual(['unreachable']);
});
