import type { Engine } from '#api/bench/new-databases.ts';
import type { PostgresServer } from '#api/testing/postgres.setup.ts';
import type { Random } from '#api/testing/random.ts';
import type { Stand } from './stand.ts';

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
export interface StandOptions {
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
