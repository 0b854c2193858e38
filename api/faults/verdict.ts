import { hash } from 'node:crypto';
import { openDatabase } from '#platform/database.ts';
import { reconcile } from '#api/doctor/reconcile.queries.ts';
import type { Line } from './scenario.ts';
import type { Told } from './visitors.ts';

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
