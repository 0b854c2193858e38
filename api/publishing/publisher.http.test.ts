import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fixedClock, systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { silentLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { leftovers } from '#api/testing/whole-releases.ts';
import { publishingOverview } from './overview.service.ts';
import { startPublisher } from './publisher.service.ts';
import { requestBuildNow } from './publishing.service.ts';
import { releaseFolder, releasesFolder } from './releases.service.ts';

/** The digest of content/ for the publishers of these tests. */
let stamp = 'as published';
vi.mock('./content-watch.ts', async (original) => {
  const { watchContent } = await original<typeof import('./content-watch.ts')>();
  return { watchContent: (onChange: () => Promise<void>) => watchContent(onChange, () => stamp) };
});

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-publisher-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

eachDatabase((open) => {
  test('a start cleans up after a dead builder, and a builder that can’t start is reported on the page', async () => {
    const { db } = await open();
    for (const folder of [releaseFolder(dataDir, 'half-built'), join(releasesFolder(dataDir), '.removed-a-00000000')]) {
      await mkdir(join(folder, 'client'), { recursive: true });
      await writeFile(join(folder, 'client', 'index.html'), 'half a page');
    }
    await requestBuildNow(db, systemClock, 'asked for');
    const publisher = startPublisher({
      db,
      clock: systemClock,
      config: readConfig({ DATA_DIR: dataDir }),
      log: silentLogger,
      builder: ['-e', 'console.error("a package is missing"); process.exit(1)'],
    });
    try {
      await vi.waitFor(
        async () => {
          const { builds } = await publishingOverview(db, dataDir);
          expect(builds).toMatchObject([
            { status: 'failed', error: 'The build could not start: a package is missing', startedAt: null },
          ]);
        },
        { timeout: 15_000, interval: 50 },
      );
      expect(await leftovers(dataDir)).toEqual([]);
    } finally {
      await publisher.stop();
    }
  });

  test('[D9.14] changed content requests a build', async () => {
    const { db } = await open();
    const reasons = () => db('build_jobs').pluck<string[]>('reason');
    // With a fixed clock nothing becomes due.
    const publisher = startPublisher({
      db,
      clock: fixedClock(testNow),
      config: readConfig({ DATA_DIR: dataDir }),
      log: silentLogger,
    });
    try {
      const soon = { timeout: 15_000, interval: 50 };
      await vi.waitFor(async () => expect(await reasons()).toHaveLength(1), soon);
      expect(await reasons()).not.toEqual([expect.stringContaining('content changed')]);
      stamp += ', and an article more';
      await vi.waitFor(async () => expect(await reasons()).toEqual([expect.stringContaining('content changed')]), soon);
    } finally {
      await publisher.stop();
    }
  });
});
