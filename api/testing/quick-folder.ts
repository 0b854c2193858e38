import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** The required free bytes, far more than a test run needs. */
const enough = 2 * 1024 ** 3;

/**
 * The folder for test databases: in memory if available, because creating one writes hundreds of files; otherwise on
 * disk.
 */
export function quickFolder(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
