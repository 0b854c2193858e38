import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadContent } from '#api/content/files.service.ts';
import { addImage } from '#api/content/image-upload.service.ts';
import { addresses } from '#api/publishing/page-data/page-data.service.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { slow } from '#api/testing/slow.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { buildFiles } from '#domain/build-files.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { digestOf } from '#site/etag.ts';
import type { Database } from '#platform/database.ts';
import { inBuilds } from './builds.ts';
import { ensureCodeBuild, pageEnvironment } from './code-build.ts';
import type { CodeBuild } from './code-build.ts';
import { startRenderer } from './renderer.ts';
import { projectFolder } from './source-digest.ts';

/** Code builds of the test run, kept for the next one of the same code. */
const dataDir = join(projectFolder, '.cache/code-builds');
const siteKey = Buffer.alloc(32, 'site key').toString('base64');
const clock = fixedClock(testNow);
const day = 86_400_000;

const configOf = (databaseUrl: string) =>
  readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'https://polls.example',
    ANALYTICS_SCRIPT: 'https://stats.example/script.js',
    ADS_SCRIPT: 'https://ads.example/a.js https://more.example',
  });

let folder: string;
beforeEach(async () => {
  // In the project, where a build finds its packages.
  await mkdir(dataDir, { recursive: true });
  folder = await mkdtemp(join(dataDir, 'pages-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Some thirty polls of every kind, community polls, and articles. */
async function fill(db: Database): Promise<void> {
  await loadContent({ db, clock });
  const { address } = await addImage({ db, clock }, 'rosa', Buffer.from(await pngFile()));
  await db('content_entries')
    .where({ name: 'about' })
    .update({ live: db.raw('live || ?', [`\n![A square](${address})\n`]) });
  const categories = ['Science', 'Food & Drink', null];
  await seedPolls(db, [
    ...Array.from({ length: 28 }, (_, i) => ({
      id: `closed-${i}`,
      question: `Is <b>№${i}</b> “enough” & good?`,
      category: categories[i % 3],
      startsAt: testNow - day * (i + 2),
      closedAt: testNow - day * (i + 1),
      votes: i % 5 === 0 ? [0, 0, 0] : [10 * i, 7, i % 2 === 0 ? 7 : 3],
      summary: i % 4 === 0 ? 'Words of the operator.' : null,
      author: i % 7 === 0 ? 'Ann' : null,
    })),
    { id: 'open-one', votes: [1, 2, 3] },
    { id: 'open-two', tags: ['demonstration'] },
    { id: 'ended', endsAt: testNow - 1_000 },
    { id: 'upcoming', startsAt: testNow + day },
  ]);
  const app = await startTestApp(db);
  const anna = await registered(app, 'anna');
  for (const visibility of ['public', 'public', 'unlisted', 'private'] as const) {
    const { id } = await made(anna, { question: `A ${visibility} poll?`, visibility });
    await castVote(visitor(app), id);
    if (visibility === 'public') await db('community_polls').where({ id }).update({ featured: true });
  }
  await app.close();
}

/** The code build of this code, without the one of a container image; those of earlier test runs go. */
async function codeBuild(databaseUrl: string): Promise<CodeBuild> {
  const code = await ensureCodeBuild({ config: configOf(databaseUrl), siteKey, imageFolder: folder });
  const builds = inBuilds(dataDir);
  for (const name of await readdir(builds))
    if (![code.id, 'node_modules'].includes(name)) await rm(join(builds, name), { recursive: true, force: true });
  return code;
}

/** The digests of what Astro makes of the data at each of these addresses, one at a time and each read anew. */
async function plainRender(code: CodeBuild, databaseUrl: string, all: readonly string[]): Promise<readonly string[]> {
  await writeFile(join(folder, 'addresses.json'), JSON.stringify(all));
  await promisify(execFile)(process.execPath, [join(projectFolder, 'api/testing/plain-render.ts')], {
    cwd: projectFolder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ENTRY: join(code.folder, buildFiles.server, buildFiles.serverEntry),
      PLAIN_FOLDER: folder,
      PAGES_NOW: String(testNow),
      ...pageEnvironment(configOf(databaseUrl)),
    },
  });
  return JSON.parse(await readFile(join(folder, 'digests.json'), 'utf8')) as string[];
}

oneDatabase((open) => {
  test('a code build needs no database, and its renderer shows what is in one', { timeout: 120_000 }, async () => {
    const code = await codeBuild('sqlite:/nowhere/at-all.sqlite');
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'tea', question: 'Tea & cake?', closedAt: testNow - day, votes: [3, 1] }]);
    const renderer = await startRenderer({ codeFolder: code.folder, config: configOf(url) });
    const textOf = async (address: string) => String((await renderer.render(address, testNow))!.content);
    expect(await textOf('/poll/tea')).toMatch(/<title>[^<]*Tea &amp; cake\?/);
    for (const missing of ['/poll/coffee', '/poll/tea.png', '/sitemap-reports-2.xml', '/blog/none', '/no/page'])
      expect(await renderer.render(missing, testNow), missing).toBeNull();
    await db('polls').where({ id: 'tea' }).update({ question: 'Coffee?' });
    expect(await textOf('/poll/tea')).toMatch(/<title>[^<]*Coffee\?/);
    await db('polls').where({ id: 'tea' }).update({ country_breakdown: '[{"name":"France","percentage":140}]' });
    await expect(renderer.render('/poll/tea', testNow)).rejects.toThrow(
      /page of poll “tea” doesn’t match the contract: Percentage/,
    );
    await renderer.close();
  });

  test(
    'reports wanted together are rendered one after another, and an error of one leaves the others alone',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      await seedPolls(
        db,
        ['tea', 'cake', 'milk'].map((id) => ({ id, closedAt: testNow - day })),
      );
      await mkdir(join(folder, buildFiles.server));
      await writeFile(
        join(folder, buildFiles.server, buildFiles.serverEntry),
        `let rendering = 0;
       export const app = {
         match: () => ({}),
         async render(request, { locals }) {
           rendering += 1;
           try {
             const { poll } = await locals.data.poll(request.url.split('/').at(-1));
             await new Promise(setImmediate);
             if (poll.id === 'cake') throw new Error('no cake');
             return new Response(poll.id + ' of ' + rendering);
           } finally {
             rendering -= 1;
           }
         },
       };`,
      );
      const renderer = await startRenderer({ codeFolder: folder, config: configOf(url) });
      const [tea, cake, milk] = await Promise.allSettled(
        ['tea', 'cake', 'milk'].map(async (id) => (await renderer.render(`/poll/${id}`, testNow))!.content),
      );
      await renderer.close();
      expect([tea, milk].map((one) => one?.status === 'fulfilled' && String(one.value))).toEqual([
        'tea of 1',
        'milk of 1',
      ]);
      expect(cake).toMatchObject({ status: 'rejected', reason: { message: 'no cake' } });
    },
  );

  test(
    'a saved page, feed, or picture is what Astro makes of the same data',
    { ...slow, timeout: 300_000 },
    async () => {
      const { db, url } = await open();
      await fill(db);
      const config = configOf(url);
      const code = await codeBuild(url);
      const all = await Array.fromAsync(addresses({ db, clock }, code.fixedAddresses));
      const plain = await plainRender(code, url, all);
      const renderer = await startRenderer({ codeFolder: code.folder, config, workers: 2 });
      const saved = await Promise.all(all.map(async (one) => (await renderer.render(one, testNow))?.content));
      await renderer.close();
      expect(all.filter((_, place) => digestOf(saved[place] ?? '') !== plain[place])).toEqual([]);
      expect(all.length).toBeGreaterThan(100);
    },
  );

  test(
    'a deleted poll or article, a private poll, and a page for one visitor are not saved',
    { timeout: 120_000 },
    async () => {
      const { db, url } = await open();
      await loadContent({ db, clock });
      await db('deleted_polls').insert([
        { id: 'gone', deleted_at: testNow, reason: 'Asked twice.', redirect_to: null },
        { id: 'moved', deleted_at: testNow, reason: 'Asked twice.', redirect_to: 'tea' },
      ]);
      await db('blog_posts').where({ slug: 'what-a-tie-means' }).update({ published: false, gone: true });
      await seedPolls(db, [{ id: 'soon', startsAt: Date.now() + day, endsAt: Date.now() + 2 * day }]);
      const code = await codeBuild(url);
      const renderer = await startRenderer({ codeFolder: code.folder, config: configOf(url) });
      const ask = async (address: string, previewOf: string | null = null) => {
        const headers = { 'accept-encoding': 'identity' };
        const visit = {
          ...{ method: 'GET', url: address, headers, body: null },
          ...{ address: '203.0.113.9', previewOf },
        };
        const { status, body, headers: own } = (await renderer.respond(visit))!;
        return [status, Object.fromEntries(own).location ?? body.toString()] as const;
      };
      for (const missing of ['/poll/gone', '/poll/moved', '/blog/what-a-tie-means', '/poll/soon'])
        expect(await renderer.render(missing, testNow), missing).toBeNull();
      await expect(renderer.render('/search', testNow)).rejects.toThrow('Cache-Control is no-store');
      expect(await ask('/poll/gone')).toEqual([410, expect.stringContaining('Asked twice.')]);
      expect(await ask('/poll/moved')).toEqual([301, '/poll/tea']);
      expect(await ask('/blog/what-a-tie-means')).toEqual([410, expect.stringContaining('noindex')]);
      expect(await ask('/poll/soon')).toEqual([404, 'Not found']);
      expect(await ask('/poll/soon?preview=x', 'soon')).toEqual([200, expect.stringContaining('noindex')]);
      expect(await ask('/poll/soon/preview?preview=x', 'soon')).toEqual([200, expect.stringContaining('noindex')]);
      // Unknown addresses: nothing is rendered.
      for (const unknown of [
        ...['/poll/soon/preview?preview=x', '/poll/soon/recount', '/embed/poll/soon', '/embed/poll/soon?preview=x'],
        ...['/community-polls/a.b', '/community-polls/a.b/recount', '/community-polls/a.b/history'],
      ])
        expect([unknown, await ask(unknown, 'other')]).toEqual([unknown, [404, 'Not found']]);
      expect((await ask('/historical?page=0'))[0]).toBe(400);
      expect((await ask('/historical/rss.xml'))[0]).toBe(200);
      await renderer.close();
    },
  );
});
