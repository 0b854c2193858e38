import { readFile, writeFile } from 'node:fs/promises';

/** Whether the memory of other processes can be measured exactly here. */
export const canMeasureMemory = process.platform === 'linux';

/** The resident memory of a process in bytes, now and at its peak since {@link forgetPeak}. Linux only. */
export async function residentMemory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Resets the peak of a process to its current value. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
