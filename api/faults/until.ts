import { setTimeout as pause } from 'node:timers/promises';

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
