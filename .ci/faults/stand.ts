import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { pathOf } from '#contract/routes.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { makePolls } from '#ci/bench/make-polls.ts';
import { recordCurrentRelease } from '#api/publishing/jobs.queries.ts';
import { currentReleaseId, readFacts } from '#api/publishing/releases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { faultTexts } from './texts.ts';
import { runToEnd, start, until } from './running.ts';
import type { Running } from './running.ts';
import { call, letVote } from './visitors.ts';
import type { Answer } from './visitors.ts';

/** The operator's password at every installation here. */
export const operatorPassword = 'the operator of the faults';

/** Milliseconds that a service may take to be there again. */
const patience = 60_000;

/** An installation that things are done to: a data folder, a database, and the two services. */
export class Stand {
  readonly dataDir: string;
  readonly url: string;
  readonly polls: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly apiOrigin: string;
  api: Running | null = null;
  site: Running | null = null;
  #said = '';

  private constructor(dataDir: string, url: string, polls: readonly string[], ports: { site: number; api: number }) {
    this.dataDir = dataDir;
    this.url = url;
    this.polls = polls;
    this.origin = `http://127.0.0.1:${ports.site}`;
    this.apiOrigin = `http://127.0.0.1:${ports.api}`;
    this.env = settings(dataDir, url, ports);
  }

  /** Migrates the database, stores polls, and puts the release of `template` there. */
  static async make(dataDir: string, url: string, template: Template | null): Promise<Stand> {
    await mkdir(dataDir, { recursive: true });
    const db = openDatabase(url);
    try {
      await migrate(db);
      const polls = await makePolls(db, 3, 'open');
      await makePolls(db, 6, 'closed');
      if (template) {
        const releases = join(dataDir, releaseFiles.folder);
        await cp(join(template.dataDir, releaseFiles.folder), releases, { recursive: true, verbatimSymlinks: true });
        const id = (await currentReleaseId(dataDir)) ?? '';
        const facts = await readFacts(dataDir, id);
        if (!facts) throw new Error(`There is no release in ${releases}.`);
        const createdAt = Date.parse(facts.createdAt);
        await recordCurrentRelease(db, { id, createdAt, pages: facts.pages, bytes: facts.bytes }, createdAt);
      }
      return new Stand(dataDir, url, polls, { site: await freePort(), api: await freePort() });
    } finally {
      await db.destroy();
    }
  }

  /** Starts the API service and answers the milliseconds until it is healthy. */
  async startApi(...words: string[]): Promise<number> {
    this.api = start('api', words, this.env);
    return this.untilHealthy();
  }

  /** Starts the site service and answers the milliseconds until it shows a page. */
  async startSite(): Promise<number> {
    this.site = start('site', [], this.env);
    return this.untilShown();
  }

  /** Starts the site service and waits until it answers, whatever that is. */
  async startAnySite(): Promise<void> {
    this.site = start('site', [], this.env);
    await until(
      () => faultTexts.notShown(this.site?.said() ?? ''),
      patience,
      async () => (await this.get(`${this.origin}/`)).status !== 0,
    );
  }

  /** What the site service said that was stopped last. */
  lastSaid(): string {
    return this.#said;
  }

  untilHealthy(): Promise<number> {
    return until(
      () => faultTexts.notHealthy(this.api?.said() ?? ''),
      patience,
      async () => {
        return (await this.get(this.apiOrigin + pathOf('health'))).status === 200;
      },
    );
  }

  untilShown(): Promise<number> {
    return until(
      () => faultTexts.notShown(this.site?.said() ?? ''),
      patience,
      async () => {
        return (await this.get(`${this.origin}/`)).status === 200;
      },
    );
  }

  /** Lets a crowd vote through the site. */
  letVote(crowd = 6) {
    return letVote(() => this.origin, this.polls, crowd);
  }

  /** Waits until a new visitor's vote is taken through the site, and answers the milliseconds. */
  async untilVoteTaken(): Promise<number> {
    const visitors = this.letVote(1);
    try {
      return await until(faultTexts.noVoteTaken, patience, () => visitors.acknowledged.length > 0);
    } finally {
      await visitors.stop();
    }
  }

  get(url: string): Promise<Answer> {
    return call(url.startsWith('/') ? this.origin + url : url);
  }

  async stop(): Promise<void> {
    await this.site?.end();
    this.#said = this.site?.said() ?? '';
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
    // Pages print it, and a release may come from another stand.
    PUBLIC_URL: 'http://polls.example',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_WAIT: '20',
    RATE_LIMIT: 'off',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'info',
    ADMIN_PASSWORD: operatorPassword,
  };
}

/** A data folder with a real release, made once, that stands take theirs from. */
export interface Template {
  readonly dataDir: string;
}

/** Builds the site for the polls that every stand has. */
export async function makeTemplate(dataDir: string): Promise<Template> {
  const stand = await Stand.make(dataDir, `sqlite:${join(dataDir, 'weathervane.sqlite')}`, null);
  const { code, said } = await runToEnd('build', [], stand.env);
  if (code !== 0) throw new Error(faultTexts.noRelease(said));
  return { dataDir };
}
