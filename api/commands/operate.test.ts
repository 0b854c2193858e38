import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';

const script = new URL('operate.ts', import.meta.url).pathname;

const operate = (...words: readonly string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, [script, ...words], (error, output, complaint) =>
      done({ code: error ? Number(error.code) : 0, output: output + complaint }),
    );
  });

test('an operator’s rare commands are listed, and each explains itself', async () => {
  const list = await operate();
  expect(list.code).toBe(0);
  const names = [...list.output.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name!);
  const files = await readdir(new URL('.', import.meta.url));
  for (const name of names) expect(files).toContain(`${name}.ts`);
  expect(names).toHaveLength(7);
  await Promise.all(
    names.map(async (name) => {
      const { code, output } = await operate(name, '--help');
      expect([name, code, output]).toEqual([name, 0, expect.stringContaining(`npm run operate -- ${name}`)]);
    }),
  );
});

test('a command that does not exist is refused with the list of those that do', async () => {
  const { code, output } = await operate('toString');
  expect(code).toBe(2);
  expect(output).toContain('There is no command “toString”.');
  expect(output).toContain('admin-password');
});
