import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies this process as the runner of a job: host, process id, and a random suffix, because process ids are reused.
 * Containers may share a host name but not process ids, so the PID namespace is included.
 */
export function newRunner(): string {
  return `${hostId()}:${process.pid}:${Math.random().toString(36).slice(2, 8)}`.slice(-120);
}

/** Whether a runner’s process certainly ended; a process on another host never counts. */
export function isGone(runner: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(runner) ?? [];
  if (host === undefined || host !== hostId()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function hostId(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Only Linux has namespaces.
  }
  return `${hostname().slice(-60)}/${namespace}`;
}
