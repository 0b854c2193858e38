import { gzipSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { LeafInclusion, LogConsistency, PollIntegrity, PollSiteEntries } from './integrity-log.contract.ts';
import { fromBase64, toHex } from '#domain/verification/bytes.ts';
import { hashBytes, rootOfLeaves, verifyConsistency, verifyInclusion } from '#domain/verification/merkle.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { decide, setAside } from '#api/voting/decisions.service.ts';
import { entryLeaf, parseEntryBundle } from '#domain/verification/site-log.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import {
  castVotes,
  closeBallot,
  logWriter,
  otherLogSeed,
  recountPublished,
  testLogSeed,
} from '#api/testing/vote-logs.ts';
import { closeLog } from './batches.service.ts';
import { publishResult } from './results.service.ts';
import { logKeyOf, signedCheckpoint } from './signing.ts';
import type { LogContext } from './site-log.service.ts';
import { tick } from './tick.service.ts';
import { logOfBallot } from './vote-log.queries.ts';

const hour = 3_600_000;

const otherOption = (line: string) =>
  line.replace(/\t(\d)\t/, (_, option: string) => `\t${(Number(option) + 1) % 3}\t`);

interface Started {
  readonly db: Database;
  readonly app: TestApp;
  readonly writer: LogContext;
  readonly clock: ReturnType<typeof fixedClock>;
}

eachDatabase((open, _engine, once) => {
  const start = async (): Promise<Started> => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    await seedPolls(db, [{ id: 'tea', votes: [5, 0, 7] }]);
    return { db, app, clock, writer: logWriter(db, clock) };
  };
  const json = async <T>(app: TestApp, path: string) => (await (await app.fetch(path)).json()) as T;
  const logOf = async (app: TestApp, id = 'tea') => (await json<PollIntegrity>(app, `/api/polls/${id}/integrity`)).log!;
  const sizesOf = ({ checkpoints }: { checkpoints: readonly string[] }) =>
    checkpoints.map((note) => parseCheckpoint(note)!.size);
  const tickAnHourLater = async ({ clock, writer }: Started) => {
    clock.set(clock.now() + hour);
    await tick(writer);
  };
  /** Casts votes in three hours and closes the poll. */
  const finish = async (started: Started) => {
    const { db, writer, clock } = started;
    await tick(writer);
    for (const [votes, option] of [
      [31, 'o1'],
      [12, 'o2'],
      [3, 'o3'],
    ] as const) {
      await castVotes(db, 'tea', option, votes);
      await tickAnHourLater(started);
    }
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
  };
  const verdictOf = async (app: TestApp) => (await recountPublished(app, 'tea')).verdict;

  test('a closed poll’s ballots file, checkpoints, and entries of the site-wide log pass the recount', async () => {
    const started = await start();
    await finish(started);
    const { app } = started;
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { counted: [31, 12, 3] } });
    const log = await logOf(app);
    expect(sizesOf(log)).toEqual([0, 21, 33, 46]);
    expect(log).toMatchObject({ base: [5, 0, 7], closed: true, waiting: 0 });
  });

  once(
    'a checkpoint adds ten votes at least and leaves ten for the next one; the end publishes any number',
    async () => {
      const started = await start();
      const { db, app, clock, writer } = started;
      await tick(writer);
      await castVotes(db, 'tea', 'o1', 19);
      await tickAnHourLater(started);
      expect(await logOf(app)).toMatchObject({ size: 0, waiting: 19 });
      await castVotes(db, 'tea', 'o2', 1);
      await tick(writer);
      expect(sizesOf(await logOf(app))).toEqual([0, 10]);
      await castVotes(db, 'tea', 'o2', 30);
      await tick(writer);
      expect(await logOf(app)).toMatchObject({ size: 10, waiting: 40 });
      await tickAnHourLater(started);
      expect(sizesOf(await logOf(app))).toEqual([0, 10, 40]);
      await closeBallot(db, 'tea', clock.now());
      await tick(writer);
      expect(sizesOf(await logOf(app))).toEqual([0, 10, 40, 50]);
      expect(await verdictOf(app)).toBe('ok');
    },
  );

  once('leaves of one checkpoint are sorted, so that they say nothing about when votes were cast', async () => {
    const started = await start();
    await finish(started);
    const { hashes } = await started
      .db('vote_log_tiles')
      .where({ level: 0, tile: 0 })
      .orderBy('log_key', 'desc')
      .first<{ hashes: Buffer }>('hashes');
    const leaves = Array.from({ length: 46 }, (_, n) => toHex(hashes.subarray(n * hashBytes, (n + 1) * hashBytes)));
    for (const [from, to] of [
      [0, 21],
      [21, 33],
      [33, 46],
    ] as const)
      expect(leaves.slice(from, to)).toEqual(leaves.slice(from, to).sort());
  });

  once(
    'a poll with fewer than ten votes has one checkpoint with all of them, and one without votes has none',
    async () => {
      const { db, app, writer, clock } = await start();
      await seedPolls(db, [{ id: 'empty' }]);
      await castVotes(db, 'tea', 'o1', 3);
      await tick(writer);
      for (const id of ['tea', 'empty']) await closeBallot(db, id, clock.now());
      await tick(writer);
      expect(sizesOf(await logOf(app))).toEqual([0, 3]);
      expect(sizesOf(await logOf(app, 'empty'))).toEqual([0]);
      for (const id of ['tea', 'empty']) expect((await recountPublished(app, id)).verdict).toBe('ok');
    },
  );

  once('what anyone changes in the database after publication fails the recount', async () => {
    const started = await start();
    await finish(started);
    const { db, app } = started;
    const { key } = await db('vote_logs').where({ ballot_id: 'tea' }).first<{ key: number }>('key');
    const [file, checkpoint] = [{ log_key: key }, { log_key: key, number: 1 }];
    const { content } = await db('vote_log_files').where(file).first<{ content: Buffer }>('content');
    const lines = gunzipSync(content).toString().split('\n');
    const { note } = await db('vote_log_checkpoints').where(checkpoint).first<{ note: string }>('note');
    const withLines = async (edited: string[]) => {
      const packed = gzipSync(edited.join('\n'));
      await db('vote_log_files').where(file).update({ content: packed });
      await db('vote_log_results').where(file).update({ bytes: packed.length });
    };
    const withNote = (edited: string) => db('vote_log_checkpoints').where(checkpoint).update({ note: edited });
    const counted = lines.findIndex((line) => line.endsWith('\tc'));
    const otherRoot = { size: 21, root: new Uint8Array(32) };
    const signedBy = (seed: string) => signedCheckpoint(parseCheckpoint(note)!.origin, otherRoot, [logKeyOf(seed)]);
    const attempts: Record<string, [tables: string[], change: () => Promise<unknown>]> = {
      'size-mismatch': [['files', 'results'], () => withLines(lines.toSpliced(counted, 1))],
      'root-mismatch': [['files', 'results'], () => withLines(lines.with(counted, otherOption(lines[counted]!)))],
      'bad-order': [['files', 'results'], () => withLines(lines.toSpliced(counted, 0, lines[counted]!))],
      'root-mismatch after signing again': [['checkpoints'], () => withNote(signedBy(testLogSeed))],
      'unknown-key': [['checkpoints'], () => withNote(signedBy(otherLogSeed))],
      'bad-signature': [['checkpoints'], () => withNote(note.replace('\n21\n', '\n20\n'))],
      'bad-site-log': [
        ['entries'],
        () =>
          db('vote_log_entries')
            .whereLike('text', '%/result/%')
            .update({ text: db.raw("replace(text, 'counted 31', 'counted 32')") }),
      ],
    };
    const found: Record<string, string> = {};
    for (const [expected, [names, change]] of Object.entries(attempts)) {
      const tables = names.map((name) => `vote_log_${name}`);
      const before = await Promise.all(tables.map((table) => db(table).select<Record<string, unknown>[]>()));
      await change();
      found[expected] = (await recountPublished(app, 'tea')).verdict;
      for (const [place, table] of tables.entries()) {
        await db(table).del();
        await db(table).insert(before[place]!);
      }
    }
    expect(found).toEqual(
      Object.fromEntries(Object.keys(attempts).map((expected) => [expected, expected.split(' ')[0]])),
    );
    expect(await verdictOf(app)).toBe('ok');
  });

  once('a voter can prove that a vote is in the log, and that the log still has what it had', async () => {
    const started = await start();
    await finish(started);
    const { db, app } = started;
    const { hashes } = await db('vote_log_tiles')
      .where({ level: 0 })
      .orderBy('log_key', 'desc')
      .first<{ hashes: Buffer }>('hashes');
    const log = await logOf(app);
    for (const index of [0, 20, 21, 45]) {
      const leaf = hashes.subarray(index * hashBytes, (index + 1) * hashBytes);
      const found = await json<LeafInclusion>(app, `/api/polls/tea/integrity/inclusion?leaf=${leaf.toString('hex')}`);
      const proof = found.inclusion!.proof.map((one) => fromBase64(one)!);
      const head = parseCheckpoint(found.checkpoint)!;
      expect(found.inclusion).toMatchObject({ index });
      expect(verifyInclusion({ ...head, leaf, index }, proof)).toBe(true);
    }
    const unknown = await json<LeafInclusion>(app, `/api/polls/tea/integrity/inclusion?leaf=${'ab'.repeat(32)}`);
    expect(unknown.inclusion).toBeNull();
    for (const note of log.checkpoints.slice(1)) {
      const earlier = parseCheckpoint(note)!;
      const answer = await json<LogConsistency>(app, `/api/polls/tea/integrity/consistency?from=${earlier.size}`);
      const proof = answer.proof.map((one) => fromBase64(one)!);
      expect(verifyConsistency(earlier, parseCheckpoint(answer.checkpoint)!, proof)).toBe(true);
    }
    expect((await app.fetch('/api/polls/tea/integrity/consistency?from=47')).status).toBe(404);
  });

  once('a log without all received votes is not closed, and the operator is alerted', async () => {
    const { db, app, writer, clock } = await start();
    await castVotes(db, 'tea', 'o1', 12);
    await tick(writer);
    await db('ballots').where({ id: 'tea' }).increment('total_votes', 1);
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    expect(await logOf(app)).toMatchObject({ closed: false, results: [] });
    expect(await db('vote_logs').where({ ballot_id: 'tea' }).pluck('problem')).toEqual([
      'The poll has received 13 votes, but its log has 12.',
    ]);
    await db('ballots').where({ id: 'tea' }).decrement('total_votes', 1);
    await tick(writer);
    expect(await verdictOf(app)).toBe('ok');
    expect(await db('vote_logs').whereNotNull('problem')).toEqual([]);
  });

  once('a changed vote prevents the result of its poll', async () => {
    const { db, app, writer, clock } = await start();
    await castVotes(db, 'tea', 'o1', 12);
    await tick(writer);
    const [a, b] = await db('ballot_options').where({ ballot_id: 'tea' }).orderBy('position').pluck<number[]>('key');
    await db('votes').where({ option_key: a! }).whereIn('id', db('votes').max('id')).update({ option_key: b! });
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    expect(await logOf(app)).toMatchObject({ closed: true, results: [] });
    expect(await db('vote_logs').where({ ballot_id: 'tea' }).pluck('problem')).toEqual([
      'The recorded votes differ from the log.',
    ]);
  });

  once('a poll that is reopened continues its log and gets a second result', async () => {
    const started = await start();
    await finish(started);
    const { db, app, writer, clock } = started;
    await db('ballots').where({ id: 'tea' }).update({ closed_at: null, is_active: true });
    await castVotes(db, 'tea', 'o2', 11);
    await tick(writer);
    expect(await logOf(app)).toMatchObject({ closed: false, waiting: 11 });
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    expect(await logOf(app)).toMatchObject({ closed: true, size: 57, results: [{ version: 1 }, { version: 2 }] });
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { counted: [31, 23, 3] } });
    const kinds = (await db('vote_log_entries').orderBy('number').pluck<string[]>('text')).map((text) =>
      text.split('\n', 1).join(),
    );
    expect(kinds.slice(kinds.indexOf('weathervane/result/v2'))).toEqual([
      'weathervane/result/v2',
      'weathervane/reopen/v1',
      'weathervane/checkpoint/v1',
      'weathervane/result/v2',
    ]);
  });

  test('votes that somebody adds to a closed poll in the database stay out of its log, and the operator is alerted', async () => {
    const started = await start();
    await finish(started);
    const { db, app, clock, writer } = started;
    await castVotes(db, 'tea', 'o2', 500);
    clock.set(clock.now() + hour);
    await tick(writer);
    await tick(writer);
    expect(await logOf(app)).toMatchObject({ closed: true, size: 46, waiting: 0, results: [{ version: 1 }] });
    expect(await db('vote_logs').where({ ballot_id: 'tea' }).pluck('problem')).toEqual([
      'Votes were added to the poll after its result. They are not in its log.',
    ]);
  });

  test('a poll that is reopened while its log is being closed keeps its log open', async () => {
    const { db, writer } = await start();
    await castVotes(db, 'tea', 'o1', 12);
    await tick(writer);
    await closeLog(writer, (await logOfBallot(db, 'tea'))!);
    expect(await db('vote_logs').where({ ballot_id: 'tea' }).first('closed_at', 'size')).toEqual({
      ...{ closed_at: null, size: 0 },
    });
  });

  test('a wording that changes while the log reads the poll still gets an entry', async () => {
    const { db, writer, clock } = await start();
    await db('polls')
      .where({ id: 'tea' })
      .update({ updated_at: clock.now() - 100 });
    await tick(writer);
    // The transaction of the change began before the log read the poll, and was committed afterward.
    for (const [place, question] of ['Tea or coffee?', 'Tea or cocoa?'].entries()) {
      await db('polls')
        .where({ id: 'tea' })
        .update({ question, updated_at: clock.now() - 90 + place });
      await tick(writer);
      expect(await db('vote_log_entries').whereLike('text', '%/amend/%')).toHaveLength(place + 1);
    }
  });

  test('a result never has a decision that is not in the site-wide log', async () => {
    const started = await start();
    const { db, app, writer, clock } = started;
    await finish(started);
    const deciding = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    await setAside(deciding, {
      ...{ actor: 'operator', ballotId: 'tea', cluster: { optionId: 'o2' }, reason: 'operator-test' },
    });
    // The decision was made after this tick has logged decisions.
    await db('vote_logs').where({ ballot_id: 'tea' }).update({ result_due: true });
    await publishResult(writer, (await logOfBallot(db, 'tea'))!);
    expect((await logOf(app)).results).toHaveLength(1);
    await tick(writer);
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { setAside: [0, 12, 0] } });
  });

  once('a corrected wording is an entry of the site-wide log, and earlier votes keep theirs', async () => {
    const started = await start();
    const { db, app, writer, clock } = started;
    await castVotes(db, 'tea', 'o1', 12);
    await tick(writer);
    await db('polls')
      .where({ id: 'tea' })
      .update({ question: 'Tea or coffee?', updated_at: clock.now() + 1 });
    await tickAnHourLater(started);
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    expect((await logOf(app)).paper.question).toBe('What about tea?');
    expect(await verdictOf(app)).toBe('ok');
    expect(await db('vote_log_entries').whereLike('text', '%/amend/%')).toHaveLength(1);
  });

  once('ballots that the operator does not publish are in the checkpoints and in no file', async () => {
    const started = await start();
    await started.db('ballots').where({ id: 'tea' }).update({ publish_ballots: false });
    await finish(started);
    const log = await logOf(started.app);
    expect(log).toMatchObject({ publishesBallots: false, size: 46, results: [{ version: 1, ballots: 46, bytes: 0 }] });
    expect((await started.app.fetch('/api/polls/tea/integrity/ballots/1')).status).toBe(404);
  });

  once('the log of a deleted poll is deleted, and a new poll of the same id gets another origin', async () => {
    const started = await start();
    await finish(started);
    const { db, app, writer } = started;
    const { origin } = await logOf(app);
    await db('polls').where({ id: 'tea' }).del();
    await db('ballots').where({ id: 'tea' }).del();
    await tick(writer);
    expect(await db('vote_log_files')).toEqual([]);
    expect((await app.fetch('/api/polls/tea/integrity')).status).toBe(404);
    await seedPolls(db, [{ id: 'tea' }]);
    await tick(writer);
    expect((await logOf(app)).origin).toBe(`${origin}/2`);
  });

  test('decisions about votes are entries, and each gives a closed poll another version of its file', async () => {
    const started = await start();
    const { db, app, writer, clock } = started;
    const deciding = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    await finish(started);
    const by = { actor: 'operator' };
    const cluster = { optionId: 'o2' };
    const held = await setAside(deciding, {
      ...{ ...by, ballotId: 'tea', cluster, reason: 'operator-test' },
      hold: { expiresAt: clock.now() + hour },
    });
    await tick(writer);
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { held: [0, 12, 0] } });
    await decide(deciding, held.key, 'confirm', by);
    await tick(writer);
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { setAside: [0, 12, 0] } });
    await decide(deciding, held.key, 'release', by);
    await tick(writer);
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { counted: [31, 12, 3] } });
    await tick(writer);
    expect((await logOf(app)).results.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    const decisions = (await db('vote_log_entries').orderBy('number').pluck<string[]>('text')).filter((text) =>
      text.includes('/decision/'),
    );
    expect(decisions.map((text) => text.split('\n')[3])).toEqual(['hold 12', 'set-aside 12', 'release 12']);
    for (const version of [1, 2, 3, 4])
      expect((await app.fetch(`/api/polls/tea/integrity/ballots/${version}`)).status).toBe(200);
  });

  once('the site-wide log is served as tiles, entries, and checkpoints that prove each other', async () => {
    const started = await start();
    const { app } = started;
    await tick(started.writer);
    const note = async () => (await app.fetch('/integrity/log/checkpoint')).text();
    const earlier = parseCheckpoint(await note())!;
    await finish(started);
    const newest = parseCheckpoint(await note())!;
    const answer = await json<LogConsistency>(app, `/api/integrity/consistency?from=${earlier.size}`);
    const proof = answer.proof.map((one) => fromBase64(one)!);
    expect(verifyConsistency(earlier, newest, proof)).toBe(true);
    const bundle = await app.fetch(`/integrity/log/tile/entries/000.p/${newest.size}`);
    const entries = parseEntryBundle(new Uint8Array(await bundle.arrayBuffer()))!;
    expect(rootOfLeaves(entries.map((text) => entryLeaf(text)))).toEqual(newest.root);
    const tile = await app.fetch(`/integrity/log/tile/0/000.p/${newest.size}`);
    expect([...new Uint8Array(await tile.arrayBuffer())]).toEqual(entries.flatMap((text) => [...entryLeaf(text)]));
    expect(tile.headers.get('cache-control')).toContain('immutable');
    expect((await app.fetch(`/integrity/log/tile/0/000.p/${newest.size + 1}`)).status).toBe(404);
    expect(await (await app.fetch('/integrity/key')).text()).toMatch(
      /^polls\.example\/integrity\/log\+[0-9a-f]{8}\+\S+\n$/,
    );
    // Only the poll’s own entries, and the key.
    const own = await json<PollSiteEntries>(app, '/api/polls/tea/integrity/site-entries');
    expect(own.entries.map(({ text }) => text)).toEqual(entries);
  });

  once('a new key is announced under the old one, both sign for 30 days, then the new one alone', async () => {
    const started = await start();
    const { db, app, clock, writer } = started;
    await tick(writer);
    const copy = { copy: writer.copy, lease: writer.lease };
    await expect(tick({ ...logWriter(db, clock, { seeds: [otherLogSeed] }), ...copy })).rejects.toThrow(/LOG_KEY/);
    const rotating = { ...logWriter(db, clock, { seeds: [otherLogSeed, testLogSeed] }), ...copy };
    clock.set(clock.now() + hour);
    await castVotes(db, 'tea', 'o1', 20);
    await tick(rotating);
    const signatures = async () =>
      (await (await app.fetch('/integrity/log/checkpoint')).text()).split('\n\n')[1]!.trim().split('\n').length;
    expect([await signatures(), (await logOf(app)).verifierKeys.length]).toEqual([2, 2]);
    clock.set(clock.now() + 31 * 24 * hour);
    await castVotes(db, 'tea', 'o1', 20);
    await tick(rotating);
    // Both have signed checkpoints of this poll.
    expect([await signatures(), (await logOf(app)).verifierKeys.length]).toEqual([1, 2]);
    expect((await (await app.fetch('/integrity/key')).text()).trim().split('\n')).toHaveLength(1);
    await closeBallot(db, 'tea', clock.now());
    await tick({ ...logWriter(db, clock, { seeds: [otherLogSeed] }), ...copy });
    // The earlier checkpoints are signed with the old key, which the log itself announces.
    expect(await verdictOf(app)).toBe('ok');
  });

  once('an older backup continues under another origin, with all its votes', async () => {
    const started = await start();
    const { db, app, clock, writer } = started;
    await castVotes(db, 'tea', 'o1', 40);
    await tick(writer);
    const site = await db('vote_logs').whereNull('ballot_id').first<{ key: number; origin: string }>();
    const note = (await writer.copy.newest())!;
    await tickAnHourLater(started);
    expect((await logOf(app)).size).toBe(30);
    const newest = parseCheckpoint((await writer.copy.newest())!)!;
    // The database as it was before that hour.
    const poll = await db('vote_logs').where({ ballot_id: 'tea' }).first<{ key: number }>('key');
    await db('vote_logs').where({ key: poll.key }).update({ size: 0, waiting: 0, checkpoints: 1 });
    await db('vote_log_checkpoints').where({ log_key: poll.key, number: 1 }).del();
    await db('vote_log_checkpoints').where({ log_key: site.key }).update({ note, size: 2 });
    await db('vote_logs').where({ key: site.key }).update({ size: 2 });
    await db('vote_log_entries').where('number', '>=', 2).del();
    await tick(logWriter(db, clock, { dataDir: '/nonexistent' })).catch(() => undefined);
    await tick({ ...logWriter(db, clock), lease: writer.lease, copy: writer.copy });
    const log = await logOf(app);
    expect([log.origin, log.siteOrigin]).toEqual([
      'polls.example/integrity/poll/tea/2',
      'polls.example/integrity/log/2',
    ]);
    const restore = await db('vote_log_entries').whereLike('text', '%/restore/%').first<{ text: string }>('text');
    expect(restore.text).toContain(`\n${newest.origin}\n${newest.size}\n`);
    await tickAnHourLater(started);
    await closeBallot(db, 'tea', clock.now());
    await tick(writer);
    expect(await recountPublished(app, 'tea')).toMatchObject({ verdict: 'ok', tally: { counted: [40, 0, 0] } });
    expect((await app.fetch('/integrity/log/checkpoint')).status).toBe(200);
    expect((await app.fetch('/integrity/log/2/checkpoint')).status).toBe(200);
  });
});
