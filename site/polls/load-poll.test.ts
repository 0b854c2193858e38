import { afterEach, expect, test, vi } from 'vitest';
import { loadPoll } from './load-poll.ts';

const poll = { id: 'a', isActive: false, closedAt: '2026-11-20T08:00:00.000Z', category: 'World & News' };
const requests: string[] = [];

function api(answer: (path: string) => Response | Error): void {
  requests.length = 0;
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    const { pathname } = new URL(url);
    const embeddedBy = headers['x-referring-host'];
    requests.push(`${pathname} ${headers['x-forwarded-for']}${embeddedBy === undefined ? '' : ` in ${embeddedBy}`}`);
    const given = answer(pathname);
    return given instanceof Error ? Promise.reject(given) : Promise.resolve(given);
  });
}
afterEach(() => vi.unstubAllGlobals());

test('[S7.15] a closed poll comes with its related polls, requested with the visitor’s address', async () => {
  api((path) => Response.json(path.includes('/related/') ? [{ id: 'b', question: 'B?', totalVotes: 1 }] : poll));
  const found = await loadPoll('a', '192.0.2.7');
  expect(found).toMatchObject({ kind: 'found', poll, related: [{ id: 'b' }] });
  expect(requests).toEqual(['/api/polls/a 192.0.2.7', '/api/polls/related/World%20%26%20News/a 192.0.2.7']);
});

test('the page that embeds a poll is reported once, with the request for the poll', async () => {
  api((path) => Response.json(path.includes('/related/') ? [] : poll));
  await loadPoll('a', '::1', { embeddedBy: 'paper.example' });
  expect(requests).toEqual(['/api/polls/a ::1 in paper.example', '/api/polls/related/World%20%26%20News/a ::1']);
});

test('[S7.15] an open poll, and one without a category, need no related polls', async () => {
  api(() => Response.json({ ...poll, isActive: true, closedAt: null }));
  expect(await loadPoll('a', '::1')).toMatchObject({ kind: 'found', related: [] });
  expect(requests).toEqual(['/api/polls/a ::1']);
  for (const category of [null, '']) {
    api(() => Response.json({ ...poll, category }));
    expect(await loadPoll('a', '::1')).toMatchObject({ kind: 'found', related: [] });
    expect(requests).toEqual(['/api/polls/a ::1']);
  }
});

test('a report is shown even if its related polls can’t be loaded', async () => {
  api((path) => (path.includes('/related/') ? new Error('gone') : Response.json(poll)));
  expect(await loadPoll('a', '::1')).toMatchObject({ kind: 'found', related: [] });
});

test('[D4.10] an unknown poll is not found, and an invalid id is not even requested', async () => {
  api(() => Response.json({ code: 'POLL_NOT_FOUND' }, { status: 404 }));
  expect(await loadPoll('a', '::1')).toEqual({ kind: 'notFound' });
  api(() => Response.json(poll));
  for (const wrong of ['', 'a/b', '../health', 'x'.repeat(81), 'ä', 'active'])
    expect(await loadPoll(wrong, '::1')).toEqual({ kind: 'notFound' });
  expect(requests).toEqual([]);
});

test('a deleted poll comes with the reason, or the poll that its address leads to', async () => {
  const deleted = { at: '2026-11-20T08:00:00.000Z', reason: 'Asked twice.', redirectTo: 'b' };
  api(() => Response.json({ code: 'POLL_DELETED', message: '', deleted }, { status: 410 }));
  expect(await loadPoll('a', '::1')).toEqual({ kind: 'deleted', ...deleted });
});

test('a failing or unreachable service makes the poll unavailable, not missing', async () => {
  api(() => new Response('', { status: 502 }));
  expect(await loadPoll('a', '::1')).toEqual({ kind: 'unavailable' });
  api(() => new TypeError('fetch failed'));
  expect(await loadPoll('a', '::1')).toEqual({ kind: 'unavailable' });
  api(() => new Response('<html>', { status: 200 }));
  expect(await loadPoll('a', '::1')).toEqual({ kind: 'unavailable' });
});
