import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoricalPage, Poll } from '#api/polls/polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import { lastPublish } from '#api/publishing/job.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { publishedPages } from '#api/testing/test-builds.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { lifecycleTask } from './lifecycle.service.ts';

const monday = Date.parse('2026-11-23T06:00:00Z');
const hour = 3_600_000;
const week = 7 * 24 * hour;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(quickFolder(), 'weathervane-schedule-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** All scheduled work of an installation, with a clock that the test sets. */
async function installation(db: Database) {
  const clock = fixedClock(monday);
  const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: folder }) });
  await recordChanges(db, monday, [{ kind: 'site', key: 'a test' }]);
  const shown = async (address: string): Promise<unknown> => JSON.parse((await publishedPages(folder))[address]!);
  return {
    clock,
    context,
    /** The polls whose changes wait. */
    changes: () => waitingPages(db).where({ kind: 'poll' }).orderBy('key').pluck<string[]>('key'),
    /** A service that starts now; each call is a run of its timer. */
    service: () => lifecycleTask({ db, clock, log: silentLogger }),
    /** Publishes what is due; returns the polls on the home page and the number in the archive. */
    publish: async () => {
      while ((await publishDue(context)).status === 'published');
      const home = ((await shown('/')) as { polls: Poll[] }).polls.map(({ id }) => id);
      return { home: home.sort(), closed: ((await shown('/historical')) as HistoricalPage).total };
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

eachDatabase((open, _engine, once) => {
  test('[D4.1] four imported weeks of polls open and close automatically, each published at once', async () => {
    const { db } = await open();
    const { clock, changes, service, publish } = await installation(db);
    const turn = service();
    await turn();
    expect(await importPolls({ db, clock, source: fourWeeks() })).toMatchObject({ inserted: 12, errors: [] });
    expect(await publish()).toEqual({ home: [], closed: 0 });
    await turn();
    expect(await changes()).toEqual([]);

    for (const number of [1, 2, 3, 4, 5]) {
      clock.set(monday + 3 * hour + (number - 1) * week);
      await turn();
      expect(await changes()).toEqual([...(number > 1 ? polls(number - 1) : []), ...(number < 5 ? polls(number) : [])]);
      expect(await publish()).toEqual({
        home: number < 5 ? polls(number) : [],
        closed: (number - 1) * 3,
      });
      await turn();
      expect(await changes()).toEqual([]);
    }
  });

  once('a poll that opened while no service was running is published by the next start', async () => {
    const { db } = await open();
    const { clock, changes, service, publish } = await installation(db);
    await importPolls({ db, clock, source: fourWeeks() });
    await publish();
    clock.set(monday + 5 * hour);
    await service()();
    expect(await changes()).toEqual(polls(1));
    expect(await publish()).toEqual({ home: polls(1), closed: 0 });
    const before = await lastPublish(db);
    // A third start has nothing to publish, nor to report.
    await service()();
    expect(await changes()).toEqual([]);
    expect(await publish()).toEqual({ home: polls(1), closed: 0 });
    expect(await lastPublish(db)).toEqual(before);
  });

  once('a poll that opened shortly before a service was stopped is published by the next start', async () => {
    const { db } = await open();
    const { clock, changes, service, publish } = await installation(db);
    await importPolls({ db, clock, source: fourWeeks() });
    await publish();
    clock.set(monday + 5 * hour);
    // Something else was published, with a clock that was slow.
    await recordChanges(db, clock.now(), [{ kind: 'page', key: '/about' }]);
    await publish();
    await service()();
    expect(await changes()).toEqual(polls(1));
  });

  once('a poll that opens during a publish is published by the next one', async () => {
    const { db } = await open();
    const { clock, context, service, publish } = await installation(db);
    const turn = service();
    await turn();
    await publish();
    await seedPolls(db, [{ id: 'soon', startsAt: monday + hour, endsAt: monday + week }]);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'soon' }]);
    context.pages.before = async () => {
      delete context.pages.before;
      clock.set(monday + hour);
      await turn();
    };
    expect(await publish()).toEqual({ home: ['soon'], closed: 0 });
  });
});
