import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { benchTexts } from '#texts/bench.ts';
import { makePolls } from './make-polls.ts';
import type { Row } from './report.ts';
import { buildSite } from './site-build.ts';
import { workFolder } from './work-folder.ts';

const sizes = [100, 1_000, 10_000] as const;

/** Measures the first build of a site and the rebuild after one changed poll, each on a data folder of its own. */
export async function benchBuild(options: { report(line: string): void }): Promise<Row[]> {
  const rows: Row[] = [];
  for (const polls of sizes) {
    const folder = await workFolder();
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    try {
      const db = openDatabase(env.DATABASE_URL);
      await migrate(db);
      const [first] = await makePolls(db, polls, 'closed');
      await makePolls(db, 3, 'open');
      const whole = await buildSite(env);
      await db('polls')
        .where('id', first ?? '')
        .update({ summary: 'A new summary.', updated_at: Date.now() });
      await db.destroy();
      const again = await buildSite(env);
      options.report(benchTexts.buildLine({ polls, whole, again }));
      rows.push({
        [benchTexts.columns.polls]: polls.toLocaleString('en'),
        [benchTexts.columns.whole]: whole.toFixed(1),
        [benchTexts.columns.again]: again.toFixed(1),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}
