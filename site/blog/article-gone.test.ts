import { afterEach, expect, test, vi } from 'vitest';
import { isArticleGone } from './article-gone.ts';

const asked = vi.fn<(path: string) => Promise<Response>>();
vi.mock('#site/site-config.ts', () => ({ readFromApi: (path: string) => asked(path) }));
afterEach(() => asked.mockReset());

test.each([
  [410, true],
  [404, false],
  [200, false],
  [503, false],
])('the API’s answer %i says whether an article is gone: %s', async (status, isGone) => {
  asked.mockResolvedValue(new Response(null, { status }));
  expect(await isArticleGone('on-ties', '203.0.113.7')).toBe(isGone);
  expect(asked).toHaveBeenCalledExactlyOnceWith('/api/blogs/on-ties');
});

test('an article is missing, not gone, when the API doesn’t answer, and it isn’t asked about other addresses', async () => {
  asked.mockRejectedValue(new Error('no connection'));
  expect(await isArticleGone('on-ties', '203.0.113.7')).toBe(false);
  asked.mockReset();
  for (const slug of ['category/numbers', 'On_Ties', ''])
    expect([slug, await isArticleGone(slug, '203.0.113.7')]).toEqual([slug, false]);
  expect(asked).not.toHaveBeenCalled();
});
