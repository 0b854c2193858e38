import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newPostgresDatabase } from '#ci/bench/new-databases.ts';
import type { Scenario } from './scenario.ts';
import { untilMore } from './checks.ts';
import { seconds } from './visitors.ts';

/** The latency to the database in milliseconds. */
const delays = [200, 1_000, 2_000] as const;
/** Concurrent visitors: too many for one vote at a time. */
const crowd = 60;
/** The allowed growth of the API’s memory in megabytes. */
const growth = 120;

/** PostgreSQL has latency, or its network drops everything. */
export const slowDatabase: Scenario = {
  name: 'slow-database',
  async run(fault) {
    const server = await fault.postgres();
    const direct = await newPostgresDatabase(server.url);
    const door = await openDoor(Number(new URL(direct).port));
    fault.later(() => door.close());
    const through = new URL(direct);
    through.port = String(door.port);
    const instance = await fault.instance('PostgreSQL', { databaseUrl: through.href });
    await instance.startBoth();
    const before = await megabytesOf(instance.api?.child.pid);
    for (const delay of [...delays, null]) {
      const line = fault.line(
        delay === null ? 'the network to PostgreSQL is silent for 22 s' : `PostgreSQL has ${delay} ms of latency`,
      );
      const visitors = instance.startVoters(crowd);
      if (delay === null) {
        await pause(500);
        door.stalled = true;
        await pause(22_000);
        door.stalled = false;
        await untilMore(visitors);
      } else {
        door.delayMs = delay;
        await pause(4_000 + 3 * delay);
        door.delayMs = 0;
      }
      await visitors.stop();
      const grown = (await megabytesOf(instance.api?.child.pid)) - before;
      line.expect(grown < growth, `the API grew by ${grown.toFixed(0)} MB`);
      line.expect(visitors.slowestMs < 20_000, `a response took ${seconds(visitors.slowestMs)}`);
      line.expect(visitors.acknowledged.length > 0, 'No more votes were accepted.');
      await instance.verify(visitors, line);
      fault.step(
        delay === null ? 'the network to PostgreSQL is silent for 22 s' : `PostgreSQL has ${delay} ms of latency`,
      );
    }
  },
};

/** The memory of a process on Linux; elsewhere 0. */
async function megabytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/** A TCP proxy to a database with adjustable latency, which can also go silent. */
interface SlowDoor {
  readonly port: number;
  /** The latency in each direction in milliseconds. */
  delayMs: number;
  /** Silently drops everything. */
  stalled: boolean;
  close(): Promise<void>;
}

/** Starts a proxy to a local port. */
async function openDoor(to: number): Promise<SlowDoor> {
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(to, '127.0.0.1');
    for (const [from, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data: Buffer) => {
        const pass = () => {
          if (door.stalled) setTimeout(pass, 50);
          else if (!other.destroyed) other.write(data);
        };
        // Equal timers fire in order, which keeps the order of chunks.
        setTimeout(pass, door.delayMs / 2);
      });
      from.on('close', () => {
        sockets.delete(from);
        setTimeout(() => other.destroy(), door.delayMs);
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const door: SlowDoor = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    stalled: false,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
  return door;
}
