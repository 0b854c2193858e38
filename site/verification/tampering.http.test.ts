import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { recount } from '#domain/verification/recount.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { readConfig } from '#platform/config.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { examine } from '#api/admin/doctor/doctor.service.ts';
import { today } from '#api/admin/today/today.service.ts';
import { continueRound } from '#api/integrity/log/comparison.service.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { emptyPlaces } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { runHere } from '#api/testing/run-command.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter, testLogSeed } from '#api/testing/vote-logs.ts';
import { verifySignature } from '#api/integrity/log/signing.ts';
import { hasNewerVotes, loadEvidence } from './load-evidence.ts';
import type { Download } from './load-evidence.ts';

/** Changes that somebody makes in the database by hand, and who finds them. */

const verifier = fileURLToPath(new URL('offline-verifier.ts', import.meta.url));
const empty = emptyPlaces();
const hour = 3_600_000;

const optionOf = async (db: Database, id: string) =>
  (await db('ballot_options').where({ ballot_id: 'tea', option_id: id }).first<{ key: number }>('key')).key;

async function flip(db: Database): Promise<void> {
  const { id } = await db('votes')
    .where({ option_key: await optionOf(db, 'o1') })
    .orderBy('id')
    .first<{ id: number }>('id');
  await db('votes')
    .where({ id })
    .update({ option_key: await optionOf(db, 'o2') });
}

/** Flips a vote that is in no batch yet. */
async function flipNewest(db: Database): Promise<void> {
  const { id } = await db('votes').orderBy('id', 'desc').first<{ id: number }>('id');
  await db('votes')
    .where({ id })
    .update({ option_key: await optionOf(db, 'o1') });
}

const moveCounter = async (db: Database, id: string, by: number) =>
  db('ballot_options').where({ ballot_id: 'tea', option_id: id }).increment({ votes: by });

const logTables = ['waiting', 'tiles', 'checkpoints', 'files', 'results', 'entries', 'keys'].map(
  (n) => `vote_log_${n}`,
);

/** What somebody may have kept: the rows of the log before the end of the poll, and the copy of its checkpoints. */
interface Earlier {
  readonly earlier: ReadonlyMap<string, object[]>;
  /** The file with the copy. */
  readonly copy: string;
  readonly earlierCopy: string;
}

async function emptyLog(db: Database): Promise<void> {
  for (const table of logTables) await db(table).del();
  await db('vote_logs').del();
}

async function rollBack(db: Database, { earlier }: Pick<Earlier, 'earlier'>): Promise<void> {
  await emptyLog(db);
  for (const table of ['vote_logs', ...logTables]) {
    const rows = earlier.get(table) ?? [];
    if (rows.length > 0) await db(table).insert(rows);
  }
}

const changes: Readonly<Record<string, (db: Database, kept: Earlier) => Promise<unknown>>> = {
  'a flipped vote': flip,
  'a flipped vote with its counters': async (db) => {
    await flip(db);
    await moveCounter(db, 'o1', -1);
    await moveCounter(db, 'o2', 1);
  },
  '500 votes added after the end with their counters': async (db) => {
    await castVotes(db, 'tea', 'o2', 500);
    await db('statistics').where({ shard: 0 }).increment({ total_votes: 500, total_participants: 500 });
  },
  'an emptied log': emptyLog,
  'an emptied log whose copy is gone': async (db, { copy }) => {
    await emptyLog(db);
    await rm(copy);
  },
  'emptied checkpoints': async (db) => db('vote_log_checkpoints').del(),
  'emptied entries of the site-wide log': async (db) => db('vote_log_entries').del(),
  'an emptied tree': async (db) => db('vote_log_tiles').del(),
  'a log taken from its poll': async (db) => db('vote_logs').where({ ballot_id: 'tea' }).update({ ballot_key: null }),
  'a log rolled back to before the end': rollBack,
  'a log rolled back to before the end with its copy': async (db, { earlier, copy, earlierCopy }) => {
    await rollBack(db, { earlier });
    await writeFile(copy, earlierCopy);
  },
};

eachDatabase((open, _engine, once) => {
  const start = async ({ isOpen = false } = {}) => {
    const { db, url } = await open();
    const dataDir = await empty.folder();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const shown = { page: '' };
    // The site: a page as it was published, and the API.
    const server = createServer((request, response) => {
      const answer = async () => {
        if (request.url === '/poll/tea') return response.end(shown.page);
        const { status, headers, body } = await app.fetch(request.url ?? '/');
        response.statusCode = status;
        response.setHeader('content-type', headers.get('content-type') ?? 'text/plain');
        response.end(body === null ? '' : Buffer.from(await new Response(body).arrayBuffer()));
        return response;
      };
      answer().catch(() => response.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { DATABASE_URL: url, DATA_DIR: dataDir, PUBLIC_URL: origin, LOG_KEY: testLogSeed };
    const config = readConfig(environment);
    await ensureSecrets(config);
    const writer = logWriter(db, clock, { dataDir, publicUrl: origin });
    const download: Download = async (path) => {
      const response = await fetch(new URL(path, origin));
      return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer());
    };
    await seedPolls(db, [{ id: 'tea', votes: [5, 0, 7] }]);
    await tick(writer);
    const earlier = new Map<string, object[]>();
    const copy = join(dataDir, 'integrity', 'checkpoints.jsonl');
    let earlierCopy = '';
    for (const option of ['o1', 'o2']) {
      await castVotes(db, 'tea', option, 21);
      await db('statistics').where({ shard: 0 }).increment({ total_votes: 21, total_participants: 21 });
      clock.set(clock.now() + hour);
      await tick(writer);
      if (option === 'o2') break;
      for (const table of ['vote_logs', ...logTables]) earlier.set(table, await db(table).select());
      earlierCopy = await readFile(copy, 'utf8');
    }
    const kept: Earlier = { earlier, copy, earlierCopy };
    const close = async () => {
      await closeBallot(db, 'tea', clock.now());
      await db('archive_categories').insert({ category: 'General', closed_polls: 1 });
    };
    if (!isOpen) {
      await close();
      await tick(writer);
      clock.set(clock.now() + 2 * hour);
    }
    const rows = await db('ballot_options').where({ ballot_id: 'tea' }).select('option_id', 'votes');
    shown.page = rows.map(({ option_id, votes }) => `<data data-votes-of="${option_id}">${votes}</data>`).join('');
    const nightly = async () => {
      await db('installation').where({ name: 'integrity.compared' }).del();
      const readPage = async (path: string) => (await fetch(new URL(path, origin))).text();
      await continueRound({ ...writer, readPage });
    };
    const doctor = async (repair = false) =>
      (await examine({ environment, clock, repair }))
        .filter(({ level, check }) => level === 'problem' && (check === 'results' || check === 'counters'))
        .map(({ check, text }) => `${check}: ${text}`);
    const onToday = async () =>
      (await today({ db, clock, config })).items
        .filter(({ kind }) => kind === 'results-differ')
        .map(({ level }) => level);
    const recounted = async () => {
      const loaded = await loadEvidence('tea', [], download, clock.now());
      if (typeof loaded === 'string') return loaded;
      const result = await recount(loaded.evidence, loaded.expected, verifySignature);
      return hasNewerVotes(loaded, result) ? 'reopened' : result.verdict;
    };
    const verified = async () => {
      const { code, output, complaint } = await runHere(verifier, [`${origin}/poll/tea`]);
      return { code, output: output + complaint };
    };
    return { db, app, clock, shown, writer, kept, close, nightly, doctor, onToday, recounted, verified };
  };

  once('an untouched poll passes everywhere', async () => {
    const { nightly, doctor, onToday, recounted, verified } = await start();
    await nightly();
    expect(await doctor()).toEqual([]);
    expect(await onToday()).toEqual([]);
    expect(await recounted()).toBe('ok');
    const { code, output } = await verified();
    expect(output).toMatch(/o1|Option.*API says +Page shows/);
    expect(code).toBe(0);
  });

  once.each(Object.keys(changes))(
    'doctor, Today, recount page, and downloaded verifier all find %s',
    async (change) => {
      const { db, app, writer, kept, nightly, doctor, onToday, recounted, verified } = await start();
      await changes[change]!(db, kept);
      expect(await doctor()).toContainEqual(expect.stringMatching(/^results: /));
      // Fails where a part of the log is missing.
      await tick(writer).catch(() => undefined);
      await nightly();
      expect(await doctor()).toContainEqual(expect.stringMatching(/^results: /));
      expect(await onToday()).toEqual(['urgent']);
      expect(await recounted()).toMatch(/^(differs|site-differs|tally-mismatch|overdue)$/);
      expect(await verified()).toMatchObject({ code: 1 });
      const poll = (await (await app.fetch('/api/polls/tea')).json()) as { differsFromLog?: boolean };
      expect(poll.differsFromLog).toBe(true);
    },
  );

  once('an untouched open poll passes, and readers hear that it is open', async () => {
    const { nightly, doctor, onToday, recounted, verified } = await start({ isOpen: true });
    await nightly();
    expect(await doctor()).toEqual([]);
    expect(await onToday()).toEqual([]);
    expect(await recounted()).toBe('open');
    expect(await verified()).toMatchObject({ code: 3 });
  });

  once.each([
    ['a flipped vote that a checkpoint has', flip],
    ['a flipped vote that waits for a checkpoint', flipNewest],
    ['an emptied log', emptyLog],
    ['a log taken from its poll', changes['a log taken from its poll']!],
  ] as const)(
    'doctor, Today, recount page, and downloaded verifier find %s while a poll is open',
    async (_, change) => {
      const { db, writer, kept, nightly, doctor, onToday, recounted, verified } = await start({ isOpen: true });
      await change(db, kept);
      expect(await doctor()).toContainEqual(expect.stringMatching(/^results: /));
      await tick(writer);
      await nightly();
      expect(await doctor()).toContainEqual(expect.stringMatching(/^results: /));
      expect(await onToday()).toEqual(['urgent']);
      expect(await recounted()).toBe('differs');
      expect(await verified()).toMatchObject({ code: 1 });
    },
  );

  once(
    'a service that starts with an emptied log notes it before the first comparison, however recent the end',
    async () => {
      const { db, clock, writer, close, nightly, onToday, recounted } = await start({ isOpen: true });
      await close();
      await tick(writer);
      await emptyLog(db);
      clock.set(clock.now() + 60_000);
      await tick(writer);
      await nightly();
      expect(await onToday()).toEqual(['urgent']);
      expect(await recounted()).toBe('differs');
    },
  );

  once(
    'a service that starts with an emptied log after the end of a poll that it hasn’t closed yet notes it',
    async () => {
      const { db, clock, writer, kept, close, onToday, recounted } = await start({ isOpen: true });
      await changes['an emptied log whose copy is gone']!(db, kept);
      await tick(writer);
      await close();
      clock.set(clock.now() + 60_000);
      await tick(writer);
      expect(await onToday()).toEqual(['urgent']);
      expect(await recounted()).toBe('differs');
    },
  );

  test('the recount page finds a log taken from its poll at once, and it can be given back', async () => {
    const { db, writer, kept, nightly, doctor, onToday, recounted } = await start();
    const { ballot_key } = await db('vote_logs').where({ ballot_id: 'tea' }).first<{ ballot_key: number }>();
    await changes['a log taken from its poll']!(db, kept);
    expect(await recounted()).toBe('differs');
    await tick(writer);
    expect(await onToday()).toEqual(['urgent']);
    await db('vote_logs').where({ ballot_id: 'tea' }).update({ ballot_key });
    await nightly();
    expect(await recounted()).toBe('ok');
    expect(await doctor()).toEqual([]);
  });

  once(
    'a log that can’t be closed is a problem for readers an hour after the end, even if the site says nothing',
    async () => {
      const { db, clock, close, recounted, verified } = await start({ isOpen: true });
      await close();
      expect(await recounted()).toBe('open');
      clock.set(clock.now() + hour + 1);
      expect(await recounted()).toBe('overdue');
      await db('ballots')
        .where({ id: 'tea' })
        .update({ closed_at: Date.now() - hour - 60_000 });
      expect(await verified()).toEqual({
        code: 1,
        output: expect.stringContaining('closed more than an hour ago') as string,
      });
    },
  );

  test('newer votes of a reopened poll are still being written, but fewer votes than in the log are a mismatch', async () => {
    const { db, shown, writer, recounted, verified } = await start();
    await db('ballots').where({ id: 'tea' }).update({ closed_at: null, is_active: true });
    expect(await recounted()).toBe('ok');
    await castVotes(db, 'tea', 'o2', 1);
    expect(await recounted()).toBe('reopened');
    expect(await verified()).toEqual({ code: 3, output: expect.stringContaining('still being written') as string });
    const { page } = shown;
    shown.page = page.replace('>26<', '>25<');
    expect(await recounted()).toBe('tally-mismatch');
    expect(await verified()).toMatchObject({ code: 1 });
    shown.page = page;
    await tick(writer);
    expect(await recounted()).toBe('open');
  });

  once('a page with other totals than the log is refused by every reader, and both totals are printed', async () => {
    const { shown, nightly, onToday, recounted, verified, doctor } = await start();
    shown.page = shown.page.replace('>26<', '>1,026<');
    await nightly();
    expect(await onToday()).toEqual(['urgent']);
    expect(await doctor()).toEqual([expect.stringMatching(/The page shows 1,026 votes for “.*”, the log 26\./)]);
    expect(await recounted()).toBe('tally-mismatch');
    const { code, output } = await verified();
    expect(output).toMatch(/ 26 +26 +1026$/m);
    expect(code).toBe(1);
  });

  test('the doctor doesn’t repair counters after a flipped vote, and a difference that is corrected goes away', async () => {
    const { db, nightly, doctor, onToday } = await start();
    await flip(db);
    await nightly();
    const told = await doctor(true);
    expect(told).toContainEqual(expect.stringMatching(/^counters: .*nothing was corrected/));
    const { votes } = await db('ballot_options')
      .where({ ballot_id: 'tea', option_id: 'o1' })
      .first<{ votes: number }>();
    expect(votes).toBe(26);
    const { id } = await db('votes').orderBy('id').first<{ id: number }>('id');
    await db('votes')
      .where({ id })
      .update({ option_key: await optionOf(db, 'o1') });
    await nightly();
    expect(await onToday()).toEqual([]);
    expect(await doctor()).toEqual([]);
  });
});
