import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('content/handbook/**/*.md', { cwd: root }),
];

/** The places of a page that a link can lead to, as GitHub names them. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link between the README, the changelog, and the handbook leads to a file, and to a heading in it', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([link, path, anchor]) => ({
      link: `${page}: ${link}`,
      file: path ? join(dirname(page), path) : page,
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(
    ({ file, anchor }) =>
      !existsSync(join(root, file)) ||
      (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});

test('every file of the project that the handbook names exists', () => {
  const files = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...read(page).matchAll(/`((?:api|site|content|db|\.ci|\.config|\.deploy)\/[\w./@[\]-]+\.\w+)`/g)].map(
        ([, file = '']) => ({ page, file }),
      ),
    );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test('every decision that code or documents cite by its number exists', () => {
  const numbers = globSync('content/handbook/decisions/*.md', { cwd: root }).map((file) => /\d{3}/.exec(file)![0]);
  expect(new Set(numbers).size).toBe(numbers.length);
  const sources = globSync(
    ['{api,site,content,db,.ci,.config,.deploy}/**/*.{md,ts,tsx,mjs,js,astro,css}', '*.{md,ts,mjs}', '.env.example'],
    { cwd: root },
  );
  const cited = sources.flatMap((file) =>
    // "decisions 061 and 121", even across lines of a comment.
    [...read(file).matchAll(/\bdecisions?[\s*]+\d{3}\b(?:(?:,|[\s*]+and|[\s*]+to)[\s*]+\d{3}\b)*/gi)]
      .flatMap(([words]) => words.match(/\d{3}/g) ?? [])
      .map((number) => ({ file, number })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});

test('the documents stay short enough to be read: 3,370 lines in all, and 35,500 words in the handbook', () => {
  const all = globSync(['*.md', '.github/**/*.md', 'content/{handbook,legal,pages}/**/*.md'], { cwd: root }).map(read);
  expect(all.join('').split('\n').length).toBeLessThanOrEqual(3_370);
  const words = pages
    .filter((page) => page.startsWith('content/handbook/'))
    .flatMap((page) => read(page).match(/\S+/g));
  expect(words.length).toBeLessThanOrEqual(35_500);
});
