import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';

/** Ends PostgreSQL at once, as its "immediate" mode does; resolves when it is gone. */
export async function crash(server: PostgresServer): Promise<void> {
  const pid = await postmaster(server);
  process.kill(pid, 'SIGQUIT');
  while (isThere(pid)) await pause(20);
}

/** Lets PostgreSQL with all its processes stand still until what it answers is called. */
export async function standStill(server: PostgresServer): Promise<() => void> {
  const pids: number[] = [];
  const parent = await postmaster(server);
  // The one that makes new processes first.
  for (const pid of [parent, ...(await childrenOf(parent))]) {
    process.kill(pid, 'SIGSTOP');
    pids.push(pid);
  }
  return () => pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
}

async function postmaster({ folder }: PostgresServer): Promise<number> {
  return Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
