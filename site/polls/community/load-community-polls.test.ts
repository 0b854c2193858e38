import { afterEach, expect, test, vi } from 'vitest';
import { loadCommunityPoll } from './load-community-polls.ts';

const poll = { id: 'a', visibility: 'public', commentCount: 2 };
const comments = [{ id: 'c2' }, { id: 'c1' }];
const requests: string[] = [];

/** A fake API that responds by path and cookie. */
function api(answer: (path: string, cookie: string | undefined) => Response | Error): void {
  requests.length = 0;
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    const { pathname, search } = new URL(url);
    requests.push([pathname + search, headers['x-forwarded-for'], headers.cookie].filter(Boolean).join(' '));
    const given = answer(pathname, headers.cookie);
    return given instanceof Error ? Promise.reject(given) : Promise.resolve(given);
  });
}
afterEach(() => vi.unstubAllGlobals());

const guest = {
  address: '192.0.2.7',
  cookie: 'theme=dark; wv_session=s1; wv_voter=v; wv_session.sig=s2; wv_sessions=x',
};
const stranger = { address: '192.0.2.7', cookie: null };
const refused = (status: number) => new Response('{"message":"A secret question?"}', { status });

test('a public poll is requested without cookies, so its page is the same for everyone', async () => {
  api((path) => Response.json(path.endsWith('/comments') ? comments : poll));
  expect(await loadCommunityPoll('a', guest)).toMatchObject({ kind: 'found', poll, comments });
  expect(requests).toEqual(['/api/community-polls/a 192.0.2.7', '/api/community-polls/a/comments?limit=20 192.0.2.7']);
});

test('a private poll is requested again with the session cookies only', async () => {
  api((path, cookie) => {
    if (cookie === undefined) return refused(401);
    return Response.json(path.endsWith('/comments') ? comments : { ...poll, visibility: 'private' });
  });
  expect(await loadCommunityPoll('a', guest)).toMatchObject({ kind: 'found', comments });
  expect(requests).toEqual([
    '/api/community-polls/a 192.0.2.7',
    '/api/community-polls/a 192.0.2.7 wv_session=s1; wv_session.sig=s2',
    '/api/community-polls/a/comments?limit=20 192.0.2.7 wv_session=s1; wv_session.sig=s2',
  ]);
});

test('on https, the session cookie has the __Host- prefix', async () => {
  api((_, cookie) => (cookie === undefined ? refused(401) : Response.json({ ...poll, commentCount: 0 })));
  const cookie = '__Host-wv_session=s1; theme=dark; __Host-wv_session.sig=s2';
  await loadCommunityPoll('a', { ...guest, cookie });
  expect(requests.at(-1)).toBe('/api/community-polls/a 192.0.2.7 __Host-wv_session=s1; __Host-wv_session.sig=s2');
});

test('a renewed session reaches the browser; anonymous pages set no cookies', async () => {
  const headers = { 'set-cookie': 'wv_session=s1; path=/; max-age=2592000' };
  api((_, cookie) =>
    Response.json({ ...poll, commentCount: 0 }, { status: cookie === undefined ? 401 : 200, headers }),
  );
  expect(await loadCommunityPoll('a', guest)).toMatchObject({ kind: 'found', setCookies: [headers['set-cookie']] });
  expect(await loadCommunityPoll('a', stranger)).toEqual({ kind: 'signIn', setCookies: [] });
});

test('a refused poll reveals nothing but the refusal', async () => {
  api(() => refused(401));
  expect(await loadCommunityPoll('a', stranger)).toEqual({ kind: 'signIn', setCookies: [] });
  expect(requests).toHaveLength(1);
  api((_, cookie) => refused(cookie === undefined ? 401 : 403));
  expect(await loadCommunityPoll('a', guest)).toEqual({ kind: 'denied', setCookies: [] });
});

test('an unknown poll is not found, and an invalid id is not even requested', async () => {
  api(() => refused(404));
  expect(await loadCommunityPoll('a', guest)).toEqual({ kind: 'notFound', setCookies: [] });
  expect(requests).toHaveLength(1);
  api(() => Response.json(poll));
  for (const wrong of ['', 'a/b', '../health', 'x'.repeat(81), 'ä'])
    expect(await loadCommunityPoll(wrong, guest)).toEqual({ kind: 'notFound', setCookies: [] });
  expect(requests).toEqual([]);
});

test('a poll without comments needs no second call, and a poll whose comments can’t be loaded is shown without them', async () => {
  api(() => Response.json({ ...poll, commentCount: 0 }));
  expect(await loadCommunityPoll('a', stranger)).toMatchObject({ kind: 'found', comments: [] });
  expect(requests).toHaveLength(1);
  api((path) => (path.endsWith('/comments') ? new Error('gone') : Response.json(poll)));
  expect(await loadCommunityPoll('a', stranger)).toMatchObject({ kind: 'found', comments: null });
});

test('a failing or unreachable service makes the poll unavailable, not missing', async () => {
  for (const answer of [new Response('', { status: 502 }), refused(429), new TypeError('fetch failed')]) {
    api(() => answer);
    expect(await loadCommunityPoll('a', stranger)).toEqual({ kind: 'unavailable', setCookies: [] });
  }
  api(() => new Response('<html>', { status: 200 }));
  expect(await loadCommunityPoll('a', stranger)).toEqual({ kind: 'unavailable', setCookies: [] });
});

test('reserved words aren’t polls, even though the API responds at these addresses', async () => {
  api(() => Response.json([]));
  for (const word of ['featured', 'categories'])
    expect(await loadCommunityPoll(word, stranger)).toEqual({ kind: 'notFound', setCookies: [] });
  expect(requests).toEqual([]);
});
