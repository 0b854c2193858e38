import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';

test('an operator’s rare commands are listed, and each explains itself', async () => {
  const list = await runCommandOn('operate', {});
  expect(list.code).toBe(0);
  const names = [...list.output.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name!);
  const files = await readdir(new URL('.', import.meta.url));
  for (const name of names) expect(files).toContain(`${name}.ts`);
  expect(names).toHaveLength(7);
  for (const name of names) {
    const { code, output } = await runCommandHere('operate', {}, name, '--help');
    expect([name, code, output]).toEqual([name, 0, expect.stringContaining(`npm run operate -- ${name}`)]);
  }
});

test('a command that does not exist is refused with the list of those that do', async () => {
  const { code, complaint } = await runCommandHere('operate', {}, 'toString');
  expect(code).toBe(2);
  expect(complaint).toContain('There is no command “toString”.');
  expect(complaint).toContain('admin-password');
});
