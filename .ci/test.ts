import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { messageOf } from '#platform/errors.ts';
import { findBrowser } from '#site/e2e/browser.ts';
import {
  coverageFile,
  type PlaywrightReport,
  readCoverage,
  runOfPlaywright,
  runOfVitest,
  testsNotPassed,
  type VitestReport,
} from './coverage.ts';

/**
 * The whole test run: types, lint, unit, HTTP on both databases, browser. Every part runs even when an earlier one
 * failed, and one closing line counts all of them. At the end the specification is gone through: whether each test
 * that stands for one of its statements ran and passed.
 */

const help = `npm test [-- PART …]   run everything, or only: types, lint, unit, browser

unit starts a PostgreSQL of its own; browser finds Chromium (Playwright's own, else the system's, else installs one).`;

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = '.cache/test-reports';
const env = {
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: '1',
  ASTRO_DEV_BACKGROUND: '0',
  ASTRO_PREVIEW_BACKGROUND: '0',
  FORCE_COLOR: process.env.CI ? '0' : '1',
};

function run(command: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, ...more } });
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      done(false);
    });
    child.once('exit', (code) => done(code === 0));
  });
}

const counted = (ok: boolean): Count => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** A runner's own counts; a run that failed without a failed test (or without a report) counts as one failure. */
async function fromReport(ok: boolean, read: () => Promise<Count>): Promise<Count> {
  const count = await read().catch(() => ({ passed: 0, failed: 0, skipped: 0 }));
  return !ok && count.failed === 0 ? { ...count, failed: 1 } : count;
}

const readReport = async <T>(name: string) => JSON.parse(await readFile(`${reports}/${name}`, 'utf8')) as T;

const parts: Record<string, () => Promise<Count>> = {
  types: async () => counted(await run('astro', ['check', '--minimumFailingSeverity', 'warning'])),

  async lint() {
    const results = await Promise.all([
      run('eslint', ['--config', '.config/eslint.config.js', '--max-warnings', '0', '.']),
      run('prettier', ['--check', '--log-level', 'warn', '.']),
    ]);
    const failed = results.filter((ok) => !ok).length;
    return { passed: results.length - failed, failed, skipped: 0 };
  },

  async unit() {
    const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', `${reports}/unit.json`];
    const ok = await run('vitest', ['run', '--config', '.config/vitest.config.ts', ...reporters]);
    return fromReport(ok, async () => {
      const report = await readReport<{ numPassedTests: number; numFailedTests: number; numPendingTests: number }>(
        'unit.json',
      );
      return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
    });
  },

  async browser() {
    const browser = findBrowser();
    const ok = await run('playwright', ['test', '--reporter', 'list,json'], {
      CHROMIUM: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/browser.json`,
    });
    return fromReport(ok, async () => {
      const { stats } = await readReport<{
        stats: { expected: number; flaky: number; unexpected: number; skipped: number };
      }>('browser.json');
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
    });
  },
};

const wanted = process.argv.slice(2);
if (wanted.includes('--help')) {
  console.log(help);
  process.exit(0);
}
const unknown = wanted.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}".\n\n${help}`);
  process.exit(2);
}

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const total: Count = { passed: 0, failed: 0, skipped: 0 };
const summary: string[] = [];
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

async function runPart(name: string): Promise<void> {
  if (!isWanted(name)) return;
  console.log(`\n=== ${name}`);
  const started = performance.now();
  const count = await parts[name]!().catch((error: unknown) => {
    console.error(messageOf(error));
    return counted(false);
  });
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  summary.push(
    `${name.padEnd(8)} ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped, ${seconds} s`,
  );
}

// Both ask for the types that Astro writes; neither fills two cores for long, nor says much.
if (['types', 'lint'].some(isWanted)) await run('astro', ['sync']);
await Promise.all(['types', 'lint'].map(runPart));
await runPart('unit');
await runPart('browser');

/** Counts as one test: whether the parts that ran have proved what the page of coverage says of them. */
async function coverage(): Promise<Count> {
  const root = process.cwd();
  const [unit, browser] = ['unit', 'browser'].map(isWanted);
  const run = [
    ...(unit ? runOfVitest(await readReport<VitestReport>('unit.json'), root) : []),
    ...(browser ? runOfPlaywright(await readReport<PlaywrightReport>('browser.json'), root) : []),
  ];
  const missing = testsNotPassed(
    readCoverage(readFileSync(coverageFile, 'utf8')),
    (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    run,
    (file) => (file.endsWith('.e2e.ts') ? browser : unit) === true,
  );
  for (const line of missing) console.error(line);
  return counted(missing.length === 0);
}

if (isWanted('unit') || isWanted('browser')) {
  console.log('\n=== coverage');
  const count = await coverage().catch((error: unknown) => {
    console.error(messageOf(error));
    return counted(false);
  });
  total.passed += count.passed;
  total.failed += count.failed;
  summary.push(`coverage ${count.failed === 0 ? 'each named test passed' : `see ${coverageFile}`}`);
}

console.log(`\n${summary.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
