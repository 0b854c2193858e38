import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFiles } from '#domain/build-files.ts';
import { pathOf } from '#domain/path-of.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { ensureVoterKey } from '#platform/secrets.ts';
import { inBuilds, servedBuild } from '#api/publishing/builds.ts';
import { recordFill } from '#api/publishing/state.service.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { makePolls } from '#ci/bench/make-polls.ts';
import type { Line } from './scenario.ts';
import type { Answer, VoteLog } from './visitors.ts';
import { verifyVotes } from './checks.ts';
import { call, startVoters, until } from './visitors.ts';

/** A running command of the product. */
export interface Running {
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** The exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  /** Ends it with SIGTERM or another signal; resolves when it has exited. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts one of the commands of `api/commands`. */
export function start(command: string, words: readonly string[], env: Readonly<Record<string, string>>): Running {
  const script = fileURLToPath(new URL(`../../api/commands/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-200_000)));
  // Not "close": children of a killed process keep its output open.
  const ended = new Promise<number | null>((done) =>
    child.once('exit', (code) => {
      running.delete(child);
      // Its last output may not have arrived yet.
      setTimeout(() => done(code), 20);
    }),
  );
  return {
    child,
    output: () => output,
    ended,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs a command to its end, within two minutes. */
export async function runToEnd(
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string; ms: number }> {
  const begun = performance.now();
  const one = start(command, words, env);
  const late = setTimeout(() => one.child.kill('SIGKILL'), 120_000);
  const code = await one.ended;
  clearTimeout(late);
  return { code, output: one.output().trim(), ms: performance.now() - begun };
}

/** The operator’s password of every instance. */
export const operatorPassword = 'the operator of the faults';

/** The time limit for a service to respond again, in milliseconds. */
const startupMs = 60_000;

/** A running site under test: a data folder, a database, and the two services. */
export class Instance {
  readonly dataDir: string;
  readonly url: string;
  readonly polls: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly apiOrigin: string;
  api: Running | null = null;
  site: Running | null = null;
  #output = '';

  private constructor(dataDir: string, url: string, polls: readonly string[], ports: { site: number; api: number }) {
    this.dataDir = dataDir;
    this.url = url;
    this.polls = polls;
    this.origin = `http://127.0.0.1:${ports.site}`;
    this.apiOrigin = `http://127.0.0.1:${ports.api}`;
    this.env = settings(dataDir, url, ports);
  }

  /** Migrates the database, stores polls, and copies the pages of `template`. */
  static async make(dataDir: string, url: string, template: Template | null): Promise<Instance> {
    await mkdir(dataDir, { recursive: true });
    const db = openDatabase(url);
    try {
      await migrate(db);
      const polls = await makePolls(db, 3, 'open');
      await makePolls(db, 6, 'closed');
      if (template) {
        await cp(inBuilds(template.dataDir), inBuilds(dataDir), { recursive: true, verbatimSymlinks: true });
        const build = servedBuild(dataDir);
        if (build === null) throw new Error(`There are no pages in ${inBuilds(dataDir)}.`);
        await recordFill(db, await readFile(inBuilds(dataDir, build, buildFiles.fill), 'utf8'));
      }
      return new Instance(dataDir, url, polls, { site: await freePort(), api: await freePort() });
    } finally {
      await db.destroy();
    }
  }

  /** Starts the API service and returns the milliseconds until it is healthy. */
  async startApi(...words: string[]): Promise<number> {
    this.api = start('api', words, this.env);
    return this.untilHealthy();
  }

  /** Starts the site service and returns the milliseconds until it serves a page. */
  async startSite(): Promise<number> {
    this.site = start('site', [], this.env);
    return this.untilShown();
  }

  /** Starts both services and waits until they take a vote. */
  async startBoth(): Promise<void> {
    await this.startApi('--no-publisher');
    await this.startSite();
    await this.untilVoteTaken();
  }

  /** Starts the site service and waits for any response. */
  async startAnySite(): Promise<void> {
    this.site = start('site', [], this.env);
    await this.untilShown((status) => status !== 0);
  }

  /** The output of the site service that was stopped last. */
  lastOutput(): string {
    return this.#output;
  }

  untilHealthy(): Promise<number> {
    const problem = () => `The API did not become healthy. Its output: ${(this.api?.output() ?? '').slice(-600)}`;
    return until(problem, startupMs, async () => (await this.get(this.apiOrigin + pathOf('health'))).status === 200);
  }

  /** Waits until the site service serves a page, or anything. */
  untilShown(isShown = (status: number): boolean => status === 200): Promise<number> {
    const problem = () => `The site served no page. Its output: ${(this.site?.output() ?? '').slice(-600)}`;
    return until(problem, startupMs, async () => isShown((await this.get('/')).status));
  }

  /** Starts voters that vote through the site. */
  startVoters(crowd = 6) {
    return startVoters(() => this.origin, this.polls, crowd);
  }

  /** Waits until a new visitor’s vote is accepted through the site and returns the milliseconds. */
  async untilVoteTaken(): Promise<number> {
    const visitors = this.startVoters(1);
    try {
      return await until('No more votes were accepted.', startupMs, () => visitors.acknowledged.length > 0);
    } finally {
      await visitors.stop();
    }
  }

  /** Expects that every acknowledged vote is a row, and that every counter equals its rows. */
  async verify(voteLog: VoteLog, line: Line): Promise<void> {
    await verifyVotes(this.url, await ensureVoterKey({ dataDir: this.dataDir, voterKey: null }), voteLog, line);
  }

  get(url: string): Promise<Answer> {
    return call(url.startsWith('/') ? this.origin + url : url);
  }

  async stop(): Promise<void> {
    await this.site?.end();
    this.#output = this.site?.output() ?? '';
    await this.api?.end();
    this.site = this.api = null;
  }
}

function settings(dataDir: string, url: string, ports: { site: number; api: number }) {
  return {
    NODE_ENV: '',
    ASTRO_TELEMETRY_DISABLED: '1',
    PORT: String(ports.site),
    API_PORT: String(ports.api),
    API_ORIGIN: '',
    // Pages contain it, and they are made for another instance.
    PUBLIC_URL: 'http://polls.example',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_WAIT: '20',
    RATE_LIMIT: 'off',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'info',
    ADMIN_PASSWORD: operatorPassword,
    VOTER_KEY: '',
  };
}

/** A data folder with real pages, made once and copied by all instances. */
export interface Template {
  readonly dataDir: string;
}

/** Builds the site for the polls of every instance. */
export async function makeTemplate(dataDir: string): Promise<Template> {
  const instance = await Instance.make(dataDir, `sqlite:${join(dataDir, 'weathervane.sqlite')}`, null);
  const { code, output } = await runToEnd('build', [], instance.env);
  if (code !== 0) throw new Error(`The site could not be built: ${output.slice(-600)}`);
  return { dataDir };
}
