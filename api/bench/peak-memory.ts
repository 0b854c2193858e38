import { readFile } from 'node:fs/promises';
import { canMeasureMemory, residentMemory } from '#api/testing/resident-memory.ts';

/** Milliseconds between two looks. */
const between = 200;

/**
 * Watches how many bytes a process and all that it starts have in memory together. `stop` answers the most that was seen,
 * or null where that cannot be told; pages that two of them share count twice.
 */
export function watchMemory(pid: number): { stop(): number | null } {
  let most = 0;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    most = Math.max(most, await memoryOfAll(pid));
    looking = false;
  };
  const timer = canMeasureMemory ? setInterval(() => void look(), between) : undefined;
  return {
    stop() {
      clearInterval(timer);
      return most > 0 ? most : null;
    },
  };
}

/** A process that has ended meanwhile takes nothing. */
async function memoryOfAll(pid: number): Promise<number> {
  try {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const theirs = await Promise.all(children.split(' ').map(Number).filter(Boolean).map(memoryOfAll));
    // One that has ended and that nobody has asked about is still listed, without a figure.
    const { now } = await residentMemory(pid);
    return theirs.reduce((sum, one) => sum + one, Number.isNaN(now) ? 0 : now);
  } catch {
    return 0;
  }
}
