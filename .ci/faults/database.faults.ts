import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import { pathOf } from '#contract/routes.ts';
import { until } from './instance.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';
import { faultTexts } from './texts.ts';
import { verifyVotes, showsPages } from './checks.ts';
import { refusalProblem, register } from './visitors.ts';

const texts = faultTexts.database;

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
    await withoutDatabase(fault, instance, texts.gone, async (whileAway) => {
      await crash(server);
      await whileAway(2_000);
      await server.startAgain();
    });
    await withoutDatabase(fault, instance, texts.still, async (whileAway) => {
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
    const [reading] = await Promise.all([isRefused(instance, line), showsPages(instance, line), pause(ms)]);
    line.shown(texts.refusedAfter(reading));
  });
  const back = performance.now();
  const before = visitors.acknowledged.length;
  await until(faultTexts.noVoteTaken, 60_000, () => visitors.acknowledged.length > before);
  line.shown(texts.again(performance.now() - back));
  await visitors.stop();
  line.expect(await member.isSignedIn(), texts.signedOut);
  line.expect(visitors.slowestMs < bound, texts.slow(visitors.slowestMs));
  await verifyVotes(instance.url, await instance.voterKey(), visitors, line);
  fault.step(what);
}

/** Expects that a read is refused with a reason within the time limit; returns the milliseconds. */
async function isRefused(instance: Instance, line: Line): Promise<number> {
  const answer = await instance.get(pathOf('activePolls'));
  line.expect(answer.status === 503, faultTexts.notRead(pathOf('activePolls'), answer.status));
  const wrong = refusalProblem(answer);
  if (answer.status !== 200 && wrong !== null) line.problem(wrong);
  line.expect(answer.ms < bound, texts.slow(answer.ms));
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
