import { expect, test } from 'vitest';
import {
  cpuGroups,
  cpuPerVote,
  endedChildrenTimes,
  groupOfDatabaseProcess,
  groupOfThread,
  threadTimes,
  totalCpu,
} from './cpu-time.ts';
import type { CpuGroup, CpuTimes, ThreadTimes } from './cpu-time.ts';

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

test('processor time per vote is the difference of two readings by the votes between them', () => {
  const reading = (times: Partial<Record<CpuGroup, ThreadTimes>>): CpuTimes => ({
    ...(Object.fromEntries(cpuGroups.map((group) => [group, { cpu: 0, queued: 0 }])) as Record<CpuGroup, ThreadTimes>),
    ...times,
  });
  const before = reading({ eventLoop: { cpu: 1_000, queued: 10 }, databaseBackends: { cpu: 500, queued: 0 } });
  const after = reading({ eventLoop: { cpu: 51_000, queued: 2_010 }, databaseBackends: { cpu: 30_500, queued: 0 } });
  const perVote = cpuPerVote(before, after, 1_000);
  expect(perVote).toEqual(reading({ eventLoop: { cpu: 50, queued: 2 }, databaseBackends: { cpu: 30, queued: 0 } }));
  expect(totalCpu(perVote)).toBe(80);
});
