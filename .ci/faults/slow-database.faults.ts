import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from './running.ts';
import { newPostgresDatabase } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { faultTexts } from './texts.ts';
import { judge } from './verdict.ts';

const texts = faultTexts.slowDatabase;

/** Milliseconds that the way to the database takes. */
const delays = [200, 1_000, 2_000] as const;
/** Visitors at once: enough that one vote at a time would never do. */
const crowd = 60;
/** Megabytes by which the API may grow meanwhile. */
const growth = 120;

/** PostgreSQL is far away, or behind a network that fell silent. */
export const slowDatabase: Scenario = {
  name: 'slow-database',
  async run(fault) {
    const server = await fault.postgres();
    const direct = await newPostgresDatabase(server.url);
    const door = await openDoor(Number(new URL(direct).port));
    fault.later(() => door.close());
    const through = new URL(direct);
    through.port = String(door.port);
    const stand = await fault.stand('PostgreSQL', { databaseUrl: through.href });
    await stand.startApi('--no-publisher');
    await stand.startSite();
    await stand.untilVoteTaken();
    const before = await megabytesOf(stand.api?.child.pid);
    for (const delay of [...delays, null]) {
      const line = fault.line(delay === null ? texts.silent : texts.far(delay));
      const visitors = stand.letVote(crowd);
      if (delay === null) {
        await pause(500);
        door.stalled = true;
        await pause(22_000);
        door.stalled = false;
        const acknowledged = visitors.acknowledged.length;
        await until(faultTexts.noVoteTaken, 60_000, () => visitors.acknowledged.length > acknowledged);
      } else {
        door.delayMs = delay;
        await pause(4_000 + 3 * delay);
        door.delayMs = 0;
      }
      await visitors.stop();
      const grown = (await megabytesOf(stand.api?.child.pid)) - before;
      line.expect(grown < growth, texts.grown(grown));
      line.expect(visitors.slowestMs < 20_000, faultTexts.database.slow(visitors.slowestMs));
      line.expect(visitors.acknowledged.length > 0, faultTexts.noVoteTaken);
      await judge(direct, visitors, line);
      fault.step(delay === null ? texts.silent : texts.far(delay));
    }
  },
};

/** Memory of a process, where the system tells (Linux); else 0. */
async function megabytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/** A way to a database that can be made long, or lead nowhere. */
interface SlowDoor {
  readonly port: number;
  /** Milliseconds that everything takes to go through, each way. */
  delayMs: number;
  /** Lets nothing through, and tells nobody: what is sent is taken. */
  stalled: boolean;
  close(): Promise<void>;
}

/** Opens a door to a port of this machine. */
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
        // One timer after another keeps the order, because all of them wait for as long.
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
