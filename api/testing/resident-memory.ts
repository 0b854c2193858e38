import { readFile, writeFile } from 'node:fs/promises';

/** Whether the memory of another process can be told exactly here. */
export const canMeasureMemory = process.platform === 'linux';

/** How many bytes of a process are in memory now, and how many were at most since {@link forgetPeak}. Linux only. */
export async function residentMemory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Lets the peak of a process begin anew at what it has now. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
