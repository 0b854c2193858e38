import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every file that the tour of the code names exists', () => {
  const files = [...read('content/handbook/tour.md').matchAll(/`([\w.-]+(?:\/[\w.[\]-]+)+)`/g)].map(
    ([, file = '']) => file,
  );
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every link between the README, the changelog, and the handbook leads to a file', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...globSync('content/handbook/**/*.md', { cwd: root })];
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:|#|\/)([^)#\s]+)/g)].map(([, link = '']) => join(dirname(page), link)),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
