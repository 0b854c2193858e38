import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { engines } from '#ci/bench/new-databases.ts';
import { runningJob } from '#api/publishing/jobs.queries.ts';
import { brokenReleases } from '#api/testing/whole-releases.ts';
import { faultTexts } from './texts.ts';
import { start, until } from './running.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Stand } from './stand.ts';
import { judge } from './verdict.ts';
import { call } from './visitors.ts';

const texts = faultTexts.kills;

/** Which of a hundred kills fall to whom. */
const shares = { api: 40, site: 20, start: 20, builder: 20 } as const;
type Victim = keyof typeof shares;

/** Every process is killed at moments of chance while people vote, and started again. */
export const kills: Scenario = {
  name: 'kills',
  async run(fault) {
    for (const engine of engines) {
      const stand = await fault.stand(engine);
      for (const victim of Object.keys(shares) as Victim[]) {
        const rounds = Math.max(1, Math.round((fault.rounds * shares[victim]) / 100 / engines.length));
        const line = fault.line(texts.fault(texts.victims[victim], engine), rounds);
        let slowest = 0;
        for (let round = 0; round < rounds; round++) {
          try {
            slowest = Math.max(slowest, await kill[victim]({ fault, stand, line }));
          } catch (error) {
            // The next rounds may tell more about it.
            line.problem(messageOf(error));
            await stand.stop();
          }
          fault.step(texts.step(texts.victims[victim], engine));
        }
        if (victim === 'builder') await buildThrough(stand, line);
        await stand.stop();
        line.shown(texts.back[victim](slowest));
      }
    }
  },
};

interface Round {
  readonly fault: Fault;
  readonly stand: Stand;
  readonly line: Line;
}

/** Each kills once and answers the milliseconds until all is as before. */
const kill: Readonly<Record<Victim, (round: Round) => Promise<number>>> = {
  async api({ fault, stand, line }) {
    await bothServices(stand);
    const visitors = stand.letVote();
    await pause(fault.random.whole(50, 600));
    await stand.api?.end('SIGKILL');
    const pages = await stand.get('/');
    line.expect(pages.status === 200, texts.noPages(pages.status));
    const back = await stand.startApi('--no-publisher');
    await until(faultTexts.noVoteTaken, 10_000, () => visitors.statuses.get(200) !== undefined);
    await visitors.stop();
    await stand.untilVoteTaken();
    await judge(stand.url, visitors, line);
    return back;
  },
  async site({ fault, stand, line }) {
    await bothServices(stand);
    const visitors = stand.letVote();
    await pause(fault.random.whole(50, 600));
    await stand.site?.end('SIGKILL');
    const back = await stand.startSite();
    await visitors.stop();
    await stand.untilVoteTaken();
    await judge(stand.url, visitors, line);
    return back;
  },
  async start({ fault, stand, line }) {
    const supervisor = start('start', [], stand.env);
    try {
      await until(
        () => texts.notStarted(supervisor.said()),
        120_000,
        async () => {
          if (supervisor.child.exitCode !== null) throw new Error(texts.notStarted(supervisor.said()));
          return (await stand.get('/')).status === 200 && (await stand.get('/api/health')).status === 200;
        },
      );
      const visitors = stand.letVote();
      await pause(fault.random.whole(50, 600));
      await supervisor.end('SIGKILL');
      const back = await until(texts.servicesStay, 20_000, async () => {
        const answers = await Promise.all([call(`${stand.origin}/`), call(`${stand.apiOrigin}/api/health`)]);
        return answers.every(({ status }) => status === 0);
      });
      await visitors.stop();
      await judge(stand.url, visitors, line);
      return back;
    } finally {
      await supervisor.end('SIGKILL');
    }
  },
  async builder({ fault, stand, line }) {
    await bothServices(stand);
    const db = openDatabase(stand.url);
    const builder = start('build', [], stand.env);
    try {
      const visitors = stand.letVote(4);
      const begun = performance.now();
      await until(
        () => texts.noBuild(builder.said()),
        60_000,
        async () => {
          return (await runningJob(db))?.runner?.includes(`:${builder.child.pid ?? 0}:`) === true;
        },
      );
      const back = performance.now() - begun;
      await pause(fault.random.whole(0, 4_000));
      await builder.end('SIGKILL');
      await visitors.stop();
      const broken = await brokenReleases(stand.dataDir);
      line.expect(broken.length === 0, texts.brokenRelease(broken[0] ?? ''));
      const pages = await stand.get('/');
      line.expect(pages.status === 200, texts.noPages(pages.status));
      await judge(stand.url, visitors, line);
      return back;
    } finally {
      await builder.end('SIGKILL');
      await db.destroy();
    }
  },
};

async function bothServices(stand: Stand): Promise<void> {
  // The publisher is the builder's round; here it would take the other builder's job over.
  if (!stand.api) await stand.startApi('--no-publisher');
  if (!stand.site) await stand.startSite();
}

/** After all kills, one build comes through and its release is served. */
async function buildThrough(stand: Stand, line: Line): Promise<void> {
  const builder = start('build', [], stand.env);
  const code = await builder.ended;
  line.expect(code === 0, texts.noBuild(builder.said()));
  const broken = await brokenReleases(stand.dataDir);
  line.expect(broken.length === 0, texts.brokenRelease(broken[0] ?? ''));
  const pages = await stand.get('/');
  line.expect(pages.status === 200, texts.noPages(pages.status));
}
