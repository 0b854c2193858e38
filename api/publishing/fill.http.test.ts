import { once as aborted } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { lockEntry } from '#api/content/entries.queries.ts';
import { loadContent } from '#api/content/files.service.ts';
import { withdraw } from '#api/content/publication.service.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { drain, fakePublishing } from '#api/testing/fake-renderer.ts';
import { filesWith, publishedPages } from '#api/testing/test-builds.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { testNow } from '#api/testing/test-app.ts';
import { buildIds, clientOf, earlierBuilds, hasPage, inBuilds, readPage, servedBuild } from './builds.ts';
import { countChanges, priorities, recordChanges } from './changes.service.ts';
import { disk, filesBelow } from './disk.ts';
import { publishingOverview } from './overview.service.ts';
import { reasonForWholeSite, setPaused, useBuild } from './state.service.ts';
import { publishDue } from './publish.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-fill-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

/** A published site of some polls; `fill` publishes it with code of this id. */
async function createSite(db: Database) {
  const clock = fixedClock(testNow);
  await seedPolls(
    db,
    Array.from({ length: 6 }, (_, n) => ({ id: `p${n}`, closedAt: testNow - n })),
  );
  const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
  const fill = async (code: string) => {
    context.pages.code = code;
    clock.set(clock.now() + 1_000);
    await recordChanges(db, clock.now(), [{ kind: 'site', key: `code ${code}` }]);
    await drain(context);
  };
  await fill('code');
  return { db, clock, context, pages: context.pages, drain: () => drain(context), fill };
}

/** A page in a build. */
const pageIn = (build: string, id: string) => readPage(clientOf(dataDir, build), `/poll/${id}`)?.toString();

eachDatabase((open, _engine, once) => {
  test('while a new build is filled, an edit is published at once in the served build, and also in the new one', async () => {
    const { db, clock, pages, fill } = await createSite((await open()).db);
    let edited = false;
    pages.building = async () => {
      await editPoll({ db, clock }, 'p1', { summary: 'While the code is built.' });
      // It is built for as long as that takes.
      await vi.waitFor(() => expect(pageIn('code', 'p1')).toContain('While the code is built.'), 10_000);
    };
    pages.before = async (_, code) => {
      if (code !== 'new' || edited) return;
      edited = true;
      await editPoll({ db, clock }, 'p2', { summary: 'While pages are rendered.' });
    };
    await fill('new');
    expect(servedBuild(dataDir)).toBe('new');
    expect(pageIn('new', 'p1')).toContain('While the code is built.');
    expect(pageIn('new', 'p2')).toContain('While pages are rendered.');
    expect(await countChanges(db)).toBe(0);
    const { builds } = await publishingOverview(db, dataDir);
    expect(builds.map(({ reason, status }) => `${reason} ${status}`)).toContain('report p1 succeeded');
  });

  test('a poll that is removed while a new build is filled is in no build any more, whatever was rendered before', async () => {
    const { db, clock, pages, fill } = await createSite((await open()).db);
    await db('polls').where({ id: 'p2' }).update({ summary: 'A very private word.' });
    await fill('code');
    let removed = false;
    const found: boolean[] = [];
    pages.before = async (address, code) => {
      if (code === 'new' && address === '/poll/p5' && !removed) {
        removed = true;
        await db('ballots').where({ id: 'p2' }).del();
        await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'p2', event: 'removed' }]);
      }
      if (code === 'code') found.push(hasPage(clientOf(dataDir, 'code'), '/poll/p2'));
    };
    await fill('new');
    expect(found.length).toBeGreaterThan(0);
    expect(pageIn('new', 'p2')).toBeUndefined();
    expect(filesWith(dataDir, 'A very private word.')).toEqual([]);
  });

  test('while files of builds are synced and deleted, an edit is published, and a publisher that dies then goes on deleting', async () => {
    const { db, clock, pages, context, drain } = await createSite((await open()).db);
    const old = join(dataDir, 'releases');
    await mkdir(old);
    const removeFolder = vi.spyOn(disk, 'removeFolder').mockImplementation(async (path) => {
      if (path !== old) return;
      await editPoll({ db, clock }, 'p1', { summary: 'Meanwhile.' });
      await vi.waitFor(() => expect(pageIn('new', 'p1')).toContain('Meanwhile.'), 10_000);
      throw new Error('died');
    });
    pages.code = 'new';
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'new code' }]);
    expect(await publishDue(context)).toMatchObject({ status: 'failed', error: { message: 'died' } });
    const left = await waitingPages(db).whereIn('queue', ['publish-site', priorities.now]).pluck('kind');
    expect([servedBuild(dataDir), left]).toEqual(['new', ['site']]);
    removeFolder.mockRestore();
    pages.rendered.length = 0;
    clock.set(testNow + 3_600_000);
    await drain();
    expect([(await readdir(dataDir)).includes('releases'), await countChanges(db)]).toEqual([false, 0]);
    expect(pages.rendered).not.toContain('/about');
  });

  once('an error while the code is built ends that, too', async () => {
    const { db, clock, pages, context } = await createSite((await open()).db);
    let isOver = false;
    const codeBuild = async (signal: AbortSignal) => {
      await db.schema.renameTable('jobs', 'elsewhere');
      await aborted(signal, 'abort');
      await db.schema.renameTable('elsewhere', 'jobs');
      isOver = true;
      return context.codeBuild(signal);
    };
    pages.code = 'new';
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'new code' }]);
    expect(await publishDue({ ...context, codeBuild })).toMatchObject({ status: 'failed' });
    expect(isOver).toBe(true);
  });

  once('a build with a page that can’t be rendered is not served, and changes go on in the one before', async () => {
    const { db, clock, pages, drain, context } = await createSite((await open()).db);
    pages.code = 'new';
    pages.before = (address, code) => {
      if (code === 'new' && address === '/poll/p5') throw new Error('a field is missing');
    };
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'new code' }]);
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    expect([servedBuild(dataDir), await countChanges(db)]).toEqual(['code', 1]);
    await editPoll({ db, clock }, 'p1', { summary: 'Meanwhile.' });
    await publishDue(context);
    expect(pageIn('code', 'p1')).toContain('Meanwhile.');
    delete pages.before;
    clock.set(testNow + 3_600_000);
    await drain();
    expect(servedBuild(dataDir)).toBe('new');
  });

  once('a pause ends the filling of a build, which goes on when publishing is resumed', async () => {
    const { db, clock, pages, drain, fill } = await createSite((await open()).db);
    let isPaused = false;
    pages.before = async (_, code) => {
      if (code === 'new' && !isPaused) await setPaused(db, clock, true);
      isPaused = true;
    };
    await fill('new');
    expect(servedBuild(dataDir)).toBe('code');
    await setPaused(db, clock, false);
    await drain();
    expect(servedBuild(dataDir)).toBe('new');
    const { builds } = await publishingOverview(db, dataDir);
    expect(builds.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  once('two earlier builds stay, with the files that open pages load, and without pages', async () => {
    const { fill } = await createSite((await open()).db);
    const files = filesBelow(clientOf(dataDir, 'code'));
    for (const code of ['b', 'c', 'd']) await fill(code);
    expect(buildIds(dataDir).sort()).toEqual(['b', 'c', 'd']);
    expect(earlierBuilds(dataDir).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(filesBelow(clientOf(dataDir, 'd')).sort()).toEqual(files.sort());
    for (const build of ['b', 'c']) expect(filesBelow(clientOf(dataDir, build))).toEqual(['_astro/app.12345678.js']);
  });

  test('going back to an earlier build renders today’s data with its code, until the code changes', async () => {
    const { db, clock, context, pages, drain, fill } = await createSite((await open()).db);
    await fill('new');
    await editPoll({ db, clock }, 'p1', { summary: 'Since then.' });
    await drain();
    const options = { db, clock, dataDir, codeId: 'new' };
    await expect(useBuild(options, 'none')).rejects.toThrow(
      'no earlier build none. Earlier builds, the last one first: code',
    );
    await expect(useBuild(options, 'new')).rejects.toThrow('being served already');
    await useBuild(options, 'code');
    await drain();
    expect(servedBuild(dataDir)).toBe('code');
    expect(pageIn('code', 'p1')).toContain('Since then.');
    // A restart of the same code changes nothing.
    expect(await reasonForWholeSite(db, dataDir, 'new')).toBeNull();
    await editPoll({ db, clock }, 'p1', { summary: 'And since then.' });
    await drain();
    expect(pageIn('code', 'p1')).toContain('And since then.');
    expect(await reasonForWholeSite(db, dataDir, 'newer')).not.toBeNull();
    pages.code = 'newer';
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'new code' }]);
    await publishDue(context);
    expect(servedBuild(dataDir)).toBe('newer');
  });

  once('a build whose pages can’t be rendered can be left again for the one that is served', async () => {
    const { db, clock, context, pages, drain, fill } = await createSite((await open()).db);
    await fill('new');
    const options = { db, clock, dataDir, codeId: 'new' };
    await useBuild(options, 'code');
    pages.before = (_, code) => {
      if (code === 'code') throw new Error('a field is missing');
    };
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    await useBuild(options, 'new');
    expect(await reasonForWholeSite(db, dataDir, 'new')).toBeNull();
    await editPoll({ db, clock }, 'p1', { summary: 'Since then.' });
    await drain();
    expect([servedBuild(dataDir), await countChanges(db)]).toEqual(['new', 0]);
    expect(pageIn('new', 'p1')).toContain('Since then.');
  });

  test('a removed poll or article has no page in any build any more, even while nothing can be rendered', async () => {
    const { db, clock, context, pages, drain, fill } = await createSite((await open()).db);
    await loadContent({ db, clock });
    await fill('code');
    const pagesLeft = () => {
      const addresses = ['/poll/p2', '/blog/what-a-tie-means', '/blog/the-missing-middle'];
      return addresses.filter((address) => hasPage(clientOf(dataDir, 'code'), address));
    };
    expect(pagesLeft()).toHaveLength(3);
    pages.before = () => {
      throw new Error('ENOSPC: no space left on device');
    };
    await db('ballots').where({ id: 'p2' }).del();
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'p2', event: 'removed' }]);
    const article = { folder: 'blog', name: 'what-a-tie-means' } as const;
    await db.transaction(async (trx) => withdraw(trx, (await lockEntry(trx, article))!, clock.now()));
    const synced = vi.spyOn(disk, 'syncFolder');
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    expect(pagesLeft()).toEqual(['/blog/the-missing-middle']);
    const folders = ['poll', 'blog'].map((name) => join(clientOf(dataDir, 'code'), name));
    expect(synced.mock.calls.flat()).toEqual(expect.arrayContaining(folders));
    expect(await countChanges(db)).toBeGreaterThan(1);
    delete pages.before;
    clock.set(clock.now() + 3_600_000);
    await drain();
    expect((await publishedPages(dataDir))['/historical']).not.toContain('"p2"');
  });

  once('an earlier build whose code can’t read the database is refused, and nothing changes', async () => {
    const { db, clock, fill } = await createSite((await open()).db);
    await fill('new');
    const facts = { id: 'code', fixedAddresses: [], files: {}, schema: '001_old.ts' };
    await writeFile(inBuilds(dataDir, 'code', buildFiles.facts), JSON.stringify(facts));
    const back = useBuild({ db, clock, dataDir, codeId: 'new' }, 'code');
    await expect(back).rejects.toThrow(
      /Build code can’t read the database: the newest migration is .+ up to 001_old.ts/,
    );
    expect([servedBuild(dataDir), await countChanges(db)]).toEqual(['new', 0]);
  });

  once(
    'rendering all pages again repairs damaged and missing files, and removes pages that should not exist',
    async () => {
      const { fill } = await createSite((await open()).db);
      const before = await publishedPages(dataDir);
      const client = clientOf(dataDir, 'code');
      await writeFile(join(client, 'poll/p1.html.gz'), 'damaged');
      await writeFile(join(client, 'index.html.br'), 'damaged');
      await rm(join(client, 'poll/p2.html.gz'));
      await rm(join(client, '_astro'), { recursive: true });
      await writeFile(join(client, 'poll/gone.html.gz'), 'left behind');
      const files = (await readdir(join(client, 'poll'))).filter((name) => name !== 'gone.html.gz');
      await fill('code');
      expect(await publishedPages(dataDir)).toEqual(before);
      expect((await readdir(join(client, 'poll'))).sort()).toEqual([...files, 'p2.html.gz'].sort());
      expect(filesBelow(client)).toContain('_astro/app.12345678.js');
    },
  );

  once('the first publish deletes the pages of version 0.2.0', async () => {
    const old = join(dataDir, 'releases/trees/20261101T000000000Z-abcd/client');
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'index.html'), 'home');
    const { db } = await createSite((await open()).db);
    expect((await readdir(dataDir)).includes('releases')).toBe(false);
    expect(await reasonForWholeSite(db, dataDir, 'code')).toBeNull();
  });
});
