import { totalmem } from 'node:os';

/** Bytes of memory below which processes save memory at the price of processor time. */
const littleBytes = 1.5e9;

/** Whether this machine, or the control group of this process, has little memory. */
export const hasLittleMemory = (): boolean =>
  // 0 if there is no control group; a very large number if it has no limit.
  Math.min(totalmem(), process.constrainedMemory() || Infinity) < littleBytes;
