import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { stubPages } from '#api/testing/stub-pages.ts';
import { testNow } from '#api/testing/test-app.ts';
import { brokenReleases, leftovers } from '#api/testing/whole-releases.ts';
import { rollbackRelease, buildRelease } from './build.service.ts';
import { publishingOverview } from './overview.service.ts';
import { requestBuild, requestBuildNow, runNextBuild } from './publishing.service.ts';
import { currentReleaseId, listReleases, releaseFolder } from './releases.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-returns-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** A site whose clock advances by a minute with each build. */
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
            await during?.();
          },
        }),
    });
  };
  const releases = async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const outcome = await build();
      if (outcome.status === 'succeeded') made.push(outcome.releaseId);
    }
    return made as [string, string, string];
  };
  const served = async () => {
    const row = await db('site_releases').where({ is_current: true }).first<{ id: string }>();
    expect(row.id).toBe(await currentReleaseId(dataDir));
    return row.id;
  };
  return { clock, build, releases, served, use: (id: string) => rollbackRelease(db, clock, dataDir, id) };
}

eachDatabase((open) => {
  test('[D9.16] each of the last three releases can be rolled back to, and the next build is newer than all of them', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'one' }, { id: 'two', closedAt: testNow }]);
    const { build, releases, served, use } = createSite(db);
    const made = await releases();
    for (const id of made) {
      expect(await use(id)).toMatchObject({ id });
      expect(await served()).toBe(id);
    }
    await use(made[0]);
    const outcome = await build();
    expect(outcome).toMatchObject({ status: 'succeeded', releaseId: await served() });
    // The previous release is still read for a moment; the next build retires it.
    expect((await listReleases(dataDir)).map(({ id }) => id)).toEqual([await served(), made[2], made[1], made[0]]);
    await build();
    expect(await listReleases(dataDir)).toHaveLength(3);
    expect(await use(made[0])).toBeNull();
    expect(await brokenReleases(dataDir)).toEqual([]);
    expect(await leftovers(dataDir)).toEqual([]);
  });

  test('a rollback during a build stays: the build is canceled and leaves nothing', async () => {
    const { db } = await open();
    const { clock, build, releases, served, use } = createSite(db);
    const [, older] = await releases();
    let running = '';
    const outcome = await build(async () => {
      running = (await db('build_jobs').where({ status: 'running' }).first<{ release_id: string }>()).release_id;
      await requestBuild(db, clock, 'a poll closed');
      expect(await use(older)).toMatchObject({ id: older });
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { message: publishingTexts.overruled } });
    expect(await served()).toBe(older);
    expect(existsSync(releaseFolder(dataDir, running))).toBe(false);
    const { builds } = await publishingOverview(db, dataDir);
    // The queued build was also requested before the rollback.
    expect(builds.slice(0, 2)).toMatchObject([
      { status: 'failed', error: publishingTexts.overruled },
      { status: 'failed', error: publishingTexts.overruled },
    ]);
    expect(await build()).toMatchObject({ status: 'succeeded', releaseId: await served() });
  });

  test('a failed rollback leaves the running build alone', async () => {
    const { db } = await open();
    const { build, releases, served, use } = createSite(db);
    await releases();
    const outcome = await build(async () => expect(await use('20200101T000000Z-dead')).toBeNull());
    expect(outcome).toMatchObject({ status: 'succeeded', releaseId: await served() });
  });

  test('if a rollback and a switch coincide, the rollback wins, and the records agree', async () => {
    const { db, url } = await open();
    const other = openDatabase(url);
    try {
      const { clock, build, releases, served } = createSite(db);
      await releases();
      for (let round = 0; round < 8; round += 1) {
        const wanted = (await listReleases(dataDir)).at(-1)?.id ?? '';
        let returned: Promise<unknown> = Promise.resolve();
        await build(() => {
          const wait = round % 4;
          returned = (async () => {
            for (let turn = 0; turn < wait * 15; turn += 1) await new Promise(setImmediate);
            return rollbackRelease(other, clock, dataDir, wanted);
          })();
          return Promise.resolve();
        });
        if ((await returned) !== null) expect(await served()).toBe(wanted);
        expect(await brokenReleases(dataDir)).toEqual([]);
      }
    } finally {
      await other.destroy();
    }
  });
});
