import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, callApi, callApiOrNull } from './api.ts';

const fetchMock = vi.fn<typeof fetch>();
const answer = (status: number, body: string, statusText = '') => new Response(body, { status, statusText });
const sent = () => {
  const [url, init] = fetchMock.mock.calls[0]!;
  return { url: new URL(url as string, 'http://site.test'), init: init!, headers: new Headers(init!.headers) };
};
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error as ApiError,
  );

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('fetch', fetchMock);
});
afterEach(() => {
  fetchMock.mockReset();
  vi.unstubAllGlobals();
});

describe('requests', () => {
  test('[S7.1 S7.2] a read sends credentials, no body, and no content type', async () => {
    fetchMock.mockResolvedValue(answer(200, '{"polls":[],"total":0,"categories":["all"]}'));
    await callApi('historicalPolls', { query: { page: 2, sort: 'oldest' } });
    const { url, init, headers } = sent();
    expect(url.pathname + url.search).toBe('/api/polls/historical/paginated?page=2&sort=oldest');
    expect(init.credentials).toBe('include');
    expect(init.body).toBeUndefined();
    expect(headers.has('content-type')).toBe(false);
    expect(headers.has('x-device-id')).toBe(false);
  });

  test('[S1.4 S7.1 S7.2 S7.12] a vote sends the device id, and its choice as JSON', async () => {
    fetchMock.mockResolvedValue(answer(200, '{}'));
    await callApi('vote', { params: { id: 'a-b' }, body: { optionId: 'option-2' } });
    const { url, init, headers } = sent();
    expect(url.pathname).toBe('/api/polls/a-b/vote');
    expect(init.method).toBe('POST');
    expect(init.credentials).toBe('include');
    expect(init.body).toBe('{"optionId":"option-2"}');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-device-id')).toMatch(/^device_[0-9a-z]{36}$/);
  });

  test('[S7.1 S7.10 S7.11] open polls and statistics are fetched from a changing URL with no-cache headers', async () => {
    const clock = vi.spyOn(Date, 'now');
    for (const [name, path, moment] of [
      ['activePolls', '/api/polls/active', 1_795_000_000_000],
      ['statistics', '/api/statistics', 1_795_000_000_001],
    ] as const) {
      fetchMock.mockReset().mockResolvedValue(answer(200, '[]'));
      clock.mockReturnValue(moment);
      await callApi(name);
      const { url, init, headers } = sent();
      expect(url.pathname + url.search).toBe(`${path}?v=2&t=${moment}`);
      expect(init.credentials).toBe('include');
      expect(headers.get('cache-control')).toContain('no-cache');
      expect(headers.get('pragma')).toBe('no-cache');
      expect(headers.has('x-device-id')).toBe(name === 'activePolls');
    }
    clock.mockRestore();
  });
});

describe('failures', () => {
  test('[S7.3 D10.2] an error message has status, colon, and body, and the error has the server’s code and message', async () => {
    const body = '{"message":"You have already voted on this poll.","code":"ALREADY_VOTED","userVote":"option-1"}';
    fetchMock.mockResolvedValue(answer(409, body));
    const error = await failure(callApi('vote', { params: { id: 'x' }, body: { optionId: 'option-2' } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: `409: ${body}`,
      status: 409,
      code: 'ALREADY_VOTED',
      serverMessage: 'You have already voted on this poll.',
      body: { userVote: 'option-1' },
    });
  });

  test('[S7.3] for an empty body the error has the status text', async () => {
    fetchMock.mockResolvedValue(answer(502, '', 'Bad Gateway'));
    const error = await failure(callApi('statistics'));
    expect(error.message).toBe('502: Bad Gateway');
    expect(error.code).toBeUndefined();
  });

  test('[S7.3] a body that is not JSON is kept as text', async () => {
    fetchMock.mockResolvedValue(answer(503, '<h1>Down</h1>'));
    expect(await failure(callApi('statistics'))).toMatchObject({
      message: '503: <h1>Down</h1>',
      serverMessage: undefined,
    });
  });

  test('no response is status 0 with its own code', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await failure(callApi('statistics'))).toMatchObject({ status: 0, code: 'API_UNREACHABLE' });
  });

  test('a page instead of JSON, as sent by captive portals, counts as no response', async () => {
    fetchMock.mockResolvedValue(answer(200, '<html>Sign in to the Wi-Fi</html>'));
    expect(await failure(callApi('statistics'))).toMatchObject({ status: 0, code: 'API_UNREACHABLE' });
  });

  test('an intentional abort stays an abort', async () => {
    const controller = new AbortController();
    fetchMock.mockImplementation(() => {
      controller.abort();
      return Promise.reject(controller.signal.reason as Error);
    });
    const error = await failure(callApi('statistics', { signal: controller.signal }));
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error.name).toBe('AbortError');
  });

  test('[S7.4] 401 is an error unless the read treats it as null', async () => {
    fetchMock.mockImplementation(() => Promise.resolve(answer(401, '{"message":"no","code":"UNAUTHENTICATED"}')));
    expect(await failure(callApi('statistics'))).toMatchObject({ status: 401 });
    expect(await callApiOrNull('statistics')).toBeNull();
    fetchMock.mockReset().mockResolvedValue(answer(200, '{"totalVotes":1}'));
    expect(await callApiOrNull('statistics')).toEqual({ totalVotes: 1 });
  });
});
