import { expect, test } from 'vitest';
import { revalidated } from './etag.ts';

const headers = {
  'content-type': 'text/html',
  'cache-control': 'no-cache',
  'content-security-policy': "script-src 'self'",
};
const pageAt = (readAt: string, text = 'Tea or coffee?') =>
  `<astro-island uid="${readAt.replace(/\W/g, '')}" props="{&quot;readAt&quot;:[0,&quot;${readAt}&quot;]}"><p>${text}</p></astro-island>`;
const answer = (html: string, known?: string, init: ResponseInit = {}) =>
  revalidated(
    new Request('https://polls.test/poll/young', { headers: known === undefined ? {} : { 'if-none-match': known } }),
    new Response(html, { headers, ...init }),
  );

test('an unchanged page gets a 304 with all its other headers', async () => {
  const first = await answer(pageAt('2026-11-20T12:00:00.000Z'));
  const etag = first.headers.get('etag')!;
  expect([first.status, await first.text()]).toEqual([200, pageAt('2026-11-20T12:00:00.000Z')]);
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
  const again = await answer(pageAt('2026-11-20T12:05:00.000Z'), `"other", ${etag}`);
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(Object.fromEntries(again.headers)).toEqual({
    'cache-control': 'no-cache',
    'content-security-policy': "script-src 'self'",
    etag,
    vary: 'Accept-Encoding',
  });
});

test('a changed page is sent again with another ETag', async () => {
  const etag = (await answer(pageAt('2026-11-20T12:00:00.000Z'))).headers.get('etag')!;
  const changed = await answer(pageAt('2026-11-20T12:00:00.000Z', 'Tea, coffee, or cocoa?'), etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

test('uncacheable pages and 404 pages have no ETag', async () => {
  for (const init of [
    { headers: { ...headers, 'cache-control': 'private, no-store' } },
    { headers: { 'content-type': 'text/html' } },
    { status: 404 },
    { status: 503 },
  ]) {
    const { status, headers: sent } = await answer('<p>words</p>', '*', init);
    expect([status, sent.get('etag')]).toEqual([(init as ResponseInit).status ?? 200, null]);
  }
});
