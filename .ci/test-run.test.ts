import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm test has all parts: types, lint, unit and browser, and no other', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['.ci/test.ts', '--help']);
  expect(stdout).toContain('types, lint, unit, browser');
  await expect(run(process.execPath, ['.ci/test.ts', 'everything'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no part "everything".') as string,
  });
}, 30_000);
