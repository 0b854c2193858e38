import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import { pathOf } from '#domain/path-of.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';
import { shows, untilMore } from './checks.ts';
import { refusalProblem, register, seconds } from './visitors.ts';

/** The time limit for every call, whatever the database does, in milliseconds. */
const bound = 20_000;

/** PostgreSQL is stopped and restarted, or frozen for a while. */
export const databaseAway: Scenario = {
  name: 'database',
  async run(fault) {
    const server = await fault.postgres();
    const instance = await fault.instance('PostgreSQL');
    await instance.startApi('--no-publisher');
    await instance.startSite();
    await withoutDatabase(fault, instance, 'PostgreSQL is stopped immediately and restarted', async (whileAway) => {
      await crash(server);
      await whileAway(2_000);
      await server.startAgain();
    });
    await withoutDatabase(fault, instance, 'PostgreSQL freezes for 20 s', async (whileAway) => {
      const goOn = await standStill(server);
      try {
        await whileAway(bound);
      } finally {
        goOn();
      }
    });
  },
};

async function withoutDatabase(
  fault: Fault,
  instance: Instance,
  what: string,
  take: (whileAway: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const line = fault.line(what);
  const member = await register(instance.origin);
  await instance.untilVoteTaken();
  const visitors = instance.startVoters();
  await pause(500);
  await take(async (ms) => {
    const [reading] = await Promise.all([isRefused(instance, line), shows(instance, line), pause(ms)]);
    line.shown(`a read was refused after ${seconds(reading)}`);
  });
  line.shown(`votes accepted ${seconds(await untilMore(visitors))} after it was back`);
  await visitors.stop();
  line.expect(await member.isSignedIn(), 'someone who was signed in no longer is');
  line.expect(visitors.slowestMs < bound, `a response took ${seconds(visitors.slowestMs)}`);
  await instance.verify(visitors, line);
  fault.step(what);
}

/** Expects that a read is refused with a reason within the time limit; returns the milliseconds. */
async function isRefused(instance: Instance, line: Line): Promise<number> {
  const answer = await instance.get(pathOf('activePolls'));
  line.expect(answer.status === 503, `${pathOf('activePolls')} returned ${answer.status} in the meantime`);
  const wrong = refusalProblem(answer);
  if (answer.status !== 200 && wrong !== null) line.problem(wrong);
  line.expect(answer.ms < bound, `a response took ${seconds(answer.ms)}`);
  return answer.ms;
}

/** Stops PostgreSQL in its "immediate" mode; resolves when it has exited. */
export async function crash(server: PostgresServer): Promise<void> {
  const pid = await postmaster(server);
  process.kill(pid, 'SIGQUIT');
  while (isThere(pid)) await pause(20);
}

/** Freezes all PostgreSQL processes; returns a function that resumes them. */
async function standStill(server: PostgresServer): Promise<() => void> {
  const pids: number[] = [];
  const parent = await postmaster(server);
  // The postmaster first, because it starts new processes.
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
