import type { AstroGlobal } from 'astro';
import { afterEach, expect, test, vi } from 'vitest';
import { deviceIdPattern } from '#contract/vocabulary.ts';
import { castFormVote, loadSeenPoll, loadVotedPoll } from './form-vote.ts';

const device = 'device_abcdefgh01234567';
const receipt = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG';
let calls: { path: string; headers: Record<string, string>; body: unknown }[] = [];

/** A fake API that answers every request. */
function api(answer: () => Response | Error): void {
  calls = [];
  vi.stubGlobal('fetch', (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    calls.push({ path: new URL(url).pathname, headers, body: body && (JSON.parse(body) as unknown) });
    const given = answer();
    return given instanceof Error ? Promise.reject(given) : Promise.resolve(given);
  });
}
afterEach(() => vi.unstubAllGlobals());

interface Sent {
  readonly id?: string;
  readonly query?: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
}

/** What Astro tells a page about a request. */
function visit({ id = 'tea', query = '', cookies = {}, headers = {}, body, method = 'POST' }: Sent) {
  const url = new URL(`http://localhost/poll/${id}/vote${query}`);
  const request = new Request(url, {
    method,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: Object.entries(cookies)
        .map((pair) => pair.join('='))
        .join('; '),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const response = { headers: new Headers() };
  const jar = { get: (name: string) => (name in cookies ? { value: cookies[name] } : undefined) };
  const astro = { request, url, params: { id }, clientAddress: '192.0.2.7', cookies: jar, response };
  return astro as unknown as AstroGlobal;
}

const form = { cookies: { wv_device: device, wv_voter: 'v.s' }, body: 'optionId=green+tea' };
const refusal =
  (status: number, code: string, message = code) =>
  () =>
    Response.json({ code, message }, { status });

test('a vote sent as a form is the same API call as a script’s, and leads to the result page with its receipt', async () => {
  api(() => Response.json({ id: 'tea', receipt }, { headers: { 'set-cookie': 'wv_voter=new; path=/; httponly' } }));
  const headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' };
  // What a visitor says about the address doesn’t count.
  const sent = { ...headers, 'x-forwarded-for': '192.0.2.9' };
  for (const [kind, body] of [
    ['poll', { optionId: 'green tea' }],
    ['community-polls', { optionId: 'green tea', voterFingerprint: device }],
  ] as const) {
    const answer = (await castFormVote(kind, visit({ ...form, headers: sent }))) as Response;
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/${kind}/tea/voted`]);
    expect(answer.headers.getSetCookie()).toEqual([
      'wv_voter=new; path=/; httponly',
      `wv_receipt=${receipt}; Path=/${kind}/tea/voted; Max-Age=3600; HttpOnly; SameSite=Lax`,
    ]);
    const call = calls.at(-1)!;
    expect([call.path, call.body]).toEqual([`/api/${kind === 'poll' ? 'polls' : kind}/tea/vote`, body]);
    expect(call.headers).toMatchObject({
      ...headers,
      'x-forwarded-for': '192.0.2.7',
      'x-device-id': device,
      cookie: `wv_device=${device}; wv_voter=v.s`,
    });
  }
});

test('a browser without a device id gets one and sends the form again, so that two clicks are one voter', async () => {
  api(() => new Error('not expected'));
  const first = (await castFormVote('poll', visit({ body: form.body }))) as Response;
  expect([first.status, first.headers.get('location')]).toEqual([307, '/poll/tea/vote?cookie']);
  const [line] = first.headers.getSetCookie();
  expect(line).toMatch(/^wv_device=device_[0-9a-z]{36}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
  expect(/=([^;]+)/.exec(line!)![1]).toMatch(new RegExp(deviceIdPattern));
  const blocked = await castFormVote('poll', visit({ body: form.body, query: '?cookie' }));
  expect(blocked).toMatchObject({ status: 400, mayRetry: true });
  expect((blocked as { text: string }).text).toContain('we need a cookie');
  expect(calls).toEqual([]);
});

test('a form of another site is refused before it can replace the device id of the browser', async () => {
  api(() => new Error('not expected'));
  for (const from of ['cross-site', 'same-site']) {
    const refused = await castFormVote('poll', visit({ body: form.body, headers: { 'sec-fetch-site': from } }));
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('another site') as string });
  }
  expect(calls).toEqual([]);
});

test('a second vote leads to the result page, which says which one counts; a vote on a closed poll is refused', async () => {
  api(() => Response.json({ code: 'ALREADY_VOTED', message: 'm', receipt }, { status: 409 }));
  const second = (await castFormVote('poll', visit(form))) as Response;
  expect([second.status, second.headers.get('location')]).toEqual([303, '/poll/tea/voted?again']);
  expect(second.headers.getSetCookie()[0]).toContain(`wv_receipt=${receipt};`);
  api(refusal(409, 'POLL_CLOSED'));
  const late = await castFormVote('poll', visit(form));
  expect(late).toMatchObject({ status: 409, mayRetry: true, text: expect.stringContaining('ended') as string });
});

test('a vote that is not recorded is answered with the API’s status and a reason', async () => {
  const problem = async (answer: () => Response | Error, sent: Sent = form) => {
    api(answer);
    return castFormVote('poll', visit(sent));
  };
  expect(await problem(refusal(429, 'RATE_LIMITED', 'Too many'))).toMatchObject({ status: 429, text: 'Too many' });
  expect(await problem(refusal(403, 'FORBIDDEN_ORIGIN', 'Another site'))).toMatchObject({ status: 403 });
  expect(await problem(refusal(401, 'PRIVATE_POLL_AUTH_REQUIRED'))).toMatchObject({ signIn: true, mayRetry: false });
  expect(await problem(refusal(404, 'POLL_NOT_FOUND'))).toMatchObject({ status: 404, mayRetry: false });
  expect(await problem(() => new TypeError('refused'))).toMatchObject({ status: 503, mayRetry: true });
  expect(await problem(() => new Response('<html>', { status: 502 }))).toMatchObject({ status: 502 });
  const challenged = (await problem(refusal(428, 'CHALLENGE_REQUIRED'))) as { text: string };
  expect(challenged.text).toContain('needs JavaScript');
  expect(challenged).toMatchObject({ holdable: ['green tea'] });
  for (const sent of [
    { ...form, body: '' },
    { ...form, body: 'optionId=' },
    { ...form, headers: { 'content-type': 'text/plain' } },
  ]) {
    expect(await problem(() => new Error('not expected'), sent)).toMatchObject({ status: 400 });
    expect(calls).toEqual([]);
  }
  expect(await problem(() => new Error('not expected'), { ...form, id: '<b>' })).toMatchObject({ status: 404 });
  const opened = (await problem(() => new Error('not expected'), { method: 'GET' })) as Response;
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/poll/tea']);
});

test('the result page is for people who voted; others get the poll’s page', async () => {
  const poll = { id: 'tea', hasVoted: true };
  const sent: Sent = { method: 'GET', cookies: { wv_voter: 'v.s', wv_receipt: receipt } };
  api(() => Response.json(poll));
  expect(await loadVotedPoll('poll', visit(sent))).toEqual({
    ...{ poll, receipt, promise: null },
    ...{ again: false, held: false },
  });
  expect(calls.map(({ path, headers }) => [path, headers.cookie])).toEqual([
    ['/api/polls/tea', `wv_voter=v.s; wv_receipt=${receipt}`],
  ]);
  for (const answer of [() => Response.json({ ...poll, hasVoted: false }), refusal(404, 'POLL_NOT_FOUND')]) {
    api(answer);
    const other = (await loadVotedPoll('poll', visit(sent))) as Response;
    expect([other.status, other.headers.get('location')]).toEqual([303, '/poll/tea']);
  }
  for (const answer of [refusal(503, 'UNAVAILABLE'), refusal(429, 'RATE_LIMITED'), () => new TypeError('refused')]) {
    api(answer);
    expect(await loadVotedPoll('poll', visit(sent))).toBeNull();
  }
});

test('a vote that needs a confirmed address leads to its page, then to that of the code, and is sent with it', async () => {
  const step = async (answer: () => Response, fields: Record<string, string>) => {
    api(answer);
    const body = new URLSearchParams({ optionId: 'green tea', ...fields }).toString();
    return castFormVote('poll', visit({ ...form, body }));
  };
  const address = { next: { kind: 'address', optionIds: ['green tea'] } };
  expect(await step(refusal(428, 'EMAIL_REQUIRED'), {})).toMatchObject(address);
  const email = 'anna@example.org';
  const asked = () => Response.json({ request: 'asked.for' });
  const code = { next: { kind: 'code', optionIds: ['green tea'], email, request: 'asked.for' } };
  expect(await step(asked, { email })).toMatchObject({ status: 200, ...code });
  expect(calls.map(({ path, body }) => [path, body])).toEqual([['/api/vote-codes', { pollId: 'tea', email }]]);
  expect(calls[0]!.headers['x-device-id']).toBe(device);
  expect(await step(refusal(429, 'RATE_LIMITED', 'Wait.'), { email })).toMatchObject({ text: 'Wait.', ...address });

  const given = { email, request: 'asked.for', code: ' 123456 ' };
  expect(await step(refusal(403, 'EMAIL_CODE_WRONG', 'Two more tries.'), given)).toMatchObject({
    ...{ status: 403, text: 'Two more tries.' },
    ...code,
  });
  expect(await step(refusal(403, 'EMAIL_CODE_EXPIRED'), given)).toMatchObject(address);
  expect(await step(refusal(409, 'ADDRESS_USED'), given)).toMatchObject(address);
  const voted = (await step(() => Response.json({ id: 'tea', receipt }), given)) as Response;
  expect([voted.status, voted.headers.get('location')]).toEqual([303, '/poll/tea/voted']);
  expect(calls[0]!.headers['x-email-code']).toBe('asked.for.123456');
});

test('the promise about a form vote reaches the result page with the receipt', async () => {
  const promise = { nonce: 'ab', part: 'cd', result: 1, index: 0, proof: ['eA=='], note: 'signed — ünd\n' };
  for (const answer of [
    () => Response.json({ id: 'tea', receipt, promise }),
    () => Response.json({ code: 'ALREADY_VOTED', message: '', receipt, promise }, { status: 409 }),
  ]) {
    api(answer);
    const voted = (await castFormVote('poll', visit(form))) as Response;
    const [pair = ''] = voted.headers.getSetCookie()[0]!.split(';');
    api(() => Response.json({ id: 'tea', hasVoted: true }));
    const cookies = { wv_receipt: pair.slice('wv_receipt='.length) };
    expect(await loadVotedPoll('poll', visit({ method: 'GET', cookies }))).toMatchObject({ receipt, promise });
  }
  api(() => Response.json({ id: 'tea', receipt, promise: { ...promise, proof: ['x'.repeat(4_000)] } }));
  const long = (await castFormVote('poll', visit(form))) as Response;
  expect(long.headers.getSetCookie()[0]).toContain(`wv_receipt=${receipt};`);
});

test('a vote that can’t be checked is sent to be held, and its page says so', async () => {
  api(() => Response.json({ receipt }));
  const body = new URLSearchParams({ optionId: 'green tea', hold: '1' }).toString();
  const held = (await castFormVote('poll', visit({ ...form, body }))) as Response;
  expect([held.status, held.headers.get('location')]).toEqual([303, '/poll/tea/voted?held']);
  expect(calls.map(({ path, body: sent }) => [path, sent])).toEqual([
    ['/api/held-votes', { pollId: 'tea', optionId: 'green tea' }],
  ]);
  api(() => Response.json({ id: 'tea', hasVoted: true }));
  expect(await loadVotedPoll('poll', visit({ method: 'GET', query: '?held' }))).toMatchObject({ held: true });
});

const openTea = {
  ...{ id: 'tea', hasVoted: false, isActive: true, closedAt: null, startsAt: '2026-01-01T00:00:00.000Z' },
  options: [{ id: 'o1', text: 'Green', votes: 3 }],
};

test('who looks at results without voting gets a cookie that lists the poll first, on a page for nobody else', async () => {
  api(() => Response.json(openTea));
  const page = visit({ method: 'GET', cookies: { wv_voter: 'v.s', wv_seen: 'cake.tea' } });
  expect(await loadSeenPoll('poll', page)).toEqual(openTea);
  expect(calls[0]!.headers.cookie).toContain('wv_voter=v.s');
  const { headers } = page.response;
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.getSetCookie()).toEqual([`wv_seen=tea.cake; Path=/; Max-Age=${400 * 86_400}; HttpOnly; SameSite=Lax`]);
});

test('those who have voted, and polls without results to see, lead to the poll’s page, without that cookie', async () => {
  const hidden = { options: [{ id: 'o1', text: 'Green', votes: null }] };
  const upcoming = { startsAt: '2999-01-01T00:00:00.000Z' };
  for (const change of [{ hasVoted: true }, { isActive: false }, { closedAt: '2026-02-01' }, hidden, upcoming]) {
    api(() => Response.json({ ...openTea, ...change }));
    const page = visit({ method: 'GET' });
    const other = (await loadSeenPoll('poll', page)) as Response;
    expect([change, other.status, other.headers.get('location')]).toEqual([change, 303, '/poll/tea']);
    expect(page.response.headers.getSetCookie()).toEqual([]);
  }
  api(() => new Error('down'));
  const away = visit({ method: 'GET' });
  expect([await loadSeenPoll('poll', away), away.response.status]).toEqual([null, 503]);
  expect(away.response.headers.getSetCookie()).toEqual([]);
});

test('a form with several options sends all of them, and a refusal says how many the poll asks for', async () => {
  api(() => Response.json({ id: 'tea', receipt }));
  const several = { ...form, body: 'optionId=tea&optionId=coffee' };
  await castFormVote('community-polls', visit(several));
  expect(calls[0]!.body).toEqual({ optionIds: ['tea', 'coffee'], voterFingerprint: device });
  api(refusal(400, 'VALIDATION_FAILED', 'This poll asks for 3 options.'));
  expect(await castFormVote('community-polls', visit(several))).toMatchObject({
    ...{ status: 400, text: 'This poll asks for 3 options.', mayRetry: true },
  });
});
