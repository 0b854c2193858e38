import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { ImportResult } from '#contract/poll-import.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { largestFile } from '#api/testing/large-file.ts';
import { forgetPeak, residentMemory } from '#api/testing/resident-memory.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { benchTexts } from './texts.ts';
import { runLoad, startLoad } from './load.ts';
import { makePolls } from './make-polls.ts';
import { rowsByEngine } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { benchPassword, startServer } from './server-process.ts';

const texts = benchTexts.upload;
const connections = 64;
const megabyte = 1_000_000;

interface UploadBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  report(line: string): void;
}

/** What one upload did to the votes around it and to the memory of the API. */
interface Measured {
  readonly before: number;
  readonly during: number;
  readonly p99: number;
  readonly seconds: number;
  /** Bytes by which the process was larger at most than right before the upload. */
  readonly growth: number;
}

/** Uploads the largest file that an import takes while votes go on, each round into a new database and a new process. */
export async function benchUpload(options: UploadBenchOptions): Promise<Row[]> {
  const file = new File([new Uint8Array(largestFile())], 'polls.csv');
  return rowsByEngine(
    options,
    async ({ engine, url, folder, round }) => {
      const one = await measure({ url, folder, file, seconds: options.seconds });
      options.report(texts.line({ round, rounds: options.rounds, engine, ...shown(one) }));
      return one;
    },
    rowOf,
  );
}

async function measure(given: { url: string; folder: string; file: File; seconds: number }): Promise<Measured> {
  const { url, folder, file, seconds } = given;
  const db = openDatabase(url);
  await migrate(db);
  const polls = await makePolls(db, 100, 'open');
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
  try {
    const what = { kind: 'votes', on: 'polls', polls, options: ['option-1', 'option-2', 'option-3'] } as const;
    const load = (amount: number) => ({ origin: api.origin, connections, amount, what });
    const warm = await runLoad(load(3_000));
    const before = await runLoad(load(Math.ceil(warm.perSecond * seconds)));
    // More than can be accepted while the file is taken in; what is left is not sent.
    const running = await startLoad(load(Math.ceil(before.perSecond * 60)));
    await pause(500);
    const { now } = await residentMemory(api.pid);
    await forgetPeak(api.pid);
    const started = performance.now();
    await upload(api.origin, file);
    const took = (performance.now() - started) / 1_000;
    const { peak } = await residentMemory(api.pid);
    running.stop();
    const during = await running.result;
    const { recordedVotes, wrongCounters } = await reconcile(db);
    const accepted = warm.accepted + before.accepted + during.accepted;
    if (recordedVotes !== accepted || wrongCounters.length > 0)
      throw new Error(benchTexts.mismatch({ name: texts.name, accepted, recordedVotes, wrongCounters }));
    return { before: before.perSecond, during: during.perSecond, p99: during.p99, seconds: took, growth: peak - now };
  } finally {
    await api.stop();
    await db.destroy();
  }
}

async function upload(origin: string, file: File): Promise<void> {
  const body = new FormData();
  body.set('csvFile', file);
  const headers = { [adminPasswordHeader]: benchPassword };
  const answer = await fetch(origin + pathOf('bulkUpload'), { method: 'POST', headers, body });
  const result = (await answer.json()) as ImportResult;
  if (answer.status !== 200 || result.rejected > 0) throw new Error(texts.refused(answer.status, result.message));
}

function shown({ before, during, p99, seconds, growth }: Measured) {
  return { before, during, ratio: during / before, p99, seconds, megabytes: growth / megabyte };
}

function rowOf(engine: Engine, measured: readonly Measured[]): Row {
  const all = measured.map(shown);
  const of = (figure: keyof (typeof all)[number]) => median(all.map((one) => one[figure]));
  return {
    [texts.columns.engine]: engine,
    [texts.columns.seconds]: of('seconds').toFixed(1),
    [texts.columns.growth]: of('megabytes').toFixed(0),
    [texts.columns.before]: Math.round(of('before')).toLocaleString('en-US'),
    [texts.columns.during]: Math.round(of('during')).toLocaleString('en-US'),
    [texts.columns.ratio]: of('ratio').toFixed(2),
    [texts.columns.p99]: of('p99').toFixed(0),
  };
}
