import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const script = resolve('.ci/test.ts');

test('npm test has all parts: types, lint, unit and browser, and no other', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts.test).toBe('node .ci/test.ts');
  const { stdout } = await run(process.execPath, [script, '--help']);
  for (const word of ['types, lint, unit, browser', 'all', 'changed', 'FILE …']) expect(stdout).toContain(word);
  await expect(run(process.execPath, [script, 'everything'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no part and no file "everything".') as string,
  });
}, 30_000);

test('npm test runs the checker of types, the linters, the tests of all folders and those in a browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-run-'));
  try {
    // In the place of each tool stands one that notes how it was called.
    for (const tool of ['astro', 'eslint', 'prettier', 'vitest', 'playwright']) {
      await writeFile(join(folder, tool), `#!/bin/sh\necho "${tool} $1 $2 $3 $4" >> called\n`);
      await chmod(join(folder, tool), 0o755);
    }
    const path = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
    const env = { ...process.env, PATH: path, CHROMIUM: '/bin/true' };
    // Nothing is reported, so that the run as a whole fails.
    await expect(run(process.execPath, [script], { cwd: folder, env })).rejects.toMatchObject({ code: 1 });
    const called = (await readFile(join(folder, 'called'), 'utf8')).trim().split('\n');
    expect(called.map((line) => line.trim()).sort()).toEqual([
      'astro check --minimumFailingSeverity warning',
      'astro sync',
      'eslint --config .config/eslint.config.js --max-warnings 0',
      'playwright test --reporter list,json',
      'prettier --check --log-level warn .',
      'vitest run --config .config/vitest.config.ts --reporter',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 30_000);
