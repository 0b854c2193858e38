import { loadavg } from 'node:os';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import type { Result } from 'lighthouse';
import { chromium } from 'playwright';
import { fixed, median, tableOf, whole } from './bench/report.ts';
import type { Row } from './bench/report.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { browserFlags, findBrowser } from '#site/e2e/browser.ts';
import { originOf, startInstallation } from '#site/e2e/installation.ts';
import { openPolls } from '#site/e2e/page-helpers.ts';
import { archive } from '#site/e2e/scene.ts';

const help = `npm run lighthouse [-- --runs N]   Lighthouse on pages as loaded by a phone

Starts its own installation with demonstration data on free ports, and measures the home page, an open poll, the list of
community polls, a report, the archive, articles, and a legal page with Lighthouse’s mobile preset. Each page is loaded N
times (3), and the median counts. Fails under 100 for accessibility, best practices, and search engines, or under 98 for
performance.

Legal pages are noindex, as specified, so the audit "is-crawlable" is skipped for them; browser tests check their robots
meta element.`;

const targets = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const categories = Object.keys(targets) as (keyof typeof targets)[];

/** One load of a page; retries because a busy machine sometimes loses a trace. */
async function load(address: string, port: number, skipAudits: string[], attempts = 3): Promise<Result> {
  const answer = await lighthouse(address, { port, onlyCategories: categories, skipAudits, logLevel: 'error' });
  const error = answer ? answer.lhr.runtimeError?.message : 'no result';
  if (error === undefined) return answer!.lhr;
  if (attempts <= 1) throw new Error(`${address}: ${error}`);
  return load(address, port, skipAudits, attempts - 1);
}

/** What a page does wrong, by the median of its loads. */
function failuresOf(path: string, loads: readonly Result[]): string[] {
  return categories.flatMap((name) => {
    const score = scoreOf(loads, name);
    if (score >= targets[name]) return [];
    const { audits, categories: judged } = loads[0]!;
    const lost = judged[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9);
    return [`${path}: ${name} ${score} instead of ${targets[name]}; ${lost.map(({ id }) => id).join(', ')}`];
  });
}

const scoreOf = (loads: readonly Result[], name: string) =>
  Math.round(median(loads.map((one) => one.categories[name]?.score ?? 0)) * 100);

const { values } = parseArgs({ options: { help: { type: 'boolean' }, runs: { type: 'string', default: '3' } } });
const runs = Number(values.runs);
if (values.help || !/^([1-9]|1[0-5])$/.test(values.runs)) {
  console.log(values.help ? help : '--runs takes a number from 1 to 15.');
  process.exit(values.help ? 0 : 2);
}

const [port, apiPort, browserPort] = [await freePort(), await freePort(), await freePort()];
const site = { port, apiPort, dataDir: '.cache/lighthouse' };
const origin = originOf(site);
const { stop } = await startInstallation(site);
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: [...browserFlags, `--remote-debugging-port=${browserPort}`],
});
const rows: Row[] = [];
const failures: string[] = [];
try {
  const report = (await archive(origin)).find(({ options, totalVotes }) => options.length > 3 && totalVotes > 100)!;
  const [open] = await openPolls(origin);
  const pages = [
    { name: 'Home', path: '/' },
    { name: 'An open poll', path: `/poll/${open!.id}` },
    { name: 'List of community polls', path: '/community-polls' },
    { name: 'A report', path: `/poll/${report.id}` },
    { name: 'Archive', path: '/historical' },
    { name: 'List of articles', path: '/blog' },
    { name: 'An article with a chart', path: '/blog/who-answers-when-nobody-was-asked' },
    { name: 'Terms of Use', path: '/terms', left: ['is-crawlable'] },
  ];
  for (const { name, path, left = [] } of pages) {
    const loads: Result[] = [];
    for (let run = 0; run < runs; run++) loads.push(await load(origin + path, browserPort, left));
    const figure = (id: string) => median(loads.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));
    rows.push({
      page: name,
      ...Object.fromEntries(categories.map((one) => [one.replace('-', ' '), `${scoreOf(loads, one)}`])),
      LCP: `${fixed(figure('largest-contentful-paint') / 1_000, 2)} s`,
      CLS: fixed(figure('cumulative-layout-shift'), 3),
      TBT: `${whole(figure('total-blocking-time'))} ms`,
    });
    failures.push(...failuresOf(path, loads));
    console.error(`${name}: done`);
  }
} finally {
  await browser.close();
  await stop();
  await rm(site.dataDir, { recursive: true, force: true });
}

const day = new Date().toISOString().slice(0, 10);
console.log(`${day}, median of ${runs}, machine load ${loadavg()[0]!.toFixed(1)}\n\n${tableOf(rows)}`);

for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
