import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepInProof, textOf } from './report.ts';
import type { Report } from './report.ts';

let folder = '';
let page: URL;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-proof-'));
  page = pathToFileURL(join(folder, 'proof.md'));
  await writeFile(page, 'Before.\n\n<!-- begin votes -->\n\nold\n\n<!-- end votes -->\n\nAfter.\n');
});
afterEach(() => rm(folder, { recursive: true }));

test('a section of the proof is replaced by each measurement without changing the text around it', async () => {
  for (const figure of ['1', '2']) {
    await keepInProof('votes', `| ${figure} |\n`, page);
    expect(await readFile(page, 'utf8')).toBe(
      `Before.\n\n<!-- begin votes -->\n\n| ${figure} |\n\n<!-- end votes -->\n\nAfter.\n`,
    );
  }
});

test('a section missing from the proof is an error and changes nothing', async () => {
  const before = await readFile(page, 'utf8');
  await expect(keepInProof('pages', 'new', page)).rejects.toThrow('pages');
  expect(await readFile(page, 'utf8')).toBe(before);
});

test('rows with different columns form separate tables, with the paragraphs between them in order', () => {
  const report: Report = [{ a: '1' }, { a: '22' }, { b: '3' }, 'What it means.', { b: '4' }];
  expect(textOf(report)).toBe(
    '| a  |\n| -- |\n| 1  |\n| 22 |\n\n| b |\n| - |\n| 3 |\n\nWhat it means.\n\n| b |\n| - |\n| 4 |',
  );
});
