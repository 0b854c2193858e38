import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, watch } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '#platform/errors.ts';
import { findBrowser } from '#site/e2e/browser.ts';
import { selectTests } from './changed.ts';
import {
  currentCoveragePage,
  currentProofs,
  type PlaywrightReport,
  proofsNotPassed,
  runOfPlaywright,
  runOfVitest,
  type VitestReport,
} from './coverage.ts';

/**
 * The test run: unit and HTTP tests on both databases, then browser tests, and alongside them lint and types. Every part runs
 * even if an earlier one failed, and one closing line counts all of them. At the end it checks whether each test that
 * proves a statement of the specification ran and passed.
 */

const help = `npm test                  run everything but the slow tests, as CI does
npm test -- all           run everything: also kill tests, full-size uploads, long histories, 20,000 fuzz requests,
                          and browser stories on PostgreSQL
npm test -- PART …        run only some parts: types, lint, unit, browser (after "all": with their slow tests)
npm test -- changed       run types, lint, and the unit tests of what changed since the last commit, or in it
npm test -- watch          run the unit tests that a file concerns, on SQLite, whenever it is saved
npm test -- statements    list the tests of each statement of the specification
npm test -- FILE …        run test files, or the unit tests in folders, with their slow tests

unit starts a PostgreSQL of its own; browser finds Chromium (Playwright's own, else the system's, headless shell first, else installs one).
"changed" is for working on one module: it tests on SQLite alone and without a browser.`;

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = '.cache/test-reports';
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: '1',
  ASTRO_DEV_BACKGROUND: '0',
  ASTRO_PREVIEW_BACKGROUND: '0',
  // Commands and services that tests start are compiled once instead of at each start.
  NODE_COMPILE_CACHE: resolve('.cache/compile'),
  FORCE_COLOR: process.env.CI ? '0' : '1',
};

/**
 * The priority of lint and types, which last as long as there are tests: they take only the time that these leave, and
 * browser tests leave more than unit tests.
 */
const background = 19;

function run(command: string, args: string[], more: NodeJS.ProcessEnv = {}, priority = 0): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, ...more } });
    if (child.pid !== undefined && priority !== 0) setPriority(child.pid, priority);
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

const vitest = async (files: readonly string[]): Promise<Count> => {
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', `${reports}/unit.json`];
  const ok = await run('vitest', ['run', '--config', '.config/vitest.config.ts', ...reporters, ...files]);
  return fromReport(ok, async () => {
    const report = await readReport<{ numPassedTests: number; numFailedTests: number; numPendingTests: number }>(
      'unit.json',
    );
    return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
  });
};

const playwright = async (
  files: readonly string[],
  report = 'browser.json',
  more: NodeJS.ProcessEnv = {},
): Promise<Count> => {
  const browser = findBrowser();
  const ok = await run('playwright', ['test', '--reporter', 'list,json', ...files], {
    CHROMIUM: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/${report}`,
    ...more,
  });
  return fromReport(ok, async () => {
    const { stats } = await readReport<{
      stats: { expected: number; flaky: number; unexpected: number; skipped: number };
    }>(report);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  });
};

// Patterns in its settings would count from their folder.
const oxlint = ['-c', '.config/oxlint.config.ts', '--ignore-pattern', '**/*.astro'];
const eslint = ['--config', '.config/eslint.config.js', '--max-warnings', '0'];
// It judges each file alone. The cache is in node_modules: `npm ci` empties it.
const prettier = ['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content'];

async function linted(runs: Promise<boolean>[]): Promise<Count> {
  const results = await Promise.all(runs);
  const failed = results.filter((ok) => !ok).length;
  return { passed: results.length - failed, failed, skipped: 0 };
}

/** Lint reports the types of .ts and .tsx files: beside it, only what it does not read is left to check. */
const typed = () => (isWanted('lint') ? ['--tsconfig', '.config/astro.tsconfig.json'] : []);

const parts: Record<string, () => Promise<Count>> = {
  types: async () =>
    counted(await run('astro', ['check', ...typed(), '--minimumFailingSeverity', 'warning'], {}, background)),
  lint: () =>
    linted([
      run('oxlint', oxlint, {}, background),
      run('eslint', [...eslint, '.'], {}, background),
      run('prettier', [...prettier, '.'], {}, background),
    ]),
  unit: () => vitest([]),
  browser: () => playwright([]),
};

/** The browser tests that slow runs repeat on PostgreSQL: stories of members from beginning to end. */
const stories = () =>
  playwright(
    ['club', 'moderation', 'passkeys'].map((name) => `site/e2e/${name}.e2e.ts`),
    'stories.json',
    { TEST_DATABASE: 'PostgreSQL' },
  );

const words = process.argv.slice(2);
if (words.includes('--help')) {
  console.log(help);
  process.exit(0);
}
if (words.length === 1 && words[0] === 'statements') {
  console.log(currentCoveragePage());
  process.exit(0);
}
const withSlow = words[0] === 'all';
const wanted = withSlow ? words.slice(1) : words;
const isWatched = words.length === 1 && words[0] === 'watch';
const isChanged = words.length === 1 && words[0] === 'changed';
const isFiles = !withSlow && words.length > 0 && words.every((word) => !(word in parts) && existsSync(word));
const unknown = isWatched || isChanged || isFiles ? undefined : wanted.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part and no file "${unknown}".\n\n${help}`);
  process.exit(2);
}
// Read by api/testing/slow.ts.
if (!isFiles) env.TEST_SCOPE = isWatched || isChanged ? 'changed' : withSlow ? 'all' : 'default';
if (withSlow) env.FUZZ_REQUESTS ??= '20000';

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const total: Count = { passed: 0, failed: 0, skipped: 0 };
const summary: string[] = [];
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

async function runPart(name: string, part = parts[name]!): Promise<void> {
  console.log(`\n=== ${name}`);
  const started = performance.now();
  const count = await part().catch((error: unknown) => {
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

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Files that differ from the last commit, or those of the last commit if there are none. */
function changedFiles(): string[] {
  const now = [...git('diff', '--name-only', '--relative', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')];
  const changed = now.length > 0 ? now : git('diff', '--name-only', '--relative', 'HEAD~1');
  return changed.filter((file) => existsSync(file));
}

/** The unit tests that files concern. */
function testsOf(changed: readonly string[]) {
  const files = git('ls-files', '-co', '--exclude-standard').filter((file) => existsSync(file));
  return selectTests(changed, files, (file) => readFileSync(file, 'utf8'));
}

/** Runs the unit tests that a file concerns whenever it is saved; ends with Ctrl+C. */
async function runWatched(): Promise<never> {
  const saved = new Set<string>();
  const watched = async (folder: string) => {
    for await (const { filename } of watch(folder, { recursive: true }))
      if (/\.(tsx?|js|mjs)$/.test(filename ?? '')) saved.add(`${folder}/${filename}`);
  };
  for (const folder of ['api', 'site', 'content', 'db', '.ci', '.config', '.deploy']) void watched(folder);
  console.log('Waiting for a file to be saved; Ctrl+C ends this.');
  for (;;) {
    await wait(300);
    const changed = [...saved].filter((file) => existsSync(file));
    saved.clear();
    const { tests } = changed.length > 0 ? testsOf(changed) : { tests: [] };
    if (changed.length > 0) console.log(`\n${changed.join(', ')}: ${tests.length} test files`);
    if (tests.length > 0) await vitest(tests);
  }
}

/** Runs types, lint, and unit tests of changed modules and lists what only the full run covers. */
async function runChanged(): Promise<void> {
  const changed = changedFiles();
  const { tests, shared } = testsOf(changed);
  const cached = ['--cache', '--cache-location', '.cache/eslint/'];
  const code = changed.filter((file) => /\.(tsx?|js|mjs|astro)$/.test(file));
  const typescript = code.filter((file) => /\.tsx?$/.test(file));
  console.log(`${changed.length} changed files, ${tests.length} test files`);
  // A fresh clone has no types of pages and styles yet.
  if (!existsSync('.astro/types.d.ts')) await run('astro', ['sync']);
  await Promise.all([
    runPart('types', async () =>
      counted(await run('tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.json'])),
    ),
    runPart('lint', () =>
      linted([
        ...(typescript.length > 0
          ? [run('oxlint', [...oxlint, '--no-error-on-unmatched-pattern', ...typescript])]
          : []),
        ...(code.length > 0 ? [run('eslint', [...eslint, ...cached, ...code])] : []),
        ...(changed.length > 0 ? [run('prettier', [...prettier, '--ignore-unknown', ...changed])] : []),
      ]),
    ),
    ...(tests.length > 0 ? [runPart('unit', () => vitest(tests))] : []),
  ]);
  console.log('\nNot run: browser tests, HTTP tests on PostgreSQL, HTTP tests of other folders, slow tests.');
  if (code.some((file) => file.endsWith('.astro'))) console.log('Types of .astro files: npm test -- types');
  if (shared.length > 0) console.log(`Everything depends on ${shared.join(', ')}: npm test`);
}

if (isWatched) await runWatched();
else if (isChanged) await runChanged();
else if (isFiles) {
  const [inBrowser, others] = [true, false].map((browser) =>
    words.filter((word) => word.endsWith('.e2e.ts') === browser),
  );
  if (others!.length > 0) await runPart('unit', () => vitest(others!));
  if (inBrowser!.length > 0) await runPart('browser', () => playwright(inBrowser!));
} else {
  const inTurn = async (names: readonly string[]) => {
    for (const name of names) if (isWanted(name)) await runPart(name);
  };
  const checks = ['types', 'lint'];
  // Types and lint both need its output.
  const synced = checks.some(isWanted) ? run('astro', ['sync']) : Promise.resolve(true);
  // Each installation that tests start copies it, as in a container, instead of building the same code again. The first unit
  // tests need none.
  const built = synced.then(async () => {
    if (['unit', 'browser'].some(isWanted))
      await run(process.execPath, ['api/commands/build-code.ts'], { DATA_DIR: '.cache/code-builds' });
  });
  const tests = async () => {
    await inTurn(['unit']);
    await built;
    await inTurn(['browser']);
    if (isWanted('browser') && withSlow) await runPart('stories', stories);
  };
  // Of what is left at the end, lint uses both cores.
  await Promise.all([tests(), built.then(() => inTurn(checks))]);
  await rm('.code', { recursive: true, force: true });
}

/** Counts as one test: whether every test that proves a statement ran and passed, in the parts that ran. */
async function coverage(): Promise<Count> {
  const root = process.cwd();
  const [unit, browser] = ['unit', 'browser'].map(isWanted);
  const run = [
    ...(unit ? runOfVitest(await readReport<VitestReport>('unit.json'), root) : []),
    ...(browser ? runOfPlaywright(await readReport<PlaywrightReport>('browser.json'), root) : []),
  ];
  const missing = proofsNotPassed(
    currentProofs(),
    run,
    (file) => (file.endsWith('.e2e.ts') ? browser : unit) === true,
    withSlow,
  );
  for (const line of missing) console.error(line);
  return counted(missing.length === 0);
}

if (!isChanged && !isFiles && (isWanted('unit') || isWanted('browser'))) {
  console.log('\n=== coverage');
  const count = await coverage().catch((error: unknown) => {
    console.error(messageOf(error));
    return counted(false);
  });
  total.passed += count.passed;
  total.failed += count.failed;
  summary.push(
    `coverage ${count.failed === 0 ? 'every statement’s tests passed' : 'some statements’ tests did not pass'}`,
  );
}

console.log(`\n${summary.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
