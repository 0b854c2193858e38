import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiNodeArgs } from '#api/commands/supervisor.ts';

/** The operator's password at the servers of the benchmark. */
export const benchPassword = 'the operator of the benchmark';

/** A server of the benchmark in a process of its own. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Ends it as a power cut would: at once, in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Starts one of the servers of this folder; resolves when it listens. */
export async function startServer(file: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production', RATE_LIMIT: 'off', ...env },
    execArgv: [...apiNodeArgs],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const port = await new Promise<number>((listening, failed) => {
    child.once('message', (message) => listening(Number(message)));
    child.once('exit', (code) => failed(new Error(`${file} ended with code ${code} before it listened.`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The server's side: listens on a free port, says which, and closes in good order when it is told to stop. */
export function serve(server: Server, close: () => Promise<void>): void {
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  // A benchmark that failed leaves no server behind.
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', () => {
    server.close(() => void close().then(() => process.exit(0)));
    server.closeAllConnections();
  });
}
