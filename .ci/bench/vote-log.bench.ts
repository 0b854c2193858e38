/**
 * Measures what closing a large poll costs: `npx node .ci/bench/vote-log.bench.ts [votes] [folder]`. All votes came within
 * the last hour, so that everything is left to do.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { closeLog } from '#api/integrity-log/batches.service.ts';
import { collectLeaves } from '#api/integrity-log/leaves.service.ts';
import { publishResult } from '#api/integrity-log/results.service.ts';
import { tick } from '#api/integrity-log/tick.service.ts';
import { logOfBallot } from '#api/integrity-log/vote-log.queries.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { closeBallot, logWriter } from '#api/testing/vote-logs.ts';

/** Votes unless given, and rows that one statement inserts. */
const [defaultVotes, rowsAtOnce] = [50_000, 50_000];

const votes = Number(process.argv[2] ?? defaultVotes);
const folder = await mkdtemp(join(process.argv[3] ?? tmpdir(), 'weathervane-vote-log-'));
const db = openDatabase(`sqlite:${join(folder, 'bench.sqlite')}`);
try {
  await migrate(db);
  const clock = { now: () => Date.parse('2026-11-20T12:00:00Z') };
  await seedPolls(db, [{ id: 'poll' }]);
  const writer = logWriter(db, clock, { dataDir: folder });
  await tick(writer);
  const { key } = await db('ballots').where({ id: 'poll' }).first<{ key: number }>('key');
  const options = await db('ballot_options').where({ ballot_id: 'poll' }).pluck<number[]>('key');
  await db('ballot_secrets').insert({ ballot_key: key, secret: Buffer.alloc(32, 7).toString('base64'), after_id: 0 });
  for (let from = 0; from < votes; from += rowsAtOnce)
    await db.raw(
      `insert into votes (ballot_key, option_key, device, created_at)
       select ?, ? + abs(random()) % 3, randomblob(16), 0
       from (with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) select i from n)`,
      [key, Math.min(...options), Math.min(rowsAtOnce, votes - from)],
    );
  await db('ballots').where({ id: 'poll' }).update({ total_votes: votes });
  await closeBallot(db, 'poll', clock.now());

  const log = async () => (await logOfBallot(db, 'poll'))!;
  const steps: Record<string, () => Promise<unknown>> = {
    'collect and hash': () => collectLeaves(writer),
    'sort, tree, and checkpoint': async () => closeLog(writer, await log()),
    'ballots file and result': async () => publishResult(writer, await log()),
  };
  let all = 0;
  for (const [name, run] of Object.entries(steps)) {
    const [wall, before] = [performance.now(), process.cpuUsage()];
    await run();
    const { user, system } = process.cpuUsage(before);
    all += user + system;
    const seconds = (value: number) => value.toFixed(1).padStart(6);
    console.log(
      `${name.padEnd(28)}${seconds((user + system) / 1e6)} s CPU${seconds((performance.now() - wall) / 1e3)} s`,
    );
  }
  const { bytes, ballots } = await db('vote_log_results').first<{ bytes: number; ballots: number }>();
  console.log(`${votes} votes: ${(all / 1e6).toFixed(1)} s CPU, ${(bytes / ballots).toFixed(1)} bytes per ballot`);
  console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory`);
} finally {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
}
