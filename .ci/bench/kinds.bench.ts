import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { workFolder } from './new-databases.ts';
import { fixed, median } from './report.ts';
import type { Row } from './report.ts';

const kinds = ['single', 'several', 'ranked'] as const;

interface KindBenchOptions {
  readonly rounds: number;
  /** A checkout of an earlier state with its packages, to compare single choice with; null for none. */
  readonly against: string | null;
  report(line: string): void;
}

/**
 * Measures what a vote of each kind costs the intake, on SQLite, in processes of their own that take turns. Ratios are to single
 * choice of the other checkout, or else of this one, of the same round; their interval is that of the median in 19 of 20 samples.
 */
export async function benchKinds(options: KindBenchOptions): Promise<Row[]> {
  const { rounds, against } = options;
  const own = resolve('.');
  const all = [
    ...(against === null ? [] : [{ name: 'single, before', root: resolve(against), kind: kinds[0] }]),
    ...kinds.map((kind) => ({ name: kind, root: own, kind })),
  ];
  const folder = await workFolder();
  const figures = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      // The first of a round is another one each time.
      for (const [place] of all.entries()) {
        const { name, root, kind } = all[(place + round) % all.length]!;
        const child = fork(new URL('./intake.process.ts', import.meta.url), [
          root,
          kind,
          `${folder}/${round}-${place}`,
        ]);
        const [[figure]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [[number], unknown];
        figures.get(name)!.push(figure);
        options.report(`round ${round}/${rounds}  ${name.padEnd(20)} ${figure.toFixed(2)} µs per vote`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const base = figures.get(all[0]!.name)!;
  return all.map(({ name }) => {
    const own = figures.get(name)!;
    const ratios = own.map((figure, round) => figure / base[round]!);
    const [low, high] = interval(ratios);
    return {
      'one vote, intake alone': name,
      'CPU µs': fixed(median(own), 2),
      [`× ${all[0]!.name}`]: fixed(median(ratios), 3),
      from: fixed(low, 3),
      to: fixed(high, 3),
    };
  });
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
