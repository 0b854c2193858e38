import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const folder = 'content/handbook/decisions';
const records = readdirSync(join(root, folder));
const numbers = records.map((name) => name.slice(0, 3));

const files = [
  'README.md',
  '.env.example',
  'astro.config.mjs',
  '.ci',
  '.config',
  '.deploy',
  'api',
  'content',
  'db',
  'site',
]
  .flatMap((name) => {
    const path = join(root, name);
    if (!statSync(path).isDirectory()) return [name];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((inside) => join(name, inside));
  })
  .filter((name) => !/\.(png|jpe?g|woff2?|ico|gz)$/.test(name) && statSync(join(root, name)).isFile());

/** The records that a text cites: by number ("decisions 003 and 061", even across lines of a comment) or by link. */
function citedIn(text: string): string[] {
  const inWords = text.matchAll(/\bdecisions?[\s*]+\d{3}\b(?:(?:,|[\s*]+and|[\s*]+to)[\s*]+\d{3}\b)*/gi);
  const links = text.matchAll(/\]\((?:[^()\s]*decisions\/)?(\d{3}-[\w-]+\.md)\)|decisions\/(\d{3}[\w-]*(?:\.md)?)/g);
  return [
    ...[...inWords].flatMap(([words]) => words.match(/\d{3}/g) ?? []),
    ...[...links].map(([, link, path]) => link ?? path ?? ''),
  ];
}

test('every decision record cited by code or documents exists', () => {
  const cited = files.flatMap((file) =>
    citedIn(readFileSync(join(root, file), 'utf8')).map((record) => ({ file, record })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ record }) => !records.includes(record) && !numbers.includes(record))).toEqual([]);
});

test('every decision record has a unique number, four sections, and at most a page of text', () => {
  expect(new Set(numbers).size).toBe(records.length);
  for (const record of records) {
    const text = readFileSync(join(root, folder, record), 'utf8');
    expect(text, record).toMatch(new RegExp(`^# ${record.slice(0, 3)} `));
    expect(text.match(/^\*\*(Status|Context|Decision|Consequences)\.\*\*/gm), record).toEqual([
      '**Status.**',
      '**Context.**',
      '**Decision.**',
      '**Consequences.**',
    ]);
    expect(text.split('\n').length, record).toBeLessThan(60);
  }
});
