import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const sections = read('CHANGELOG.md').split(/^## /m).slice(1);

test('the version is a semantic one, and the lock file has the same', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } };
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

test('the changelog begins with what is not released, then has every version with its date, the newest first', () => {
  const [unreleased, ...released] = sections.map((section) => section.split('\n')[0]!);
  expect(unreleased).toBe('Unreleased');
  const parts = released.map((title) => /^(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)$/.exec(title));
  expect(parts).not.toContain(null);
  expect(released[0]).toBe(`${version} - ${parts[0]![4]}`);
  const order = parts.map((part) =>
    part!
      .slice(1, 4)
      .map((number) => number.padStart(6, '0'))
      .join('.'),
  );
  expect(order).toEqual(order.toSorted().reverse());
});

test('each section of the changelog groups its entries as in Keep a Changelog, and first says what to do before an update', () => {
  const groups = ['Before you update', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  for (const section of sections) {
    const used = [...section.matchAll(/^### (.*)$/gm)].map(([, title]) => title!);
    expect([section.split('\n')[0], used]).toEqual([
      section.split('\n')[0],
      groups.filter((one) => used.includes(one)),
    ]);
  }
});
