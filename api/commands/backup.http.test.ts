import { expect, test } from 'vitest';
import { emptyPlaces, runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';

const empty = emptyPlaces();

test('backup --help explains the command', async () => {
  const { code, output } = await runCommandOn('backup', await empty.place('SQLite'), '--help');
  expect(output).toContain('a consistent copy of the database');
  expect(code).toBe(0);
});

test.each([
  ['backup', [], 'Missing folder: npm run backup -- DIR'],
  ['backup', ['a', 'b'], 'Unexpected argument: b.'],
  ['backup', ['a', '--keep', '0'], '--keep is “0”'],
  ['restore', [], 'Missing backup file: npm run restore -- FILE'],
  ['restore', ['/nowhere/b.tar.gz'], 'No such file: /nowhere/b.tar.gz.'],
  ['restore', ['/'], '/ can’t be read (EISDIR)'],
  ['doctor', ['now'], 'Unexpected argument: now.'],
])('%s %j prints an error message', async (command, words, sentence) => {
  const run = command === 'backup' ? runCommandOn : runCommandHere;
  const { code, output, complaint } = await run(command, await empty.place('SQLite'), ...words);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toContain('    at ');
  expect({ code, output }).toEqual({ code: 1, output: '' });
});

test.each([
  ['restore', 'Nothing is ever overwritten'],
  ['doctor', 'It changes nothing'],
])('%s --help explains the command', async (command, sentence) => {
  const { code, output } = await runCommandHere(command, await empty.place('SQLite'), '--help');
  expect(output).toContain(sentence);
  expect(code).toBe(0);
});
