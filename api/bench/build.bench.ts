import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { benchTexts } from '#texts/bench.ts';
import { makePolls } from './make-polls.ts';
import { withBar } from './progress-bar.ts';
import type { Row } from './report.ts';
import { buildSite } from './site-build.ts';
import { workFolder } from './work-folder.ts';

const texts = benchTexts.build;

interface BuildBenchOptions {
  /** Numbers of closed polls. */
  readonly sizes: readonly number[];
  readonly report: (line: string) => void;
}

/**
 * Measures the first build of a site and the rebuild after one changed poll, each on a data folder of its own, and the
 * memory that the larger of both took.
 */
export async function benchBuild({ sizes, report }: BuildBenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const polls of sizes) {
    const folder = await workFolder();
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    try {
      const db = openDatabase(env.DATABASE_URL);
      await migrate(db);
      const [first = ''] = await withBar(texts.making, polls, (show) => makePolls(db, polls, 'closed', show));
      await makePolls(db, 3, 'open');
      report(texts.building(polls));
      const whole = await buildSite(env);
      await db('polls').where('id', first).update({ summary: 'A new summary.', updated_at: Date.now() });
      await db.destroy();
      const again = await buildSite(env);
      const peaks = [whole.peak, again.peak].filter((peak) => peak !== null);
      const megabytes = peaks.length === 0 ? null : Math.round(Math.max(...peaks) / 1_000_000);
      report(texts.line({ polls, whole: whole.seconds, again: again.seconds, megabytes }));
      rows.push({
        [texts.columns.polls]: polls.toLocaleString('en'),
        [texts.columns.whole]: whole.seconds.toFixed(1),
        [texts.columns.again]: again.seconds.toFixed(1),
        [texts.columns.memory]: megabytes?.toLocaleString('en') ?? '',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}
