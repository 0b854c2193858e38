import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { slow } from '#api/testing/slow.ts';

const run = (...words: string[]) => promisify(execFile)(process.execPath, ['.ci/attack/attack.ts', ...words]);

test(
  'the attack command explains itself with --help, and refuses arguments that it doesn’t know',
  { timeout: 120_000, ...slow },
  async () => {
    const { stdout } = await run('--help');
    for (const part of ['adaptive', 'detector']) expect(stdout).toMatch(new RegExp(`^  ${part} `, 'm'));
    for (const words of [['no such attack'], ['detector', 'many'], ['adaptive', '1'], ['--fast']])
      await expect(run(...words)).rejects.toMatchObject({ code: 2 });
  },
);
