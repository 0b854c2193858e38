import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '#platform/database.ts';

/** Where a vote’s processor time goes, in the order of the table. */
export const cpuGroups = [
  'eventLoop',
  'threadPool',
  'engine',
  'siteEventLoop',
  'siteOther',
  'databaseBackends',
  'databaseOther',
] as const;
export type CpuGroup = (typeof cpuGroups)[number];

/** A process of the product. For PostgreSQL, the main process stands for all of its processes. */
export interface ProductProcess {
  readonly kind: 'api' | 'site' | 'postgres';
  readonly pid: number;
}

/** Times since the threads started, in microseconds. */
export interface ThreadTimes {
  /** On a processor. */
  readonly cpu: number;
  /** Ready to run, but waiting for a processor. */
  readonly queued: number;
}
export type CpuTimes = Readonly<Record<CpuGroup, ThreadTimes>>;

/** The times of threads by process and thread id. */
export type CpuReading = ReadonlyMap<string, ThreadTimes & { readonly group: CpuGroup }>;

/** The group of a Node thread by its name; the main thread has the id of its process. */
export function groupOfThread(kind: 'api' | 'site', name: string, isMain: boolean): CpuGroup {
  if (kind === 'site') return isMain ? 'siteEventLoop' : 'siteOther';
  if (isMain) return 'eventLoop';
  return name === 'libuv-worker' ? 'threadPool' : 'engine';
}

/** The group of a PostgreSQL process by its title: those that serve a connection name its user, database, and address. */
export function groupOfDatabaseProcess(title: string): CpuGroup {
  return /^postgres: \S+ \S+ (\S+\(\d+\)|\[local\])/.test(title) ? 'databaseBackends' : 'databaseOther';
}

/** The times in a file `schedstat`, which has nanoseconds. */
export function threadTimes(schedstat: string): ThreadTimes {
  const [cpu = 0, queued = 0] = schedstat.trim().split(/\s+/).map(Number);
  return { cpu: cpu / 1_000, queued: queued / 1_000 };
}

/** The processor time of a process’s ended children according to its file `stat`, which has ticks of 10 ms. */
export function endedChildrenTimes(stat: string): ThreadTimes {
  // The name, in parentheses, may contain spaces. The two fields are cutime and cstime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { cpu: (Number(fields[13]) + Number(fields[14])) * 10_000, queued: 0 };
}

/** Whether processor time can be measured by thread here, which takes Linux with scheduler statistics. */
export async function canMeasureThreads(): Promise<boolean> {
  return (await readFile('/proc/self/schedstat', 'utf8').catch(() => '')) !== '';
}

/** Reads the times of processes by thread; `except` are processes to leave out. */
export async function readCpu(
  processes: readonly ProductProcess[],
  except: readonly number[] = [],
): Promise<CpuReading> {
  const reading = new Map<string, ThreadTimes & { group: CpuGroup }>();
  for (const { kind, pid } of processes) {
    if (kind === 'postgres') {
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
      for (const process of [pid, ...children.filter((child) => !except.includes(child))]) {
        const files = ['cmdline', 'schedstat'].map((file) => readFile(`/proc/${process}/${file}`, 'utf8'));
        // It may have ended since it was listed.
        const [title, schedstat] = await Promise.all(files).catch(() => []);
        if (title !== undefined && schedstat !== undefined)
          reading.set(`${process}`, { group: groupOfDatabaseProcess(title), ...threadTimes(schedstat) });
      }
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      reading.set(`${pid} ended`, { group: 'databaseOther', ...endedChildrenTimes(stat) });
    } else
      for (const thread of await readdir(`/proc/${pid}/task`)) {
        const folder = `/proc/${pid}/task/${thread}`;
        const name = (await readFile(`${folder}/comm`, 'utf8')).trim();
        const times = threadTimes(await readFile(`${folder}/schedstat`, 'utf8'));
        reading.set(`${pid}/${thread}`, { group: groupOfThread(kind, name, Number(thread) === pid), ...times });
      }
  }
  return reading;
}

/**
 * The times between two readings by group, divided by a number of votes. What processes of PostgreSQL used before they
 * ended in between counts as the database’s other processes.
 */
export function cpuPerVote(before: CpuReading, after: CpuReading, votes: number): CpuTimes {
  const times = Object.fromEntries(cpuGroups.map((group) => [group, { cpu: 0, queued: 0 }])) as Record<
    CpuGroup,
    { cpu: number; queued: number }
  >;
  const add = (group: CpuGroup, { cpu, queued }: ThreadTimes, sign: 1 | -1) => {
    times[group].cpu += (sign * cpu) / votes;
    times[group].queued += (sign * queued) / votes;
  };
  for (const thread of after.values()) add(thread.group, thread, 1);
  for (const [id, thread] of before)
    // The time of an ended process has moved to the ended ones, where waiting is not recorded.
    if (after.has(id)) add(thread.group, thread, -1);
    else add('databaseOther', { cpu: thread.cpu, queued: 0 }, -1);
  return times;
}

/** The processor time of all groups together. */
export function totalCpu(times: CpuTimes): number {
  return cpuGroups.reduce((sum, group) => sum + times[group].cpu, 0);
}

/** The process id of the PostgreSQL server behind a handle, which must run on this machine. */
export async function postgresPid(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { pid: string }[] }>(
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  );
  return Number(rows[0]?.pid);
}
