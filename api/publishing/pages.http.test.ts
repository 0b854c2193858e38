import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { PageAnswer, PageRequest } from '#api/publishing/page-data/page-data.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { silentLogger } from '#platform/logger.ts';
import { servePages } from './pages.routes.ts';
import { RendererEnded } from './renderer.ts';

const answered = (text: string, headers: PageAnswer['headers'] = [['content-type', 'text/html']]): PageAnswer => ({
  ...{ status: 200, headers },
  body: Buffer.from(text),
});

oneDatabase((open) => {
  /** An API whose renderer answers like this; `code` is the folder that is served. */
  async function started(respond: (request: PageRequest) => Promise<PageAnswer | null>, isLimited = false) {
    const { db } = await open();
    const seen = { code: '/code/1' as string | null, begun: [] as string[], ended: [] as string[] };
    const pages = servePages({
      servedCode: () => seen.code,
      start(folder) {
        seen.begun.push(folder);
        const close = () => Promise.resolve(void seen.ended.push(folder));
        return Promise.resolve({ respond, render: () => Promise.resolve(null), close });
      },
      ...{ log: silentLogger, isLimited },
    });
    return { app: await startTestApp(db, { pages: (hooks) => pages.serve(hooks) }), pages, seen };
  }

  test('a page is rendered for its visitor, with cookies and address, and its headers are sent', async () => {
    let request: PageRequest | null = null;
    const { app, seen } = await started((asked) => {
      request = asked;
      return Promise.resolve(
        answered('hello', [
          ['content-type', 'text/html'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ]),
      );
    });
    expect(seen.begun).toEqual([]);
    const headers = { cookie: 'session=x', 'x-forwarded-for': '203.0.113.9' };
    const page = await app.fetch('/search?q=tea', { headers });
    expect([page.status, await page.text(), page.headers.getSetCookie()]).toEqual([200, 'hello', ['a=1', 'b=2']]);
    expect(request).toMatchObject({ method: 'GET', url: '/search?q=tea', address: '203.0.113.9', body: null });
    expect(request!.headers).toMatchObject({ cookie: 'session=x' });
    // The answer to the form of another site is a page, too.
    const foreign = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    await app.fetch('/poll/tea/vote', { method: 'POST', headers: foreign, body: 'optionId=a' });
    expect(request).toMatchObject({ method: 'POST', body: 'optionId=a' });
    expect(seen.begun).toEqual(['/code/1']);
  });

  test('redirects are empty, and an address without a page is missing', async () => {
    const { app } = await started(({ url }) =>
      Promise.resolve(url === '/old' ? { status: 301, headers: [['location', '/new']], body: Buffer.alloc(0) } : null),
    );
    const moved = await app.fetch('/old', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location'), moved.headers.get('content-type')]).toEqual([
      ...[301, '/new', null],
    ]);
    expect((await app.fetch('/none')).status).toBe(404);
    expect((await app.fetch('/api/none')).headers.get('content-type')).toContain('json');
  });

  test('a visitor over the limit is refused before anything is rendered', async () => {
    let rendered = 0;
    const { app } = await started(() => {
      rendered += 1;
      return Promise.resolve(answered('x'));
    }, true);
    for (let one = 0; one < rateLimits.read.points; one += 1) await app.fetch('/search');
    const refused = await app.fetch('/search');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(rendered).toBe(rateLimits.read.points);
    const other = await app.fetch('/search', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(other.status).toBe(200);
  });

  test('if the renderer is dead, pages answer 503 and calls still work', async () => {
    const { app } = await started(() => Promise.reject(new RendererEnded('exit code 3')));
    const page = await app.fetch('/search');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await app.fetch('/api/polls/active')).status).toBe(200);
  });

  test('an error of a page is a failure of that page alone', async () => {
    const { app } = await started(({ url }) =>
      url === '/bad' ? Promise.reject(new Error('no such field')) : Promise.resolve(answered('good')),
    );
    expect((await app.fetch('/bad')).status).toBe(500);
    expect(await (await app.fetch('/good')).text()).toBe('good');
  });

  test('before the first publish, pages answer 503', async () => {
    const { app, seen } = await started(() => Promise.resolve(answered('x')));
    seen.code = null;
    expect((await app.fetch('/search')).status).toBe(503);
    seen.code = '/code/1';
    expect((await app.fetch('/search')).status).toBe(200);
  });

  test('eight pages are rendered at once, and the others wait', async () => {
    const held: (() => void)[] = [];
    const { app } = await started(() => new Promise((done) => held.push(() => done(answered('x')))));
    const pages = Promise.all(Array.from({ length: 20 }, () => app.fetch('/search').then(({ status }) => status)));
    let all = 0;
    while (all < 20) {
      await expect.poll(() => held.length).toBe(Math.min(8, 20 - all));
      all += held.length;
      for (const done of held.splice(0)) done();
    }
    expect(await pages).toEqual(Array<number>(20).fill(200));
  });

  test('another code build that is served replaces the renderer, and closing ends it', async () => {
    const { app, pages, seen } = await started(() => Promise.resolve(answered('x')));
    await app.fetch('/search');
    seen.code = '/code/2';
    await expect
      .poll(async () => ((await app.fetch('/search')).status === 200 ? seen.begun : []), { timeout: 4_000 })
      .toEqual(['/code/1', '/code/2']);
    await pages.close();
    expect(seen.ended).toContain('/code/2');
  });
});
