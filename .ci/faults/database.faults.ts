import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import { pathOf } from '#contract/routes.ts';
import { until } from './running.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Stand } from './stand.ts';
import { faultTexts } from './texts.ts';
import { judge, showsPages } from './verdict.ts';
import { dishonesty, register } from './visitors.ts';

const texts = faultTexts.database;

/** Milliseconds within which every call must have its answer, whatever the database does. */
const bound = 20_000;

/** PostgreSQL ends and is started again, or stands still for a while. */
export const databaseAway: Scenario = {
  name: 'database',
  async run(fault) {
    const server = await fault.postgres();
    const stand = await fault.stand('PostgreSQL');
    await stand.startApi('--no-publisher');
    await stand.startSite();
    await withoutDatabase(fault, stand, texts.gone, async (whileAway) => {
      await crash(server);
      await whileAway(2_000);
      await server.startAgain();
    });
    await withoutDatabase(fault, stand, texts.still, async (whileAway) => {
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
  stand: Stand,
  what: string,
  take: (whileAway: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const line = fault.line(what);
  const member = await register(stand.origin);
  await stand.untilVoteTaken();
  const visitors = stand.letVote();
  await pause(500);
  await take(async (ms) => {
    const [reading] = await Promise.all([isRefused(stand, line), showsPages(stand, line), pause(ms)]);
    line.shown(texts.refusedAfter(reading));
  });
  const back = performance.now();
  const before = visitors.acknowledged.length;
  await until(faultTexts.noVoteTaken, 60_000, () => visitors.acknowledged.length > before);
  line.shown(texts.again(performance.now() - back));
  await visitors.stop();
  line.expect(await member.isSignedIn(), texts.signedOut);
  line.expect(visitors.slowestMs < bound, texts.slow(visitors.slowestMs));
  await judge(stand.url, visitors, line);
  fault.step(what);
}

/** A reading call is refused within the bound, and says why; answers the milliseconds. */
async function isRefused(stand: Stand, line: Line): Promise<number> {
  const answer = await stand.get(pathOf('activePolls'));
  line.expect(answer.status === 503, faultTexts.notRead(pathOf('activePolls'), answer.status));
  const wrong = dishonesty(answer);
  if (answer.status !== 200 && wrong !== null) line.problem(wrong);
  line.expect(answer.ms < bound, texts.slow(answer.ms));
  return answer.ms;
}

/** Ends PostgreSQL at once, as its "immediate" mode does; resolves when it is gone. */
export async function crash(server: PostgresServer): Promise<void> {
  const pid = await postmaster(server);
  process.kill(pid, 'SIGQUIT');
  while (isThere(pid)) await pause(20);
}

/** Lets PostgreSQL with all its processes stand still until what it answers is called. */
async function standStill(server: PostgresServer): Promise<() => void> {
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
