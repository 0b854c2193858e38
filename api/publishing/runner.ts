import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The name of this process as a builder: machine, process, and letters of chance, because processes get their numbers
 * again. Containers that share a machine's name have process numbers of their own, so the space of them is named too.
 */
export function newRunner(): string {
  return `${machine()}:${process.pid}:${Math.random().toString(36).slice(2, 8)}`.slice(-120);
}

/** Whether the process of a builder's name is gone for certain. What runs elsewhere cannot be told from here. */
export function isGone(runner: string): boolean {
  const [, where, pid] = /^(.*):(\d+):[^:]*$/.exec(runner) ?? [];
  if (where === undefined || where !== machine()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function machine(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Only Linux has them.
  }
  return `${hostname().slice(-60)}/${space}`;
}
