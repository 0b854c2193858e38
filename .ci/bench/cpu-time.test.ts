import { expect, test } from 'vitest';
import {
  cpuPerVote,
  endedChildrenTimes,
  groupOfDatabaseProcess,
  groupOfThread,
  threadTimes,
  totalCpu,
} from './cpu-time.ts';
import type { CpuGroup, CpuReading } from './cpu-time.ts';

test('processor time is told apart by event loop, SQLite’s threads, and V8, for the API and for the site service', () => {
  const groups = (['api', 'site'] as const).map((kind) =>
    ['MainThread', 'libuv-worker', 'V8Worker', 'DelayedTaskSche'].map((name, n) => groupOfThread(kind, name, n === 0)),
  );
  expect(groups).toEqual([
    ['eventLoop', 'threadPool', 'engine', 'engine'],
    ['siteEventLoop', 'siteOther', 'siteOther', 'siteOther'],
  ]);
});

test('PostgreSQL processes that serve a connection are told apart from its other processes', () => {
  const serving = [
    'postgres: weathervane bench_1 127.0.0.1(33306) idle in transaction',
    'postgres: weathervane bench_1 ::1(33306) SELECT waiting',
    'postgres: weathervane bench_1 [local] idle',
  ];
  const other = [
    '/usr/lib/postgresql/18/bin/postgres -D /var/lib/postgresql',
    'postgres: io worker 0',
    'postgres: walwriter ',
    'postgres: autovacuum worker bench_1',
    'postgres: background writer ',
  ];
  expect(new Set(serving.map(groupOfDatabaseProcess))).toEqual(new Set(['databaseBackends']));
  expect(new Set(other.map(groupOfDatabaseProcess))).toEqual(new Set(['databaseOther']));
});

test('scheduler statistics are read as time on a processor and time waiting for one', () => {
  expect(threadTimes('43298965 129678540 154\n')).toEqual({ cpu: 43_298.965, queued: 129_678.54 });
});

test('the time of ended PostgreSQL processes is found whatever the name of the process', () => {
  const stat =
    '42 (post) gres: x) S 1 42 42 0 -1 4194560 5105 55131 0 103 7 9 250 50 20 0 1 0 1000 0 0 18446744073709551615';
  expect(endedChildrenTimes(stat)).toEqual({ cpu: 3_000_000, queued: 0 });
});

const reading = (times: Readonly<Record<string, [CpuGroup, cpu: number, queued: number]>>): CpuReading =>
  new Map(Object.entries(times).map(([id, [group, cpu, queued]]) => [id, { group, cpu, queued }]));

test('processor time per vote is the difference of two readings by the votes between them', () => {
  const perVote = cpuPerVote(
    reading({ '1/1': ['eventLoop', 1_000, 10], '1/2': ['engine', 2_000, 0], '9': ['databaseBackends', 500, 0] }),
    reading({
      '1/1': ['eventLoop', 51_000, 2_010],
      '1/2': ['engine', 2_000, 0],
      '1/3': ['engine', 4_000, 0],
      '9': ['databaseBackends', 30_500, 0],
    }),
    1_000,
  );
  expect(perVote.eventLoop.cpu).toBeCloseTo(50);
  expect(perVote.eventLoop.queued).toBeCloseTo(2);
  expect(perVote.engine.cpu).toBeCloseTo(4);
  expect(perVote.databaseBackends.cpu).toBeCloseTo(30);
  expect(totalCpu(perVote)).toBeCloseTo(84);
});

test('a database connection that ended in between counts only with what it used in between', () => {
  const perVote = cpuPerVote(
    reading({
      '7': ['databaseBackends', 40_000, 900],
      '8': ['databaseBackends', 0, 0],
      '1 ended': ['databaseOther', 0, 0],
    }),
    reading({ '8': ['databaseBackends', 10_000, 0], '1 ended': ['databaseOther', 45_000, 0] }),
    1_000,
  );
  expect(perVote.databaseBackends).toEqual({ cpu: 10, queued: 0 });
  expect(perVote.databaseOther.cpu).toBeCloseTo(5);
});
