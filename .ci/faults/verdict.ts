import { hash } from 'node:crypto';
import { reconcile } from '#api/doctor/reconcile.queries.ts';
import { pathOf } from '#contract/routes.ts';
import { openDatabase } from '#platform/database.ts';
import { until } from './running.ts';
import type { Line } from './scenario.ts';
import type { Stand } from './stand.ts';
import { faultTexts } from './texts.ts';
import type { Told, Visitors } from './visitors.ts';

/** What reads from the database, and what does not. */
const calls = [pathOf('activePolls'), pathOf('statistics')];
const pages = ['/', '/historical', '/about'];

/** Votes are refused, and say why; pages and reading calls go on. */
export async function refusesVotesAndReads(stand: Stand, visitors: Visitors, line: Line): Promise<void> {
  const refused = visitors.refused();
  await until(faultTexts.notRefused, 30_000, () => visitors.refused() > refused + 5);
  for (const path of [...pages, ...calls]) {
    const answer = await stand.get(path);
    line.expect(answer.status === 200, faultTexts.notRead(path, answer.status));
  }
}

/** Pages are shown though the database does not answer. */
export async function showsPages(stand: Stand, line: Line): Promise<void> {
  for (const path of pages) {
    const answer = await stand.get(path);
    line.expect(answer.status === 200, faultTexts.notRead(path, answer.status));
  }
}

/** Rows that are asked for at once: SQLite takes so many parameters. */
const atOnce = 500;

/** Whether every vote that was acknowledged is a row, and every counter is what the rows come to. */
export async function judge(url: string, told: Told, line: Line): Promise<void> {
  const db = openDatabase(url);
  try {
    const marks = told.acknowledged.map((device) => hash('sha256', device, 'base64url'));
    let found = 0;
    for (let from = 0; from < marks.length; from += atOnce) {
      const some = marks.slice(from, from + atOnce);
      const row = await db('votes').whereIn('voter_fingerprint', some).count({ n: '*' }).first<{ n: number }>();
      found += row.n;
    }
    const lost = marks.length - found;
    const refused = [...told.statuses].reduce((sum, [status, n]) => sum + (status === 200 ? 0 : n), 0);
    line.count({ acknowledged: marks.length, refused, lost, slowestMs: told.slowestMs });
    line.expect(lost === 0, `${lost} of ${marks.length} acknowledged votes are no row`);
    for (const what of told.wrong) line.problem(what);
    const { wrongCounters } = await reconcile(db);
    for (const { counter, counted, expected } of wrongCounters.slice(0, 3))
      line.problem(`${counter} says ${counted}, not ${expected}`);
  } finally {
    await db.destroy();
  }
}
