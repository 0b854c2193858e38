import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a database that can be made long, or lead nowhere. */
export interface SlowDoor {
  readonly port: number;
  /** Milliseconds that everything takes to go through, each way. */
  delayMs: number;
  /** Lets nothing through, and tells nobody: what is sent is taken. */
  stalled: boolean;
  close(): Promise<void>;
}

/** Opens a door to a port of this machine. */
export async function openDoor(to: number): Promise<SlowDoor> {
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
