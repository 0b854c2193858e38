import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { slow } from '#api/testing/slow.ts';

const run = promisify(execFile);

test(
  'every attack command explains itself with --help, and refuses arguments that it doesn’t know',
  { timeout: 120_000, ...slow },
  async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    const names = Object.keys(scripts).filter((name) => name.startsWith('attack'));
    expect(names).toHaveLength(3);
    for (const name of names) {
      const script = scripts[name]!.replace('node ', '');
      const { stdout } = await run(process.execPath, [script, '--help']);
      expect(stdout).toMatch(new RegExp(`^npm run ${name} \\[-- `));
      await expect(run(process.execPath, [script, 'no such attack'])).rejects.toMatchObject({ code: 2 });
    }
  },
);
