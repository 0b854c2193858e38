import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SiteSnapshot } from '#contract/snapshot.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { importPolls } from '#api/poll-import/poll-import.service.ts';
import { publishDebounceMs, runNextBuild } from '#api/publishing/publishing.service.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { lifecycleTask } from './lifecycle.service.ts';

const monday = Date.parse('2026-11-23T06:00:00Z');
const hour = 3_600_000;
const week = 7 * 24 * hour;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-schedule-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** All scheduled work of an installation, with a clock that the test sets. */
function installation(db: Database) {
  const clock = fixedClock(monday);
  const reasons = async () => db('build_jobs').where({ status: 'queued' }).pluck<string[]>('reason');
  return {
    clock,
    reasons,
    /** A service that starts now; each call is a run of its timer. */
    service: () => lifecycleTask({ db, clock, log: silentLogger }),
    /** Runs the requested build a moment later; returns the polls on the home page and the number in the archive. */
    publish: async () => {
      clock.set(clock.now() + publishDebounceMs);
      const outcome = await runNextBuild({
        db,
        clock,
        async build({ publish }) {
          const settings = readConfig({ DATA_DIR: folder });
          await writeSnapshot({ db, clock, settings, folder, pagesDigest: '' });
          await publish(() => Promise.resolve());
        },
      });
      if (outcome.status !== 'succeeded') return null;
      const site = JSON.parse(await readFile(join(folder, 'site.json'), 'utf8')) as SiteSnapshot;
      return { home: site.activePolls.map(({ id }) => id).sort(), closed: site.archive.total };
    },
  };
}

/** A file with three polls per week for four weeks, each open from Monday at nine to the next one. */
function fourWeeks(): AsyncIterable<Uint8Array> {
  const rows = [1, 2, 3, 4].flatMap((number) =>
    ['a', 'b', 'c'].map((letter) => {
      const [starts, ends] = [number - 1, number].map((weeks) =>
        new Date(monday + 3 * hour + weeks * week).toISOString(),
      );
      const options = ['Yes', 'No', 'Neither'].map((text, place) => ({ id: `o${place}`, text, votes: 0 }));
      const cells = [`week-${number}-${letter}`, `Question ${letter}?`, 'Asked every week.', JSON.stringify(options)];
      return [...cells, 'true', new Date(monday).toISOString(), starts, ends, 'Weekly'];
    }),
  );
  const header = 'id question description options is_active created_at starts_at ends_at category'.split(' ');
  return Readable.from([Buffer.from(stringify([header, ...rows]))]);
}

const polls = (number: number) => ['a', 'b', 'c'].map((letter) => `week-${number}-${letter}`);

eachDatabase((open) => {
  test('[D4.1] four imported weeks of polls open and close automatically, with one build each', async () => {
    const { db } = await open();
    const { clock, reasons, service, publish } = installation(db);
    const turn = service();
    await turn();
    expect(await importPolls({ db, clock, source: fourWeeks() })).toMatchObject({ inserted: 12, errors: [] });
    expect(await publish()).toEqual({ home: [], closed: 0 });
    await turn();
    expect(await reasons()).toEqual([]);

    for (const number of [1, 2, 3, 4, 5]) {
      clock.set(monday + 3 * hour + (number - 1) * week);
      await turn();
      const asked = await reasons();
      expect(asked).toHaveLength(1);
      if (number > 1) expect(asked[0]).toContain('3 polls closed');
      if (number < 5) expect(asked[0]).toContain('3 polls opened');
      expect(await publish()).toEqual({
        home: number < 5 ? polls(number) : [],
        closed: (number - 1) * 3,
      });
      await turn();
      expect(await reasons()).toEqual([]);
    }
  });

  test('a poll that opened while no service was running is published by the next start', async () => {
    const { db } = await open();
    const { clock, reasons, service, publish } = installation(db);
    await importPolls({ db, clock, source: fourWeeks() });
    await publish();
    clock.set(monday + 5 * hour);
    const turn = service();
    await turn();
    expect(await reasons()).toEqual(['3 polls opened']);
    expect(await publish()).toEqual({ home: polls(1), closed: 0 });
    // A third start adds nothing.
    await service()();
    expect(await reasons()).toEqual([]);
  });

  test('two services that notice the same opening request one build', async () => {
    const { db } = await open();
    const { clock, reasons, service, publish } = installation(db);
    const [early, late] = [service(), service()];
    await early();
    await late();
    await importPolls({ db, clock, source: fourWeeks() });
    await publish();
    clock.set(monday + 3 * hour);
    await early();
    expect(await publish()).toMatchObject({ home: polls(1) });
    clock.set(clock.now() + 15_000);
    await late();
    expect(await reasons()).toEqual([]);
  });

  test('a poll that opens during a build is published by another one', async () => {
    const { db } = await open();
    const { clock, reasons, service } = installation(db);
    const turn = service();
    await turn();
    await seedPolls(db, [{ id: 'soon', startsAt: monday + hour, endsAt: monday + week }]);
    await db('build_jobs').insert({
      status: 'running',
      reason: 'before',
      requested_at: monday,
      not_before: monday,
      started_at: monday + hour - 1,
      heartbeat_at: monday + hour - 1,
      runner: 'another',
    });
    clock.set(monday + hour);
    await turn();
    expect(await reasons()).toEqual(['a poll opened']);
  });

  test('a failed build for an opened poll is not repeated', async () => {
    const { db } = await open();
    const { clock, reasons, service } = installation(db);
    const turn = service();
    await turn();
    await seedPolls(db, [{ id: 'soon', startsAt: monday + hour, endsAt: monday + week }]);
    clock.set(monday + hour);
    await turn();
    clock.set(clock.now() + publishDebounceMs);
    await runNextBuild({ db, clock, build: () => Promise.reject(new Error('no space')) });
    clock.set(clock.now() + 15_000);
    await turn();
    expect(await reasons()).toEqual([]);
  });
});
