import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { oneChoice } from './choices.model.ts';
import { GroupCommit, voteBatch, voteQueue } from './group-commit.ts';
import { causeOf } from './vote-batch.ts';
import type { BatchResult, BatchWriter, EarlierVote, Vote } from './vote-batch.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

function voteBy(voter: string, optionId = 'a'): Vote {
  return {
    ballotId: 'p',
    kind: 'poll',
    optionId,
    voter: { device: voter, cookie: `${voter}-cookie`, userId: null },
  };
}

/** An in-memory database with one open ballot; `before` may fail a batch, or cast votes during it. */
function memory(
  before: (batch: readonly Vote[], attempt: number) => Promise<void> | void = () => undefined,
  after: (batch: readonly Vote[], attempt: number) => void = () => undefined,
) {
  const rows = new Map<string, EarlierVote>();
  const batches: number[] = [];
  let opened = 0;
  const writer: BatchWriter = {
    async record(batch, moment): Promise<BatchResult> {
      batches.push(batch.length);
      await before(batch, batches.length);
      const refusals: BatchResult['refusals'][number][] = [];
      for (const [place, { voter, optionId }] of batch.entries()) {
        const earlier = rows.get(voter.device);
        if (earlier) refusals.push({ place, earlier });
        else rows.set(voter.device, { ...voter, nonce: null, optionId, createdAt: moment, hasReceipt: true });
      }
      after(batch, batches.length);
      const options = [{ id: 'a', votes: rows.size, offered: true }];
      const ballot = {
        ballotId: 'p',
        kind: 'poll',
        isActive: true,
        startsAt: 0,
        endsAt: null,
        closedAt: null,
        secret: null,
        log: null,
        protection: 0,
        choice: oneChoice,
      };
      return {
        refusals,
        statistics: '{}',
        used: new Map(),
        tallies: new Map([['p', { ...ballot, totalVotes: rows.size, textsUpdatedAt: 0, options }]]),
      };
    },
    testWrite: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const intake = new GroupCommit(
    () => {
      opened += 1;
      return Promise.resolve(writer);
    },
    fixedClock(now),
    silentLogger,
    { oneWriter: true },
  );
  return { intake, rows, batches, opened: () => opened };
}

const failure = (code: string) => Object.assign(new Error(code), { code });
const statusesOf = async (outcomes: readonly Promise<{ status: string }>[]) =>
  (await Promise.all(outcomes)).map(({ status }) => status);

test('a lone vote is committed at once, and votes that arrive during a commit share the next one', async () => {
  const late: Promise<{ status: string }>[] = [];
  const { intake, batches } = memory((_, attempt) => {
    if (attempt === 1) for (let n = 0; n < 30; n++) late.push(intake.cast(voteBy(`late ${n}`)));
  });
  expect((await intake.cast(voteBy('first'))).status).toBe('recorded');
  expect(new Set(await statusesOf(late))).toEqual(new Set(['recorded']));
  expect(batches).toEqual([1, 30]);
});

test('votes of the same event-loop turn share one commit, up to the batch size', async () => {
  const { intake, batches } = memory();
  await Promise.all(Array.from({ length: voteBatch + 5 }, (_, n) => intake.cast(voteBy(`voter ${n}`))));
  expect(batches).toEqual([voteBatch, 5]);
});

test('an exclusive task runs between two batches, and votes wait only as long as it runs', async () => {
  const order: string[] = [];
  const late: Promise<unknown>[] = [];
  const { intake } = memory((batch, attempt) => {
    order.push(`begin ${batch.length}`);
    if (attempt !== 1) return;
    for (let n = 0; n < 3; n++) late.push(intake.cast(voteBy(`late ${n}`)));
    late.push(
      intake.runExclusive(async () => {
        order.push('import');
        late.push(intake.cast(voteBy('meanwhile')));
        await new Promise(setImmediate);
        order.push('imported');
        return 250;
      }),
    );
  });
  await intake.cast(voteBy('first'));
  await Promise.all([...late]);
  await Promise.all(late);
  expect(order).toEqual(['begin 1', 'import', 'imported', 'begin 4']);
  expect(await late[3]).toBe(250);
});

test('a failed exclusive task rejects for its caller, and votes go on', async () => {
  const { intake } = memory();
  await expect(intake.runExclusive(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect((await intake.cast(voteBy('a'))).status).toBe('recorded');
});

test('after draining, a later vote is refused and not counted', async () => {
  const { intake, rows } = memory();
  const last = intake.cast(voteBy('a'));
  await intake.drain();
  expect(await statusesOf([last, intake.cast(voteBy('b'))])).toEqual(['recorded', 'overloaded']);
  expect([...rows.keys()]).toEqual(['a']);
});

test('a vote that the database refuses does not affect the others of its batch', async () => {
  const { intake, rows } = memory((batch) => {
    if (batch.some(({ voter }) => voter.device === 'poison')) throw failure('SQLITE_CONSTRAINT');
  });
  const voters = ['a', 'b', 'poison', 'c', 'd', 'e', 'f'];
  const outcomes = await Promise.allSettled(voters.map((voter) => intake.cast(voteBy(voter))));
  expect(outcomes.map(({ status }) => status)).toEqual(
    voters.map((voter) => (voter === 'poison' ? 'rejected' : 'fulfilled')),
  );
  expect([...rows.keys()]).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a batch that conflicted with another writer is retried', async () => {
  const { intake, batches } = memory((_, attempt) => {
    if (attempt <= 2) throw failure(attempt === 1 ? '40P01' : 'SQLITE_BUSY');
  });
  expect((await intake.cast(voteBy('a'))).status).toBe('recorded');
  expect(batches).toHaveLength(3);
});

test('when another writer never releases its lock, voters are told to retry, and nothing is recorded', async () => {
  const { intake, rows } = memory(() => {
    throw failure('SQLITE_BUSY');
  });
  expect(await statusesOf([intake.cast(voteBy('a')), intake.cast(voteBy('b'))])).toEqual(['overloaded', 'overloaded']);
  expect(rows.size).toBe(0);
});

test('[D2.12] when the connection breaks after the commit, each vote still gets its true outcome', async () => {
  const { intake, opened } = memory(undefined, (_, attempt) => {
    if (attempt === 1) throw failure('ECONNRESET');
  });
  const same = voteBy('a');
  expect(await statusesOf([intake.cast(same), intake.cast(same), intake.cast(voteBy('b'))])).toEqual([
    'recorded',
    'already-voted',
    'recorded',
  ]);
  expect(opened()).toBe(2);
});

test('when the connection breaks before the commit, the votes are recorded over a new one', async () => {
  const { intake, rows } = memory((_, attempt) => {
    if (attempt === 1) throw new Error('Connection terminated unexpectedly');
  });
  expect(await statusesOf([intake.cast(voteBy('a')), intake.cast(voteBy('b'))])).toEqual(['recorded', 'recorded']);
  expect(rows.size).toBe(2);
});

test('a vote from before the connection broke is not mistaken for one of the lost batch', async () => {
  const { intake, rows } = memory((_, attempt) => {
    if (attempt === 1) throw failure('ECONNRESET');
  });
  rows.set('a', { device: 'a', cookie: 'a-cookie', nonce: null, optionId: 'a', createdAt: now - 1, hasReceipt: true });
  expect(await statusesOf([intake.cast(voteBy('a'))])).toEqual(['already-voted']);
});

test('when the outcome of a vote is unknown, it is neither acknowledged nor refused', async () => {
  const { intake } = memory(() => {
    throw failure('ECONNRESET');
  });
  await expect(intake.cast(voteBy('a'))).rejects.toThrow('ECONNRESET');
});

test('votes beyond the queue limit are told to retry', async () => {
  const { intake } = memory();
  const waiting = Array.from({ length: voteQueue }, (_, n) => intake.cast(voteBy(`voter ${n}`)));
  expect((await intake.cast(voteBy('one too many'))).status).toBe('overloaded');
  expect(new Set(await statusesOf(waiting))).toEqual(new Set(['recorded']));
});

test('draining waits for every queued vote', async () => {
  const { intake, rows } = memory();
  for (const voter of ['a', 'b', 'c']) void intake.cast(voteBy(voter));
  await intake.drain();
  expect(rows.size).toBe(3);
});

test('when the database runs out of locks, the batch is retried over the same connection', () => {
  expect(causeOf(Object.assign(new Error('out of shared memory'), { code: '53200' }))).toBe('contention');
});
