import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A command of the product that runs as a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  /** All that it has said so far. */
  said(): string;
  /** Its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  /** Ends it in good order, or with another signal; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts one of the commands of `api/commands`. */
export function start(command: string, words: readonly string[], env: Readonly<Record<string, string>>): Running {
  const script = fileURLToPath(new URL(`../../api/commands/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-200_000)));
  // Not "close": what a killed process had started keeps its output open.
  const ended = new Promise<number | null>((done) =>
    child.once('exit', (code) => {
      running.delete(child);
      // What it said last is still on its way.
      setTimeout(() => done(code), 20);
    }),
  );
  return {
    child,
    said: () => said,
    ended,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs a command to its end, which must come within two minutes. */
export async function runToEnd(
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; said: string; ms: number }> {
  const begun = performance.now();
  const one = start(command, words, env);
  const late = setTimeout(() => one.child.kill('SIGKILL'), 120_000);
  const code = await one.ended;
  clearTimeout(late);
  return { code, said: one.said().trim(), ms: performance.now() - begun };
}

/** Waits until something holds and answers the milliseconds that it took; rejects with `what` when it takes too long. */
export async function until(
  what: string | (() => string),
  ms: number,
  holds: () => Promise<boolean> | boolean,
): Promise<number> {
  const begun = performance.now();
  for (;;) {
    if (await holds()) return performance.now() - begun;
    if (performance.now() - begun > ms) throw new Error(typeof what === 'string' ? what : what());
    await pause(20);
  }
}
