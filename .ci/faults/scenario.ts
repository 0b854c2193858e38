import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import { seededRandom } from '#api/testing/random.ts';
import type { Random } from '#api/testing/random.ts';
import { newPostgresDatabase, workFolder } from '#ci/bench/new-databases.ts';
import type { Engine } from '#ci/bench/new-databases.ts';
import { messageOf } from '#platform/errors.ts';
import { Instance, makeTemplate } from './instance.ts';

/** A fault to inject and the checks after it. */
export interface Scenario {
  readonly name: string;
  /** Injects the fault and records the outcome; resolves when the product runs as before. */
  run(fault: Fault): Promise<void>;
}

/** A row of the final table. */
export interface Outcome {
  readonly scenario: string;
  readonly fault: string;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly lost: number;
  readonly slowestMs: number;
  readonly shown: string;
  readonly problems: readonly string[];
}

/** The tools of a scenario. */
export interface Fault {
  /** The number of rounds of the whole scenario. */
  readonly rounds: number;
  readonly random: Random;
  /** A folder for this scenario, removed afterwards. */
  readonly folder: string;
  /** Creates an instance with polls, a member, and pages; it is stopped afterwards. */
  instance(engine: Engine, options?: InstanceOptions): Promise<Instance>;
  /** The PostgreSQL of all scenarios. */
  postgres(): Promise<PostgresServer>;
  /** Registers a cleanup; cleanups run in reverse order. */
  later(cleanUp: () => Promise<unknown>): void;
  /** Starts a row of the table; results recorded until the next one belong to it. */
  line(fault: string, rounds?: number): Line;
  /** A round is over. */
  step(what: string): void;
}

/** Locations of an instance’s data, if not its own folder. */
interface InstanceOptions {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
}

/** A row of the final table in progress: `expect` records a problem unless something holds. */
export type Line = Omit<ReturnType<typeof newLine>, 'outcome'>;

/** Runs one scenario in a new folder, cleans up, and returns its rows. */
export async function runScenario(
  scenario: Scenario,
  options: { rounds: number; seed: number; onStep: (done: number, of: number, what: string) => void },
): Promise<Outcome[]> {
  const { rounds, seed, onStep } = options;
  const folder = await workFolder('faults-');
  const cleanUps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const later = (cleanUp: () => Promise<unknown>) => cleanUps.push(cleanUp);
  let postgres: ReturnType<typeof startPostgres> | undefined;
  const outcomes: ReturnType<typeof newLine>[] = [];
  let steps = 0;
  const server = () => {
    if (!postgres) {
      postgres = startPostgres(true);
      later(async () => (await postgres)?.stop());
    }
    return postgres;
  };
  try {
    await scenario.run({
      rounds,
      random: seededRandom(seed),
      folder,
      later,
      postgres: server,
      step: (what) => onStep((steps += 1), Math.max(rounds, steps), what),
      async instance(engine: Engine, { dataDir = join(folder, randomUUID()), databaseUrl } = {}) {
        const url =
          databaseUrl ??
          (engine === 'SQLite'
            ? `sqlite:${join(dataDir, 'weathervane.sqlite')}`
            : await newPostgresDatabase((await server()).url));
        const instance = await Instance.make(dataDir, url, await sharedTemplate());
        later(() => instance.stop());
        return instance;
      },
      line(fault, count = 1) {
        const outcome = newLine(scenario.name, fault, count);
        outcomes.push(outcome);
        return outcome;
      },
    });
  } catch (error) {
    const last = outcomes.at(-1) ?? newLine(scenario.name, scenario.name, 1);
    if (outcomes.length === 0) outcomes.push(last);
    last.problem(messageOf(error));
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
  return outcomes.map((one) => one.outcome());
}

let template: ReturnType<typeof makeTemplate> | undefined;

/** The pages of all instances, published on first use. */
function sharedTemplate() {
  template ??= workFolder('faults-').then((folder) => {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return makeTemplate(folder);
  });
  return template;
}

/** A row that is still being recorded. */
function newLine(scenario: string, fault: string, rounds: number) {
  const problems = new Set<string>();
  const shown = new Set<string>();
  const figures = { acknowledged: 0, refused: 0, lost: 0, slowestMs: 0 };
  return {
    problem: (text: string) => void problems.add(text),
    shown: (text: string) => void shown.add(text),
    expect: (holds: boolean, text: string) => void (holds || problems.add(text)),
    count({ acknowledged, refused, lost, slowestMs }: typeof figures) {
      figures.acknowledged += acknowledged;
      figures.refused += refused;
      figures.lost += lost;
      figures.slowestMs = Math.max(figures.slowestMs, slowestMs);
    },
    outcome: (): Outcome => ({
      ...{ scenario, fault, rounds, ...figures, shown: [...shown].join('; '), problems: [...problems] },
    }),
  };
}
