import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from '#platform/database.ts';
import { workFolder } from './new-databases.ts';
import { fixed, median } from './report.ts';
import type { Row } from './report.ts';

interface Choice {
  readonly choice?: object;
  readonly further?: readonly string[];
}
const single: Choice = {};
const kinds: Readonly<Record<string, Choice>> = {
  single,
  several: { choice: { method: 'several', min: 1, max: 4 }, further: ['option-4'] },
  ranked: { choice: { method: 'ranked', min: 1, max: 4 }, further: ['option-4', 'option-5'] },
};

const batch = 512;
const batchesOfRound = 50;
/** The first ones compile the code. */
const turnsBefore = 20;
const now = Date.parse('2026-11-21T08:00:00Z');

interface KindBenchOptions {
  readonly rounds: number;
  /** A checkout of an earlier state with its packages, to compare single choice with; null for none. */
  readonly against: string | null;
  report(line: string): void;
}

/**
 * Measures what a vote of each kind costs the intake, on SQLite, without HTTP: batches of all kinds take turns in one process.
 * Ratios are to the batch of single choice, of the other checkout or else of this one, in the same turn; their interval is that of
 * the median in 19 of 20 samples.
 */
export async function benchKinds(options: KindBenchOptions): Promise<Row[]> {
  const { rounds, against } = options;
  const own = resolve('.');
  const folder = await workFolder();
  const wanted = [
    ...(against === null ? [] : [{ name: 'single, before', root: resolve(against), kind: single }]),
    ...Object.entries(kinds).map(([name, kind]) => ({ name, root: own, kind })),
  ];
  const all: { name: string; figures: number[]; intake: Awaited<ReturnType<typeof openIntake>> }[] = [];
  try {
    for (const { name, root, kind } of wanted)
      all.push({ name, figures: [], intake: await openIntake(root, kind, `${folder}/${all.length}`) });
    const order = [...all];
    for (let turn = -turnsBefore; turn < rounds * batchesOfRound; turn++) {
      for (const { intake, figures } of order) {
        const figure = await intake.cast();
        if (turn >= 0) figures.push(figure);
      }
      // The first of a turn is another one each time.
      order.push(order.shift()!);
      if (turn < 0 || (turn + 1) % batchesOfRound > 0) continue;
      const medians = all.map(({ name, figures }) => `${name} ${median(figures.slice(-batchesOfRound)).toFixed(2)}`);
      options.report(`round ${(turn + 1) / batchesOfRound}/${rounds}  µs per vote: ${medians.join(', ')}`);
    }
  } finally {
    for (const { intake } of all) await intake.close();
    await rm(folder, { recursive: true, force: true });
  }
  const base = all[0]!;
  return all.map(({ name, figures }) => {
    const ratios = figures.map((figure, turn) => figure / base.figures[turn]!);
    const [low, high] = interval(ratios);
    return {
      'one vote, intake alone': name,
      'CPU µs': fixed(median(figures), 2),
      [`× ${base.name}`]: fixed(median(ratios), 3),
      from: fixed(low, 3),
      to: fixed(high, 3),
    };
  });
}

/** Opens the intake of a checkout, whose modules may be older than this one; its `cast` gives microseconds of processor time per vote. */
async function openIntake(root: string, { choice, further }: Choice, file: string) {
  const load = (path: string) => import(`${pathToFileURL(root).href}/api/${path}`) as Promise<Record<string, never>>;
  type Called = (...args: unknown[]) => unknown;
  const called = async (path: string, name: string) => (await load(path))[name] as unknown as Called;

  await load('consequences.ts');
  const db = (await called('platform/database.ts', 'openDatabase'))(`sqlite:${file}`) as Database;
  await (
    await called('platform/database.ts', 'migrate')
  )(db, 'k'.repeat(32));
  const options = [1, 2, 3, 4, 5].map((place) => ({ id: `option-${place}`, text: `Answer ${place}` }));
  const createBallot = await called('voting/ballots.service.ts', 'createBallot');
  await db.transaction(async (trx) => {
    await createBallot(trx, {
      ...{ id: 'p', kind: 'community', category: null, listed: true, inTotals: true, startsAt: now - 1_000 },
      ...{ endsAt: null, options, ...(choice && { choice }) },
    });
  });
  const intake = (await called('voting/intake.service.ts', 'createVotingIntake'))({
    ...{ db, clock: (await called('platform/clock.ts', 'fixedClock'))(now) },
    log: (await load('platform/logger.ts')).silentLogger,
  }) as { cast(vote: object): Promise<{ status: string }>; drain(): Promise<void> };

  const digest = () => randomBytes(16).toString('hex');
  return {
    async cast(): Promise<number> {
      const votes = Array.from({ length: batch }, (_, place) => ({
        ...{ ballotId: 'p', kind: 'community', optionId: `option-${(place % 3) + 1}`, network: place, traits: 0 },
        ...{ nonce: digest(), voter: { device: digest(), cookie: digest(), userId: null } },
        ...(further && { further }),
      }));
      const before = process.cpuUsage();
      const outcomes = await Promise.all(votes.map((vote) => intake.cast(vote)));
      const { user, system } = process.cpuUsage(before);
      const other = outcomes.find(({ status }) => status !== 'recorded');
      if (other) throw new Error(`A vote was not recorded: ${JSON.stringify(other)}`);
      return (user + system) / batch;
    },
    async close(): Promise<void> {
      await intake.drain();
      await db.destroy();
    },
  };
}

/** The interval of the median in 95% of samples drawn with replacement, the same for the same figures. */
function interval(figures: readonly number[]): readonly [number, number] {
  let seed = 1;
  const draw = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return figures[seed % figures.length]!;
  };
  const medians = Array.from({ length: 2_000 }, () => median(figures.map(draw))).sort((a, b) => a - b);
  return [medians[50]!, medians[1_949]!];
}
