import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { canMeasureMemory } from '#api/testing/resident-memory.ts';
import { watchMemory } from './server-process.ts';

test.runIf(canMeasureMemory)('the memory of a build includes all processes that it starts', async () => {
  // A shell that starts a short and a long process and waits for neither.
  const shell = spawn('sh', ['-c', 'true & node -e "setTimeout(() => {}, 1500)"; true'], { stdio: 'ignore' });
  const memory = watchMemory(shell.pid ?? 0);
  await once(shell, 'exit');
  expect(memory.stop()).toBeGreaterThan(10_000_000);
});
