import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { migrate, openDatabase } from '#platform/database.ts';
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
import { benchTexts } from './texts.ts';

const texts = benchTexts.deletion;
/** Few enough that votes and the deletion don’t compete for the cores: latency then shows waiting, not load. */
const connections = 8;
/** What the generator prepares in advance. */
const mostVotes = 500_000;
/** Milliseconds between two looks at the progress, and for the whole deletion. */
const lookMs = 250;
const patienceMs = 900_000;

interface DeletionBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  /** The votes of the deleted poll. */
  readonly votes: number;
  report(line: string): void;
}

/** One deletion: votes on other polls before and meanwhile, and seconds until it was answered and complete. */
interface Measured {
  readonly before: LoadResult;
  readonly during: LoadResult;
  readonly answered: number;
  readonly complete: number;
}

/** Measures votes on 100 polls while the creator of another poll deletes it with all of its votes, each round in a new database. */
export async function benchDeletion(options: DeletionBenchOptions): Promise<Row[]> {
  return rowsByEngine(
    options,
    async ({ engine, url, folder, round }) => {
      const one = await measure(engine, url, folder, options);
      options.report(texts.line({ round, rounds: options.rounds, engine, ...one }));
      return one;
    },
    (engine, measured) => rowOf(engine, options.votes, measured),
  );
}

async function measure(
  engine: Engine,
  url: string,
  folder: string,
  { seconds, votes }: DeletionBenchOptions,
): Promise<Measured> {
  const { polls, id, creator } = await makeAllPolls(url);
  await withBar(texts.making(engine), votes, (show) => addVotes(url, id, votes, show));
  const db = openDatabase(url);
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
  try {
    const cookie = await signIn(api.origin, creator);
    const what = { kind: 'votes', on: 'polls', polls, options: ['option-1', 'option-2', 'option-3'] } as const;
    const load = (amount: number) => ({ origin: api.origin, connections, amount: Math.ceil(amount), what });
    const warm = await runLoad(load(2_000));
    const before = await runLoad(load(warm.perSecond * seconds));
    const running = await startLoad(load(mostVotes));
    const started = performance.now();
    const answer = await fetch(api.origin + pathOf('deleteCommunityPoll', { id }), {
      method: 'DELETE',
      headers: { cookie },
    });
    if (!answer.ok) throw new Error(texts.refused(answer.status, await answer.text()));
    const answered = (performance.now() - started) / 1_000;
    while (!(await isGone(db, id, votes))) {
      if (performance.now() - started > patienceMs) throw new Error(texts.tooLong(patienceMs / 60_000));
      await pause(lookMs);
    }
    const complete = (performance.now() - started) / 1_000;
    running.stop();
    const during = await running.result;
    if (during.accepted + during.refused === mostVotes) throw new Error(texts.tooFewVotes(mostVotes));
    const accepted = warm.accepted + before.accepted + during.accepted;
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
async function makeAllPolls(url: string): Promise<{ polls: string[]; id: string; creator: string }> {
  const db = openDatabase(url);
  await migrate(db);
  const polls = await makePolls(db, 100, 'open');
  const [id = ''] = await makeCommunityPolls(db, 1);
  const { created_by: creator } = await db('community_polls').where({ id }).first<{ created_by: string }>('created_by');
  await db('users')
    .where({ id: creator })
    .update({ password: await hashPassword(benchPassword) });
  await db.destroy();
  return { polls, id, creator };
}

function rowOf(engine: Engine, votes: number, measured: readonly Measured[]): Row {
  const of = (figure: (one: Measured) => number) => median(measured.map(figure));
  const { columns } = texts;
  return {
    [columns.engine(votes)]: engine,
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
