import { pathOf } from '#contract/routes.ts';
import { faultTexts } from '#texts/faults.ts';
import type { Line } from './scenario.ts';
import type { Stand } from './stand.ts';
import { until } from './until.ts';
import type { Visitors } from './visitors.ts';

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
