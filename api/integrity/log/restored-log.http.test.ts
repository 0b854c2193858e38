import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { moveDatabase } from '#api/backup/move.service.ts';
import { restoreBackup } from '#api/backup/restore.service.ts';
import { takeBackup } from '#api/backup/backup.service.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { emptyPlaces } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter, recountPublished } from '#api/testing/vote-logs.ts';
import { setAside } from '#api/voting/decisions.service.ts';
import { tick } from './tick.service.ts';

const empty = emptyPlaces();
const hour = 3_600_000;
const onProgress = () => undefined;
const copyName = join('integrity', 'checkpoints.jsonl');

oneDatabase((open, engine) => {
  const opened: Database[] = [];
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.destroy();
  });

  /** A site with 40 votes on an open poll, of which 30 are in the log. */
  async function createSite() {
    const { db, url } = await open();
    const dataDir = await empty.folder();
    const clock = fixedClock(testNow);
    await seedPolls(db, [{ id: 'tea' }]);
    const writer = logWriter(db, clock, { dataDir });
    await tick(writer);
    await castVotes(db, 'tea', 'o1', 40);
    clock.set(testNow + hour);
    await tick(writer);
    return { db, url, dataDir, clock, writer };
  }

  /** Closes the poll of a database, and recounts it. */
  async function finish(url: string, dataDir: string, clock: ReturnType<typeof fixedClock>) {
    const db = openDatabase(url);
    opened.push(db);
    // The lease in the database has expired.
    clock.set(clock.now() + hour);
    const writer = logWriter(db, clock, { dataDir });
    await tick(writer);
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    const app = await startTestApp(db, { clock });
    const result = await recountPublished(app, 'tea');
    await app.close();
    const origins = await db('vote_logs').whereNull('ballot_id').orderBy('key').pluck<string[]>('origin');
    return { verdict: result.verdict, counted: result.tally?.counted, origins };
  }

  const restored = async (site: Awaited<ReturnType<typeof createSite>>, { withCopy }: { withCopy: boolean }) => {
    const { path } = await takeBackup({
      config: { databaseUrl: site.url, dataDir: site.dataDir },
      ...{ clock: site.clock, folder: await empty.folder(), onProgress },
    });
    const place = await empty.place(engine);
    if (withCopy) {
      await mkdir(join(place.dataDir, 'integrity'));
      await copyFile(join(site.dataDir, copyName), join(place.dataDir, copyName));
    }
    await restoreBackup({
      config: { databaseUrl: place.url, dataDir: place.dataDir, voterKey: null },
      ...{ file: path, onProgress },
    });
    return finish(place.url, place.dataDir, site.clock);
  };

  test('a restored log continues under another origin, because more may have been published', async () => {
    const site = await createSite();
    expect(await restored(site, { withCopy: false })).toEqual({
      verdict: 'ok',
      counted: [40, 0, 0],
      origins: ['polls.example/integrity/log', 'polls.example/integrity/log/2'],
    });
  });

  test('a restored log has the decisions made before the backup', async () => {
    const site = await createSite();
    const { db, clock, writer } = site;
    await castVotes(db, 'tea', 'o2', 3);
    const deciding = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    await setAside(deciding, {
      ...{ actor: 'operator', ballotId: 'tea', cluster: { optionId: 'o2' }, reason: 'operator-test' },
    });
    for (let hours = 0; hours < 3; hours++) {
      await tick(writer);
      clock.set(clock.now() + hour);
    }
    expect(await restored(site, { withCopy: false })).toMatchObject({ verdict: 'ok', counted: [40, 0, 0] });
  });

  test('a restored log continues where it was if the newest checkpoint was kept', async () => {
    const site = await createSite();
    expect(await restored(site, { withCopy: true })).toEqual({
      verdict: 'ok',
      counted: [40, 0, 0],
      origins: ['polls.example/integrity/log'],
    });
  });

  test('a log that was moved to the other database continues where it was', async () => {
    const site = await createSite();
    const target = await empty.place(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite');
    await site.db.destroy();
    await moveDatabase({ databaseUrl: site.url, target: target.url, onProgress });
    expect(await finish(target.url, site.dataDir, site.clock)).toEqual({
      verdict: 'ok',
      counted: [40, 0, 0],
      origins: ['polls.example/integrity/log'],
    });
  });
});
