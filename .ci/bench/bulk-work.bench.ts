import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { tick } from '#api/integrity-log/tick.service.ts';
import { logWriter } from '#api/testing/vote-logs.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { systemClock } from '#platform/clock.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { hashPassword } from '#platform/password-hash.ts';
import { addVotes, isGone } from './bulk-votes.ts';
import { runLoad, startLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import { makeCommunityPolls, makePolls } from './make-polls.ts';
import { rowsByEngine } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median, withBar } from './report.ts';
import type { Row } from './report.ts';
import { benchPassword, signIn, startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { benchTexts } from './texts.ts';

const texts = benchTexts.bulkWork;
/** Of the poll with many votes, and of those that are voted on. */
const options = ['option-1', 'option-2', 'option-3'] as const;
/** Few enough that votes and the deletion don’t compete for the cores: latency then shows waiting, not load. */
const connections = 8;
/** What the generator prepares in advance. */
const mostVotes = 500_000;
/** Milliseconds between two looks at the progress, and for the whole work. */
const lookMs = 250;
const patienceMs = 900_000;

interface Running {
  readonly api: ServerProcess;
  readonly db: Database;
  /** The poll with many votes, and the session of its creator. */
  readonly id: string;
  readonly cookie: string;
  readonly votes: number;
}

/** Work on a poll with many votes. */
interface BulkWork {
  /** Before the votes are stored. */
  prepare?(db: Database, folder: string): Promise<void>;
  /** Requests it; resolves to the last response. */
  request(running: Running): Promise<Response>;
  isComplete(running: Running): Promise<boolean>;
}

const works = {
  deletion: {
    request: ({ api, id, cookie }) =>
      fetch(api.origin + pathOf('deleteCommunityPoll', { id }), { method: 'DELETE', headers: { cookie } }),
    isComplete: ({ db, id, votes }) => isGone(db, id, votes),
  },
  decision: {
    async request({ api, id }) {
      const time = { from: 0, to: Math.ceil(Date.now() / 60_000) + 1 };
      const answers: Response[] = [];
      for (const optionId of options)
        answers.push(
          await ask(api, pathOf('setVotesAside', { id }), { criteria: { ...time, optionId }, reason: 'operator-test' }),
        );
      for (const number of ['1', '2', '3'])
        answers.push(await ask(api, pathOf('decideVotes', { id, number }), { decision: 'release' }));
      return answers.find(({ ok }) => !ok) ?? answers[0]!;
    },
    isComplete: async ({ db }) => (await db('unfinished_decisions').first('key')) === undefined,
  },
  closing: {
    async prepare(db, dataDir) {
      // Votes from before the log began would not be logged.
      const writer = logWriter(db, systemClock, { dataDir });
      await tick(writer);
      await writer.lease.release(db);
    },
    async request({ api, db, id, cookie }) {
      const ballot = db('ballots').where({ id }).select('key');
      const secret = Buffer.alloc(32, 7).toString('base64');
      await db('ballot_secrets').insert({ ballot_key: ballot, secret, after_id: 0 });
      const answer = await fetch(api.origin + pathOf('closeCommunityPoll', { id }), {
        method: 'POST',
        headers: { cookie },
      });
      await api.ask();
      return answer;
    },
    async isComplete({ db, id, votes }) {
      const result = await db('vote_log_results as r')
        .join('vote_logs as l', 'l.key', 'r.log_key')
        .where('l.ballot_id', id)
        .first<{ ballots: number } | undefined>('r.ballots');
      if (result && result.ballots !== votes) throw new Error(texts.otherVotes(result.ballots));
      return result !== undefined;
    },
  },
} satisfies Record<string, BulkWork>;

const ask = ({ origin }: ServerProcess, path: string, body: object) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { [adminPasswordHeader]: benchPassword, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

interface BulkWorkBenchOptions {
  readonly work: keyof typeof works;
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  /** The votes of the poll. */
  readonly votes: number;
  report(line: string): void;
}

/** One such work: votes on other polls before and meanwhile, and seconds until it was answered and complete. */
interface Measured {
  readonly before: LoadResult;
  readonly during: LoadResult;
  readonly answered: number;
  readonly complete: number;
}

/** Measures votes on 100 polls during work on another poll with many votes, each round in a new database. */
export async function benchBulkWork(options: BulkWorkBenchOptions): Promise<Row[]> {
  return rowsByEngine(
    options,
    async ({ engine, url, folder, round }) => {
      const one = await measure(engine, url, folder, options);
      options.report(texts.line({ round, rounds: options.rounds, engine, ...one }));
      return one;
    },
    (engine, measured) => rowOf(engine, options, measured),
  );
}

async function measure(
  engine: Engine,
  url: string,
  folder: string,
  { work: name, seconds, votes }: BulkWorkBenchOptions,
): Promise<Measured> {
  const work: BulkWork = works[name];
  const { polls, id, creator } = await makeAllPolls(url, (db) => work.prepare?.(db, folder));
  await withBar(texts.making(engine), votes, (show) => addVotes(url, id, votes, show));
  const db = openDatabase(url);
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
  try {
    const cookie = await signIn(api.origin, creator);
    const what = { kind: 'votes', on: 'polls', polls, options } as const;
    const load = (amount: number) => ({ origin: api.origin, connections, amount: Math.ceil(amount), what });
    const warm = await runLoad(load(2_000));
    const before = await runLoad(load(warm.perSecond * seconds));
    const running = await startLoad(load(mostVotes));
    const started = performance.now();
    const target = { api, db, id, cookie, votes };
    const answer = await work.request(target);
    if (!answer.ok) throw new Error(texts.refused(answer.status, await answer.text()));
    const answered = (performance.now() - started) / 1_000;
    while (!(await work.isComplete(target))) {
      if (performance.now() - started > patienceMs) throw new Error(texts.tooLong(patienceMs / 60_000));
      await pause(lookMs);
    }
    const complete = (performance.now() - started) / 1_000;
    running.stop();
    const during = await running.result;
    if (during.accepted + during.refused === mostVotes) throw new Error(texts.tooFewVotes(mostVotes));
    const kept = name === 'deletion' ? 0 : votes;
    const accepted = kept + warm.accepted + before.accepted + during.accepted;
    const { recordedVotes, wrongCounters } = await reconcile(db);
    if (recordedVotes !== accepted || wrongCounters.length > 0)
      throw new Error(benchTexts.mismatch({ name: engine, accepted, recordedVotes, wrongCounters }));
    return { before, during, answered, complete };
  } finally {
    await api.stop();
    await db.destroy();
  }
}

/** 100 open polls, and a public community poll whose creator can sign in. */
async function makeAllPolls(
  url: string,
  prepare: (db: Database) => Promise<void> | undefined,
): Promise<{ polls: string[]; id: string; creator: string }> {
  const db = openDatabase(url);
  await migrate(db);
  const polls = await makePolls(db, 100, 'open');
  const [id = ''] = await makeCommunityPolls(db, 1);
  const { created_by: creator } = await db('community_polls').where({ id }).first<{ created_by: string }>('created_by');
  await db('users')
    .where({ id: creator })
    .update({ password: await hashPassword(benchPassword) });
  await prepare(db);
  await db.destroy();
  return { polls, id, creator };
}

function rowOf(engine: Engine, { work, votes }: BulkWorkBenchOptions, measured: readonly Measured[]): Row {
  const of = (figure: (one: Measured) => number) => median(measured.map(figure));
  const { columns } = texts;
  return {
    [columns.engine(work, votes)]: engine,
    [columns.answered]: of(({ answered }) => answered).toFixed(2),
    [columns.complete]: of(({ complete }) => complete).toFixed(1),
    [columns.perSecond]: Math.round(of(({ before }) => before.perSecond)).toLocaleString('en-US'),
    [columns.perSecondDuring]: Math.round(of(({ during }) => during.perSecond)).toLocaleString('en-US'),
    [columns.p99]: of(({ before }) => before.p99).toFixed(1),
    [columns.p99During]: of(({ during }) => during.p99).toFixed(1),
    [columns.max]: of(({ before }) => before.max).toFixed(1),
    [columns.maxDuring]: of(({ during }) => during.max).toFixed(1),
    [columns.refused]: of(({ during }) => during.refused).toLocaleString('en-US'),
  };
}
