import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const script = resolve('.ci/test.ts');

test('[D1.14] npm test runs types, lint, unit tests, and browser tests', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts.test).toBe('node .ci/test.ts');
  const { stdout } = await run(process.execPath, [script, '--help']);
  for (const word of ['types, lint, unit, browser', 'all', 'changed', 'FILE …']) expect(stdout).toContain(word);
  await expect(run(process.execPath, [script, 'everything'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no part and no file "everything".') as string,
  });
}, 30_000);

/** Runs `npm test` with stub tools that record how they were called and the scope of their tests. */
async function callsOf(...words: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-run-'));
  try {
    for (const tool of ['astro', 'eslint', 'oxlint', 'prettier', 'vitest', 'playwright']) {
      await writeFile(join(folder, tool), `#!/bin/sh\necho "${tool} $1 $2 $3 $4 \${10} ($TEST_SCOPE)" >> called\n`);
      await chmod(join(folder, tool), 0o755);
    }
    await writeFile(join(folder, 'tea.test.ts'), '');
    const path = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
    const env = { ...process.env, PATH: path, CHROMIUM: '/bin/true', TEST_SCOPE: '' };
    // No report is written, so the whole run fails.
    await expect(run(process.execPath, [script, ...words], { cwd: folder, env })).rejects.toMatchObject({ code: 1 });
    const called = (await readFile(join(folder, 'called'), 'utf8')).trim().split('\n');
    return called.map((line) => line.trim().replaceAll(/ +/g, ' ')).sort();
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('[D1.14] npm test runs the type checker, the linters, all unit tests, and the browser tests', async () => {
  expect(await callsOf()).toEqual([
    'astro check --tsconfig .config/astro.tsconfig.json --minimumFailingSeverity (default)',
    'astro sync (default)',
    'eslint --config .config/eslint.config.js --max-warnings 0 (default)',
    'oxlint -c .config/oxlint.config.ts --ignore-pattern **/*.astro (default)',
    'playwright test --reporter list,json (default)',
    'prettier --check --log-level warn --cache (default)',
    'vitest run --config .config/vitest.config.ts --reporter (default)',
  ]);
}, 30_000);

test('npm test -- all adds the slow tests to all parts or to the given ones, and browser stories on PostgreSQL', async () => {
  const all = await callsOf('all');
  expect(all).toHaveLength(8);
  expect(all).toContain('playwright test --reporter list,json site/e2e/club.e2e.ts (all)');
  expect(await callsOf('all', 'unit')).toEqual(['vitest run --config .config/vitest.config.ts --reporter (all)']);
}, 30_000);

test('without lint, which checks most of them, types checks all files', async () => {
  expect(await callsOf('types', 'browser')).toEqual([
    'astro check --minimumFailingSeverity warning (default)',
    'astro sync (default)',
    'playwright test --reporter list,json (default)',
  ]);
}, 30_000);

test('npm test -- FILE runs only that file, including slow tests', async () => {
  expect(await callsOf('tea.test.ts')).toEqual([
    'vitest run --config .config/vitest.config.ts --reporter tea.test.ts ()',
  ]);
}, 30_000);
