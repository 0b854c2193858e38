import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseFiles } from '#contract/publishing.ts';
import { reportFile } from '#contract/snapshot.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { stubPages } from '#api/testing/stub-pages.ts';
import { testNow } from '#api/testing/test-app.ts';
import { brokenReleases, leftovers } from '#api/testing/whole-releases.ts';
import { rollbackRelease, buildRelease, pinnedRelease, releasePin } from './build.service.ts';
import { isWorkDue } from './jobs.queries.ts';
import { requestBuildNow, requestTakedown, runNextBuild } from './publishing.service.ts';
import { currentReleaseId, listReleases, readFacts, readManifest, releaseFolder } from './releases.service.ts';
import { projectFolder } from './source-digest.ts';
import { takedownIds } from './takedowns.queries.ts';
import { applyTakedowns } from './takedowns.service.ts';

/** The number of kills of the takedown process per database. */
const kills = Number(process.env.KILLS ?? 2);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-takedowns-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** A site with closed polls, all listed on each page. */
function createSite(db: Database) {
  const clock = fixedClock(testNow);
  const config = readConfig({ DATA_DIR: dataDir });
  const build = async (during?: () => Promise<unknown>) => {
    clock.set(clock.now() + 60_000);
    await requestBuildNow(db, clock, 'asked for');
    return runNextBuild({
      db,
      clock,
      heartbeatMs: 20,
      build: (running) =>
        buildRelease({
          clock,
          config,
          siteKey: '',
          running,
          takeSnapshot: (options) => writeSnapshot({ db, clock, settings: config, ...options }),
          async renderPages(run) {
            await stubPages()(run);
            const list = (await db('polls').orderBy('id').pluck('id'))
              .map((id: string) => `<li><a href="/poll/${id}">What about ${id}?</a></li>`)
              .join('');
            const client = join(run.folder, releaseFiles.client);
            await mkdir(join(client, 'poll'), { recursive: true });
            if (list.includes('wrong')) await writeFile(join(client, 'poll', 'wrong.png'), 'As if it were a picture.');
            await writeFile(join(client, 'historical.html'), `<ul>${list}</ul>${'<p>words</p>'.repeat(100)}`);
            await during?.();
          },
        }),
    });
  };
  const remove = (...ids: string[]) =>
    db.transaction(async (trx) => {
      await trx('ballots').whereIn('id', ids).del();
      await requestTakedown(trx, clock, ids, { reason: 'An import was undone', restart: true });
    });
  return { clock, build, remove, apply: () => applyTakedowns({ db, clock, dataDir }) };
}

/** The files of all releases whose name or content contains one of these words. */
async function filesWith(...words: string[]): Promise<string[]> {
  const found: string[] = [];
  const word = new RegExp(words.join('|'));
  for (const { id } of await listReleases(dataDir)) {
    const folder = releaseFolder(dataDir, id);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      if (word.test(entry.name) || word.test(await readFile(path, 'utf8'))) found.push(path);
    }
  }
  return found;
}

const three = [
  { id: 'first', closedAt: testNow },
  { id: 'wrong', closedAt: testNow },
  { id: 'third', closedAt: testNow },
];

eachDatabase((open) => {
  test('a deleted poll is removed from the files and lists of every kept release, and all stay complete', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { build, remove, apply } = createSite(db);
    for (let n = 0; n < 3; n += 1) await build();
    expect(await filesWith('wrong')).not.toEqual([]);
    const served = await currentReleaseId(dataDir);
    await remove('wrong');
    expect(await takedownIds(db)).toEqual(['wrong']);
    expect(await apply()).toBe(true);
    expect(await filesWith('wrong')).toEqual([]);
    expect([await currentReleaseId(dataDir), (await listReleases(dataDir)).length]).toEqual([served, 3]);
    expect(await brokenReleases(dataDir)).toEqual([]);
    expect(await leftovers(dataDir)).toEqual([]);
    for (const { id, pages } of await listReleases(dataDir)) {
      const { files } = (await readManifest(dataDir, id))!;
      expect(pages).toBe(Object.keys(files).filter((path) => path.endsWith('.html')).length);
      expect(files).toHaveProperty([reportFile('first')]);
      expect(await readFile(join(releaseFolder(dataDir, id), 'client', 'historical.html'), 'utf8')).toContain('third');
    }
    expect([await takedownIds(db), await db('build_jobs').where({ status: 'running' })]).toEqual([[], []]);
    expect(await build()).toMatchObject({ status: 'succeeded' });
    expect(await brokenReleases(dataDir)).toEqual([]);
  });

  test('[D9.16] rolling back to an older release does not restore a deleted poll', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { clock, build, remove } = createSite(db);
    const older = await build();
    await build();
    await remove('wrong');
    const id = older.status === 'succeeded' ? older.releaseId : '';
    // The poll has not been removed yet: the rollback does that first.
    expect(await rollbackRelease(db, clock, dataDir, id)).toMatchObject({ id });
    expect(await filesWith('wrong')).toEqual([]);
    expect(await brokenReleases(dataDir)).toEqual([]);
  });

  test('[D9.16] polls whose deletion was not recorded don’t reappear with an older release either', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { clock, build } = createSite(db);
    const older = await build();
    await build();
    // As deleted by an earlier version, in whose releases they may be only in lists.
    await db('ballots').whereIn('id', ['wrong', 'third']).del();
    const id = older.status === 'succeeded' ? older.releaseId : '';
    for (const ending of ['', '.br', '.gz'])
      await rm(join(releaseFolder(dataDir, id), 'client', `${reportFile('third')}${ending}`), { force: true });
    expect(await rollbackRelease(db, clock, dataDir, id)).toMatchObject({ id });
    expect(await filesWith('wrong', 'third')).toEqual([]);
    expect(await filesWith('first')).not.toEqual([]);
    expect(await takedownIds(db)).toEqual([]);
  });

  test.each(['', '{"files"', '{}'])(
    'a deleted poll is removed even from a release with a damaged manifest: "%s"',
    async (manifest) => {
      const { db } = await open();
      await seedPolls(db, three);
      const { build, remove, apply } = createSite(db);
      await build();
      const client = join(releaseFolder(dataDir, (await currentReleaseId(dataDir)) ?? ''), 'client');
      await writeFile(join(client, '..', releaseFiles.manifest), manifest);
      await remove('wrong');
      expect(await apply()).toBe(true);
      const left = (await filesWith('wrong')).filter((path) => path.startsWith(client));
      expect(left).toEqual([]);
      expect(await readFile(join(client, 'historical.html'), 'utf8')).toContain('third');
    },
  );

  test('[D9.16] a takedown that fails in one release is applied to the others and retried in this one', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { build, remove, apply } = createSite(db);
    const older = await build();
    await build();
    const id = older.status === 'succeeded' ? older.releaseId : '';
    // A folder in place of the page can’t be deleted as a file.
    const page = join(releaseFolder(dataDir, id), 'client', reportFile('wrong'));
    await rm(page);
    await mkdir(page);
    await remove('wrong');
    await expect(apply()).rejects.toThrow();
    const served = join(releaseFolder(dataDir, (await currentReleaseId(dataDir)) ?? ''), 'client');
    expect((await filesWith('wrong')).filter((path) => path.startsWith(served))).toEqual([]);
    expect(await takedownIds(db)).toEqual(['wrong']);
    await rm(page, { recursive: true });
    expect(await apply()).toBe(true);
    expect([await filesWith('wrong'), await takedownIds(db)]).toEqual([[], []]);
  });

  test('a build that read the poll before its deletion is not published', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { build, remove, apply } = createSite(db);
    await build();
    const outcome = await build(() => remove('wrong'));
    expect(outcome).toMatchObject({ status: 'failed', error: { message: publishingTexts.pollsRemoved } });
    expect(await apply()).toBe(true);
    expect(await build()).toMatchObject({ status: 'succeeded' });
    expect(await filesWith('wrong')).toEqual([]);
  });

  test('a takedown without a new build waits for the running one and applies to its release, too', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { clock, build, apply } = createSite(db);
    const outcome = await build(async () => {
      await db('ballots').where({ id: 'wrong' }).del();
      await requestTakedown(db, clock, ['wrong'], { reason: 'a poll was deleted', restart: false });
      expect(await apply()).toBe(false);
    });
    expect(outcome).toMatchObject({ status: 'succeeded' });
    expect(await filesWith('wrong')).not.toEqual([]);
    expect(await isWorkDue(db, clock.now())).toBe(true);
    expect(await apply()).toBe(true);
    expect(await filesWith('wrong')).toEqual([]);
  });

  test('a poll that is imported again is published by the next build', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { build, remove, apply } = createSite(db);
    await build();
    await remove('wrong');
    await apply();
    await seedPolls(db, [{ id: 'wrong', closedAt: testNow }]);
    await build();
    const current = (await currentReleaseId(dataDir)) ?? '';
    expect((await readManifest(dataDir, current))?.files).toHaveProperty([reportFile('wrong')]);
    expect(await brokenReleases(dataDir)).toEqual([]);
  });

  test('[D9.16] no build replaces a pinned release until it is unpinned, and deleted polls are removed from it', async () => {
    const { db } = await open();
    await seedPolls(db, three);
    const { clock, build, remove, apply } = createSite(db);
    const [older] = [await build(), await build()];
    const id = older.status === 'succeeded' ? older.releaseId : '';
    await rollbackRelease(db, clock, dataDir, id, { pin: true });
    expect(await pinnedRelease(db, dataDir)).toBe(id);
    expect(await build()).toEqual({ status: 'nothing-due' });
    expect(await isWorkDue(db, clock.now())).toBe(false);
    await remove('wrong');
    expect(await isWorkDue(db, clock.now())).toBe(true);
    expect(await apply()).toBe(true);
    expect([await filesWith('wrong'), await currentReleaseId(dataDir)]).toEqual([[], id]);

    expect(await releasePin(db, clock)).toBe(true);
    expect(await build()).toMatchObject({ status: 'succeeded', releaseId: await currentReleaseId(dataDir) });
    expect(await releasePin(db, clock)).toBe(false);
  });

  test('a release pinned during a build stays', async () => {
    const { db } = await open();
    const { clock, build } = createSite(db);
    const older = await build();
    const id = older.status === 'succeeded' ? older.releaseId : '';
    await build();
    const outcome = await build(() => rollbackRelease(db, clock, dataDir, id, { pin: true }));
    expect(outcome.status).toBe('failed');
    expect([await currentReleaseId(dataDir), await pinnedRelease(db, dataDir)]).toEqual([id, id]);
  });

  test('a pin of a release that is not in this data folder is ignored', async () => {
    const { db } = await open();
    const { clock, build } = createSite(db);
    const only = await build();
    await rollbackRelease(db, clock, dataDir, only.status === 'succeeded' ? only.releaseId : '', { pin: true });
    await rm(join(dataDir, 'releases'), { recursive: true });
    expect(await pinnedRelease(db, dataDir)).toBeNull();
    expect(await build()).toMatchObject({ status: 'succeeded' });
  });

  test('a takedown killed at any moment is finished by the next start', { timeout: 30_000 * (kills + 1) }, async () => {
    const { db, url } = await open();
    const ids = Array.from({ length: 10 + 20 * kills }, (_, n) => `poll-${String(n).padStart(3, '0')}`);
    await seedPolls(
      db,
      ids.map((id) => ({ id, closedAt: testNow })),
    );
    const { clock, build, remove, apply } = createSite(db);
    for (let n = 0; n < 3; n += 1) await build();
    const program = `
      import { systemClock } from '#platform/clock.ts';
      import { openDatabase } from '#platform/database.ts';
      import { applyTakedowns } from '#api/publishing/takedowns.service.ts';
      const db = openDatabase(${JSON.stringify(url)});
      console.log('ready');
      await applyTakedowns({ db, clock: systemClock, dataDir: ${JSON.stringify(dataDir)} });
      await db.destroy();`;
    for (let kill = 0; kill < kills; kill += 1) {
      const gone = ids.splice(0, 20);
      await remove(...gone);
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: projectFolder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      await Promise.race([once(child.stdout, 'data'), closed]);
      await pause(Math.random() * 150);
      child.kill('SIGKILL');
      await closed;
      // As if the slot of a dead process had expired.
      await db('build_jobs')
        .where({ status: 'running' })
        .update({ heartbeat_at: clock.now() - 4_000 });
      expect(await apply()).toBe(true);
      expect(await filesWith(...gone)).toEqual([]);
      expect(await brokenReleases(dataDir)).toEqual([]);
      expect(await takedownIds(db)).toEqual([]);
    }
    expect(await readFacts(dataDir, (await currentReleaseId(dataDir)) ?? '')).not.toBeNull();
  });
});
