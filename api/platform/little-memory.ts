import { totalmem } from 'node:os';

/** Bytes of memory below which processes save memory at the price of processor time. */
const littleBytes = 1.5e9;

/** Whether this machine, or the control group of this process, has little memory. */
export const hasLittleMemory = (): boolean =>
  // 0 if there is no control group; a very large number if it has no limit.
  Math.min(totalmem(), process.constrainedMemory() || Infinity) < littleBytes;

/** How processes that publish are run: with one arena for contents that are compressed, they take 70 MB instead of 130. */
export const publishingProcess = { nodeArgs: ['--max-semi-space-size=4'], env: { MALLOC_ARENA_MAX: '1' } } as const;
