import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { canMeasureMemory } from '#api/testing/resident-memory.ts';
import { watchMemory } from './site-build.ts';

test.runIf(canMeasureMemory)(
  'the memory of a build includes all its processes, even those that have ended',
  async () => {
    // A shell that starts a short and a long process and waits for neither.
    const shell = spawn('sh', ['-c', 'true & exec node -e "setTimeout(() => {}, 1000)"'], { stdio: 'ignore' });
    const memory = watchMemory(shell.pid ?? 0);
    await once(shell, 'exit');
    expect(memory.stop()).toBeGreaterThan(10_000_000);
  },
);
