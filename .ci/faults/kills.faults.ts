import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { engines } from '#ci/bench/new-databases.ts';
import { runningPublish } from '#api/publishing/job.service.ts';
import { damagedFiles } from '#api/testing/test-builds.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';
import { start } from './instance.ts';
import { call, seconds, until } from './visitors.ts';

/** What is killed: its share of a hundred kills, and what is measured. */
const victims = {
  api: { name: 'API service', share: 40, back: (time: string) => `healthy again within ${time} of restarting` },
  site: { name: 'site service', share: 20, back: (time: string) => `pages again within ${time} of restarting` },
  start: { name: 'npm start', share: 20, back: (time: string) => `both services released their ports within ${time}` },
  builder: { name: 'builder', share: 20, back: (time: string) => `the next builder took the job within ${time}` },
} as const;
type Victim = keyof typeof victims;

/** Every process is killed at random moments during voting and restarted. */
export const kills: Scenario = {
  name: 'kills',
  async run(fault) {
    for (const engine of engines) {
      const instance = await fault.instance(engine);
      for (const victim of Object.keys(victims) as Victim[]) {
        const { name, share, back } = victims[victim];
        const rounds = Math.max(1, Math.round((fault.rounds * share) / 100 / engines.length));
        const line = fault.line(`kill -9 of the ${name} under votes, ${engine}`, rounds);
        let slowest = 0;
        for (let round = 0; round < rounds; round++) {
          try {
            slowest = Math.max(slowest, await kill[victim]({ fault, instance, line }));
          } catch (error) {
            // Later rounds may reveal more.
            line.problem(messageOf(error));
            await instance.stop();
          }
          fault.step(`${name}, ${engine}`);
        }
        if (victim === 'builder') await buildThrough(instance, line);
        await instance.stop();
        line.shown(back(seconds(slowest)));
      }
    }
  },
};

interface Round {
  readonly fault: Fault;
  readonly instance: Instance;
  readonly line: Line;
}

/** Each kills once and returns the milliseconds until recovery. */
const kill: Readonly<Record<Victim, (round: Round) => Promise<number>>> = {
  async api({ fault, instance, line }) {
    await bothServices(instance);
    const visitors = instance.startVoters();
    await pause(fault.random.whole(50, 600));
    await instance.api?.end('SIGKILL');
    const pages = await instance.get('/');
    line.expect(pages.status === 200, `the home page returned ${pages.status}`);
    const back = await instance.startApi('--no-publisher');
    await until('No more votes were accepted.', 10_000, () => visitors.statuses.get(200) !== undefined);
    await visitors.stop();
    await instance.untilVoteTaken();
    await instance.verify(visitors, line);
    return back;
  },
  async site({ fault, instance, line }) {
    await bothServices(instance);
    const visitors = instance.startVoters();
    await pause(fault.random.whole(50, 600));
    await instance.site?.end('SIGKILL');
    const back = await instance.startSite();
    await visitors.stop();
    await instance.untilVoteTaken();
    await instance.verify(visitors, line);
    return back;
  },
  async start({ fault, instance, line }) {
    const supervisor = start('start', [], instance.env);
    try {
      await until(
        () => `npm start did not come up: ${supervisor.output().slice(-600)}`,
        120_000,
        async () => {
          if (supervisor.child.exitCode !== null)
            throw new Error(`npm start did not come up: ${supervisor.output().slice(-600)}`);
          return (await instance.get('/')).status === 200 && (await instance.get('/api/health')).status === 200;
        },
      );
      const visitors = instance.startVoters();
      await pause(fault.random.whole(50, 600));
      await supervisor.end('SIGKILL');
      const back = await until('services kept running after npm start was killed', 20_000, async () => {
        const answers = await Promise.all([call(`${instance.origin}/`), call(`${instance.apiOrigin}/api/health`)]);
        return answers.every(({ status }) => status === 0);
      });
      await visitors.stop();
      await instance.verify(visitors, line);
      return back;
    } finally {
      await supervisor.end('SIGKILL');
    }
  },
  async builder({ fault, instance, line }) {
    await bothServices(instance);
    const db = openDatabase(instance.url);
    const builder = start('build', [], instance.env);
    try {
      const visitors = instance.startVoters(4);
      const begun = performance.now();
      await until(
        () => `the build did not finish: ${builder.output().slice(-600)}`,
        60_000,
        async () => {
          return (await runningPublish(db))?.runner?.includes(`:${builder.child.pid ?? 0}:`) === true;
        },
      );
      const back = performance.now() - begun;
      await pause(fault.random.whole(0, 4_000));
      await builder.end('SIGKILL');
      await visitors.stop();
      await servesWholePages(instance, line);
      await instance.verify(visitors, line);
      return back;
    } finally {
      await builder.end('SIGKILL');
      await db.destroy();
    }
  },
};

async function bothServices(instance: Instance): Promise<void> {
  // The publisher is part of the builder’s round; here it would take over the other builder’s job.
  if (!instance.api) await instance.startApi('--no-publisher');
  if (!instance.site) await instance.startSite();
}

/** After all kills, one build succeeds and its pages are served. */
async function buildThrough(instance: Instance, line: Line): Promise<void> {
  const builder = start('build', [], instance.env);
  const code = await builder.ended;
  line.expect(code === 0, `the build did not finish: ${builder.output().slice(-600)}`);
  await servesWholePages(instance, line);
}

async function servesWholePages(instance: Instance, line: Line): Promise<void> {
  const [broken] = damagedFiles(instance.dataDir);
  line.expect(broken === undefined, `a page is damaged: ${broken}`);
  const pages = await instance.get('/');
  line.expect(pages.status === 200, `the home page returned ${pages.status}`);
}
