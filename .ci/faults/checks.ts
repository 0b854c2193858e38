import { reconcile } from '#api/voting/reconcile.service.ts';
import { deviceDigest } from '#api/testing/votes.ts';
import { pathOf } from '#domain/path-of.ts';
import { isSqlite, openDatabase } from '#platform/database.ts';
import type { Line } from './scenario.ts';
import type { Instance } from './instance.ts';
import type { VoteLog, Voters } from './visitors.ts';
import { until } from './visitors.ts';

/** Calls that read the database, and pages that don’t. */
const calls = [pathOf('activePolls'), pathOf('statistics')];
const pages = ['/', '/historical', '/about'];

/** Expects that votes are refused with a reason while pages and reads work. */
export async function refusesVotesAndReads(instance: Instance, visitors: Voters, line: Line): Promise<void> {
  const refused = visitors.refused();
  await until('Votes were neither refused nor answered.', 30_000, () => visitors.refused() > refused + 5);
  await shows(instance, line, [...pages, ...calls]);
}

/** Expects that pages are served, even while the database does not respond. */
export async function shows(instance: Instance, line: Line, paths: readonly string[] = pages): Promise<void> {
  for (const path of paths) {
    const answer = await instance.get(path);
    line.expect(answer.status === 200, `${path} returned ${answer.status} in the meantime`);
  }
}

/** Waits until one more vote is acknowledged; returns the milliseconds. */
export function untilMore(visitors: VoteLog): Promise<number> {
  const before = visitors.acknowledged.length;
  return until('No more votes were accepted.', 60_000, () => visitors.acknowledged.length > before);
}

/** Ids per query: SQLite limits the number of parameters. */
const atOnce = 500;

/** Expects that every acknowledged vote is a row, found by its device and the voter key, and that every counter equals its rows. */
export async function verifyVotes(url: string, voterKey: string, voteLog: VoteLog, line: Line): Promise<void> {
  const db = openDatabase(url);
  try {
    const digests = voteLog.acknowledged
      .map((device) => deviceDigest(device, voterKey))
      .map((digest) => (isSqlite(db) ? Buffer.from(digest, 'hex') : digest));
    let found = 0;
    for (let from = 0; from < digests.length; from += atOnce) {
      const some = digests.slice(from, from + atOnce);
      const row = await db('votes').whereIn('device', some).count({ n: '*' }).first<{ n: number }>();
      found += row.n;
    }
    const lost = digests.length - found;
    const refused = [...voteLog.statuses].reduce((sum, [status, n]) => sum + (status === 200 ? 0 : n), 0);
    line.count({ acknowledged: digests.length, refused, lost, slowestMs: voteLog.slowestMs });
    line.expect(lost === 0, `${lost} of ${digests.length} acknowledged votes are no row`);
    for (const what of voteLog.wrong) line.problem(what);
    const { wrongCounters } = await reconcile(db);
    for (const { counter, counted, expected } of wrongCounters.slice(0, 3))
      line.problem(`${counter} says ${counted}, not ${expected}`);
  } finally {
    await db.destroy();
  }
}
