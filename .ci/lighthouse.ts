import { loadavg } from 'node:os';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import type { Result } from 'lighthouse';
import { chromium } from 'playwright';
import { tableOf } from './bench/report.ts';
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

const targets = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof targets;
const categories = Object.keys(targets) as Category[];

/** One load of a page. */
interface Measured {
  readonly scores: Record<Category, number>;
  readonly lcp: number;
  readonly cls: number;
  readonly tbt: number;
  /** Audits that lowered a score. */
  readonly lostAudits: readonly string[];
}

function read({ audits, categories: judged }: Result): Measured {
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const lostAudits = Object.values(judged).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter(({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < (id === 'performance' ? 0.9 : 1))
      .map(({ id: audit }) => audit),
  );
  return {
    scores: Object.fromEntries(
      categories.map((name) => [name, Math.round((judged[name]?.score ?? 0) * 100)]),
    ) as Measured['scores'],
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    lostAudits,
  };
}

/** The median load by performance, with the lowest of the other scores, which do not depend on the machine’s load. */
function median(loads: readonly Measured[]): Measured {
  const sorted = loads.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const one = sorted[Math.floor(sorted.length / 2)]!;
  const scores = Object.fromEntries(
    categories.map((name) => [
      name,
      name === 'performance' ? one.scores[name] : Math.min(...loads.map((load) => load.scores[name])),
    ]),
  ) as Measured['scores'];
  return { ...one, scores, cls: Math.max(...loads.map(({ cls }) => cls)) };
}

/** Loads a page once; retries because a busy machine sometimes loses a trace. */
async function load(address: string, port: number, skipAudits: string[], attempts = 3): Promise<Measured> {
  const answer = await lighthouse(address, {
    port,
    onlyCategories: categories,
    skipAudits,
    logLevel: 'error',
    output: 'json',
  });
  if (!answer) throw new Error(`Lighthouse has no result for ${address}.`);
  const { runtimeError } = answer.lhr;
  if (runtimeError === undefined) return read(answer.lhr);
  if (attempts <= 1) throw new Error(`${address}: ${runtimeError.message}`);
  return load(address, port, skipAudits, attempts - 1);
}

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
const results: { name: string; path: string; measured: Measured }[] = [];
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
    const loads: Measured[] = [];
    for (let run = 0; run < runs; run++) loads.push(await load(origin + path, browserPort, left));
    results.push({ name, path, measured: median(loads) });
    console.error(`${name}: done`);
  }
} finally {
  await browser.close();
  await stop();
  await rm(site.dataDir, { recursive: true, force: true });
}

const table = tableOf(
  results.map(({ name, measured: { scores, lcp, cls, tbt } }) => ({
    page: name,
    ...Object.fromEntries(categories.map((category) => [category.replace('-', ' '), String(scores[category])])),
    LCP: `${(lcp / 1000).toFixed(2)} s`,
    CLS: cls.toFixed(3),
    TBT: `${Math.round(tbt)} ms`,
  })),
);
const day = new Date().toISOString().slice(0, 10);
console.log(`${day}, median of ${runs}, machine load ${loadavg()[0]!.toFixed(1)}\n\n${table}`);

const failures = results.flatMap(({ name, path, measured: { scores, lostAudits } }) =>
  categories
    .filter((category) => scores[category] < targets[category])
    .map(
      (category) =>
        `${name} (${path}): ${category} ${scores[category]} instead of ${targets[category]}; ${lostAudits.join(', ')}`,
    ),
);
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
