import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import { seededRandom } from '#api/testing/random.ts';
import type { Random } from '#api/testing/random.ts';
import type { Engine } from '#ci/bench/new-databases.ts';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { Stand, makeTemplate } from './stand.ts';

/** What is broken on purpose, and what is looked at afterwards. */
export interface Scenario {
  readonly name: string;
  /** Does the damage; `Fault.note` tells what became of it. Resolves when the product runs as before. */
  run(fault: Fault): Promise<void>;
}

/** What one line of the closing table says. */
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

/** What a scenario is given. */
export interface Fault {
  /** How many rounds the whole scenario may have. */
  readonly rounds: number;
  readonly random: Random;
  /** A folder for this scenario, removed afterwards. */
  readonly folder: string;
  /** Makes an installation with polls, a member and a release; it is stopped afterwards. */
  stand(engine: Engine, options?: StandOptions): Promise<Stand>;
  /** The PostgreSQL of all scenarios. */
  postgres(): Promise<PostgresServer>;
  /** Does something afterwards, last things first. */
  later(cleanUp: () => Promise<unknown>): void;
  /** Begins a line of the table on a stand; what it is told until the next one belongs to it. */
  line(fault: string, rounds?: number): Line;
  /** A round is over. */
  step(what: string): void;
}

/** Where an installation keeps things, when not in a folder of its own. */
interface StandOptions {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
}

/** One line of the closing table while it is being found out. */
export interface Line {
  /** Something that must not be. */
  problem(text: string): void;
  /** What was seen that is worth reading. */
  shown(text: string): void;
  count(figures: { acknowledged?: number; refused?: number; lost?: number; slowestMs?: number }): void;
  /** A problem with this text unless `holds`. */
  expect(holds: boolean, text: string): void;
}

/** Runs one scenario in a folder of its own and answers its lines; what it started is ended, whatever happens. */
export async function runScenario(
  scenario: Scenario,
  options: { rounds: number; seed: number; onStep: (done: number, of: number, what: string) => void },
): Promise<Outcome[]> {
  const { rounds, seed, onStep } = options;
  const folder = await newFolder();
  const cleanUps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const later = (cleanUp: () => Promise<unknown>) => cleanUps.push(cleanUp);
  let postgres: ReturnType<typeof startPostgres> | undefined;
  const outcomes: Open[] = [];
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
      async stand(engine: Engine, { dataDir = join(folder, randomUUID()), databaseUrl } = {}) {
        const url =
          databaseUrl ??
          (engine === 'SQLite'
            ? `sqlite:${join(dataDir, 'weathervane.sqlite')}`
            : await newPostgresDatabase((await server()).url));
        const stand = await Stand.make(dataDir, url, await theTemplate());
        later(() => stand.stop());
        return stand;
      },
      line(fault, count = 1) {
        const outcome = new Open(scenario.name, fault, count);
        outcomes.push(outcome);
        return outcome;
      },
    });
  } catch (error) {
    const last = outcomes.at(-1) ?? new Open(scenario.name, scenario.name, 1);
    if (outcomes.length === 0) outcomes.push(last);
    last.problem(messageOf(error));
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
  return outcomes.map((one) => one.outcome());
}

/** A database of its own on a server. */
export async function newPostgresDatabase(url: string): Promise<string> {
  const name = `faults_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase(`${url}postgres`);
  await admin.raw(`create database ${name}`);
  await admin.destroy();
  return url + name;
}

let template: ReturnType<typeof makeTemplate> | undefined;

/** The release that all stands serve; built for the first of them. */
function theTemplate() {
  template ??= newFolder().then((folder) => {
    process.once('exit', () => rmNow(folder));
    return makeTemplate(folder);
  });
  return template;
}

function rmNow(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function newFolder(): Promise<string> {
  await mkdir('var', { recursive: true });
  return resolve(await mkdtemp(join('var', 'faults-')));
}

/** A line that is still being written. */
class Open implements Line {
  readonly #scenario: string;
  readonly #fault: string;
  readonly #rounds: number;
  readonly #problems = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #figures = { acknowledged: 0, refused: 0, lost: 0, slowestMs: 0 };

  constructor(scenario: string, fault: string, rounds: number) {
    this.#scenario = scenario;
    this.#fault = fault;
    this.#rounds = rounds;
  }

  problem(text: string): void {
    this.#problems.add(text);
  }

  shown(text: string): void {
    this.#shown.add(text);
  }

  expect(holds: boolean, text: string): void {
    if (!holds) this.problem(text);
  }

  count({ acknowledged = 0, refused = 0, lost = 0, slowestMs = 0 }: Parameters<Line['count']>[0]): void {
    this.#figures.acknowledged += acknowledged;
    this.#figures.refused += refused;
    this.#figures.lost += lost;
    this.#figures.slowestMs = Math.max(this.#figures.slowestMs, slowestMs);
  }

  outcome(): Outcome {
    return {
      scenario: this.#scenario,
      fault: this.#fault,
      rounds: this.#rounds,
      ...this.#figures,
      shown: [...this.#shown].join('; '),
      problems: [...this.#problems],
    };
  }
}
