import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlogPost } from './blog.contract.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { startApiServer } from '#api/server.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { loadContent } from '#api/content/files.service.ts';

const head = {
  title: 'A title',
  excerpt: 'What it is about.',
  category: 'Numbers',
  author: 'The desk',
  tags: '[one, two, three]',
  featured: 'false',
  publishedAt: '2026-03-04',
};

eachDatabase((open, _engine, once) => {
  let folder: string;
  let blog: string;
  let app: TestApp | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weathervane-blog-'));
    blog = join(folder, 'blog');
    await mkdir(blog);
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const write = (slug: string, fields: Record<string, string> = {}, text = 'Some *words*.') => {
    const matter = Object.entries({ ...head, ...fields }).map(([name, value]) => `${name}: ${value}`);
    return writeFile(join(blog, `${slug}.md`), `---\n${matter.join('\n')}\n---\n\n${text}\n`);
  };
  const publish = (db: Database, now: number = testNow) => loadContent({ db, clock: fixedClock(now), folder });
  const start = async () => {
    const { db, url } = await open();
    app = await startTestApp(db);
    const get = async (path: string) => {
      const response = await app!.fetch(path);
      return { response, body: (await response.json()) as BlogPost[] & BlogPost & { code: string; message: string } };
    };
    return { db, url, get };
  };

  test('[S1.14 S3.11 S6.1 S7.16 D8.1 D10.7] the list has every article, newest first, with its text as HTML', async () => {
    const { db, get } = await start();
    await write('older', { publishedAt: '2025-01-14' });
    await write('newer', { publishedAt: '2026-10-06', updatedAt: '2026-10-08', featured: 'true' });
    await write('same-day-b');
    await write('same-day-a');
    await writeFile(
      join(blog, 'plain.md'),
      (await readFile(join(blog, 'older.md'), 'utf8'))
        .replace('featured: false\n', '')
        .replace('2025-01-14', '2025-01-13'),
    );
    await publish(db);
    const { response, body } = await get('/api/blogs');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(body.map(({ slug }) => slug)).toEqual(['newer', 'same-day-a', 'same-day-b', 'older', 'plain']);
    expect(body[0]).toEqual({
      id: expect.any(Number) as number,
      slug: 'newer',
      title: 'A title',
      excerpt: 'What it is about.',
      content: '<p>Some <em>words</em>.</p>',
      category: 'Numbers',
      author: 'The desk',
      tags: ['one', 'two', 'three'],
      featured: true,
      published: true,
      publishedAt: '2026-10-06T00:00:00.000Z',
      createdAt: new Date(testNow).toISOString(),
      updatedAt: '2026-10-08T00:00:00.000Z',
    });
    expect(body[1]?.updatedAt).toBe('2026-03-04T00:00:00.000Z');
    expect(body.at(-1)).toMatchObject({ featured: false, published: true });
  });

  once('[S1.14 S7.16] featured articles have their own endpoint', async () => {
    const { db, get } = await start();
    await write('plain');
    await write('first', { featured: 'true', publishedAt: '2026-01-01' });
    await write('second', { featured: 'true', publishedAt: '2026-02-02' });
    await publish(db);
    const { response, body } = await get('/api/blogs/featured');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(body.map(({ slug }) => slug)).toEqual(['second', 'first']);
  });

  once('[S7.16] an article is found by its slug, and an unknown slug is 404', async () => {
    const { db, get } = await start();
    await write('here');
    await publish(db);
    const found = await get('/api/blogs/here');
    expect([found.response.status, found.response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(found.body.slug).toBe('here');
    for (const slug of ['missing', 'Not_A-Slug', 'a'.repeat(200), '%00']) {
      const { response, body } = await get(`/api/blogs/${slug}`);
      expect([slug, response.status, body.code]).toEqual([slug, 404, 'BLOG_POST_NOT_FOUND']);
      expect(body.message).toBe("The blog post you're looking for doesn't exist.");
      expect(response.headers.get('cache-control')).not.toMatch(/public/);
    }
  });

  test('[S3.11 D8.1] a changed article is updated in place, and one without a file is unpublished', async () => {
    const { db, get } = await start();
    await write('stays');
    await write('goes');
    await publish(db);
    const before = (await get('/api/blogs/stays')).body;
    await write('stays', { title: 'Another title' }, 'Other words.');
    await rm(join(blog, 'goes.md'));
    await publish(db, testNow + 60_000);
    const after = (await get('/api/blogs/stays')).body;
    expect(after).toEqual(Object.assign(before, { title: 'Another title', content: '<p>Other words.</p>' }));
    expect((await get('/api/blogs/goes')).response.status).toBe(404);
    expect((await get('/api/blogs')).body).toHaveLength(1);

    await write('goes');
    await publish(db);
    expect((await get('/api/blogs/goes')).response.status).toBe(200);
    expect(await db('blog_posts').count({ n: '*' }).first()).toEqual({ n: 2 });
  });

  test('nothing is written when no article has changed', async () => {
    const { db } = await start();
    await write('one');
    await publish(db);
    const writes: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => {
      if (!/^select/i.test(sql)) writes.push(sql);
    });
    await publish(db, testNow + 60_000);
    expect(writes).toEqual([]);
    await write('one', { featured: 'true' });
    await publish(db);
    expect(writes.join('\n')).toContain('blog_posts');
  });

  test('[D8.1] two processes that publish concurrently store each article once', async () => {
    const { db, url, get } = await start();
    const other = openDatabase(url);
    for (const slug of ['one', 'two', 'three']) await write(slug);
    await Promise.all([publish(db), publish(other), publish(db), publish(other)]);
    await other.destroy();
    expect((await get('/api/blogs')).body.map(({ slug }) => slug)).toEqual(['one', 'three', 'two']);
  });

  once('a file with only a title and a text is published on the day on which it is first loaded', async () => {
    const { db, get } = await start();
    await writeFile(join(blog, 'short.md'), '---\ntitle: Short\n---\n\n## Part\n\nFew *words*.\n');
    await publish(db);
    const derived = {
      ...{ excerpt: 'Few words.', category: 'General', author: 'The editors', tags: [], featured: false },
      ...{ publishedAt: '2026-11-20T00:00:00.000Z', updatedAt: '2026-11-20T00:00:00.000Z' },
    };
    expect((await get('/api/blogs/short')).body).toMatchObject(derived);
    const day = 24 * 3_600_000;
    await publish(db, testNow + day);
    await writeFile(join(blog, 'short.md'), '---\ntitle: Shorter\n---\n\n## Part\n\nFew *words*.\n');
    await publish(db, testNow + 2 * day);
    expect((await get('/api/blogs/short')).body).toMatchObject({ ...derived, title: 'Shorter' });
  });

  once('an invalid article changes nothing, and the error names file, line, and field', async () => {
    const { db, get } = await start();
    await write('good');
    await publish(db);
    await write('good', { title: 'Changed' });
    await write('bad', { category: '""' });
    await expect(publish(db)).rejects.toThrow(
      /^content\/blog\/bad\.md, line 4: front matter, category: must not be empty/,
    );
    expect((await get('/api/blogs/good')).body.title).toBe('A title');
  });

  once('[D8.1] the articles in content/blog are all published', async () => {
    const { db, get } = await start();
    await loadContent({ db, clock: fixedClock(testNow) });
    const { body } = await get('/api/blogs');
    const files = await readdir('content/blog');
    expect(body.map(({ slug }) => `${slug}.md`).sort()).toEqual(files.sort());
    for (const { slug, title, excerpt, category, publishedAt } of body) {
      const file = await readFile(`content/blog/${slug}.md`, 'utf8');
      for (const part of [title, excerpt, category, publishedAt.slice(0, 10)]) expect(file).toContain(part);
    }
  });

  once('[D8.1] starting the service publishes changed articles', async () => {
    const { url } = await open();
    const [port, apiPort] = [await freePort(), await freePort()].map(String);
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, PORT: port, API_PORT: apiPort });
    const isAdminPassword = () => Promise.resolve(false);
    const logs = { logKeys: ['33'.repeat(32)], witnessKey: '44'.repeat(32) };
    const keys = { keys: ['a key of this test'], voterKey: 'a key of this test', ...logs };
    const service = await startApiServer({ config, ...keys, isAdminPassword, log: silentLogger });
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/blogs`);
    expect(await answer.json()).toHaveLength((await readdir('content/blog')).length);
    await service.close();
  });
});
