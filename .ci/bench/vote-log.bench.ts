/**
 * Measures what closing a large poll costs: `npx node .ci/bench/vote-log.bench.ts [votes] [SQLite|PostgreSQL]`. All votes
 * came within the last hour, so that everything is left to do. `npm run bench -- closing` measures votes meanwhile.
 */
import { rm } from 'node:fs/promises';
import { systemClock } from '#platform/clock.ts';
import { isSqlite, migrate, openDatabase } from '#platform/database.ts';
import { closeLog } from '#api/integrity-log/batches.service.ts';
import { collectLeaves } from '#api/integrity-log/leaves.service.ts';
import { publishResult } from '#api/integrity-log/results.service.ts';
import { tick } from '#api/integrity-log/tick.service.ts';
import { logOfBallot } from '#api/integrity-log/vote-log.queries.ts';
import { closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { addVotes } from './bulk-votes.ts';
import { postgresPid } from './cpu-time.ts';
import { makePolls } from './make-polls.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import { cpuTime } from './server-process.ts';

const votes = Number(process.argv[2] ?? 50_000);
const engine = engines.find((name) => name === process.argv[3]) ?? 'SQLite';
const cleanUps: (() => Promise<void>)[] = [];
const folder = await workFolder();
cleanUps.push(() => rm(folder, { recursive: true, force: true }));
try {
  const url = await (await newDatabases(engine, folder, (cleanUp) => cleanUps.push(cleanUp)))();
  const open = () => openDatabase(url);
  const first = open();
  await migrate(first);
  const [id = ''] = await makePolls(first, 1, 'open');
  const beginning = logWriter(first, systemClock, { dataDir: folder });
  await tick(beginning);
  await beginning.lease.release(first);
  await first.destroy();
  await addVotes(url, id, votes, () => undefined);
  const db = open();
  cleanUps.push(() => db.destroy());
  const writer = logWriter(db, systemClock, { dataDir: folder });
  await writer.lease.take(db, systemClock.now());
  const ballot = db('ballots').where({ id }).select('key');
  await db('ballot_secrets').insert({
    ...{ ballot_key: ballot, secret: Buffer.alloc(32, 7).toString('base64'), after_id: 0 },
  });
  await closeBallot(db, id, systemClock.now());
  const server = isSqlite(db) ? null : await postgresPid(db);
  /** Microseconds of this process, and of PostgreSQL. */
  const cpu = async () => {
    const { user, system } = process.cpuUsage();
    return [user + system, server === null ? 0 : await cpuTime(server)] as const;
  };

  const log = async () => (await logOfBallot(db, id))!;
  const steps: Record<string, () => Promise<unknown>> = {
    'collect and hash': () => collectLeaves(writer),
    'sort, tree, and checkpoint': async () => closeLog(writer, await log()),
    'ballots file and result': async () => publishResult(writer, await log()),
  };
  const all = [0, 0];
  const seconds = (microseconds: number) => `${(microseconds / 1e6).toFixed(1).padStart(6)} s`;
  for (const [name, run] of Object.entries(steps)) {
    const [wall, [own, database]] = [performance.now(), await cpu()];
    await run();
    const [ownAfter, databaseAfter] = await cpu();
    const spent = [ownAfter - own, databaseAfter - database] as const;
    for (const [place, time] of spent.entries()) all[place]! += time;
    console.log(
      `${name.padEnd(28)}${seconds(spent[0])} CPU${seconds(spent[1])} CPU of PostgreSQL${seconds(1e3 * (performance.now() - wall))}`,
    );
  }
  const { bytes, ballots } = await db('vote_log_results').first<{ bytes: number; ballots: number }>();
  console.log(
    `${votes} votes:${seconds(all[0]!)} CPU,${seconds(all[1]!)} CPU of PostgreSQL, ${(bytes / ballots).toFixed(1)} bytes per ballot`,
  );
  console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory`);
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
}
