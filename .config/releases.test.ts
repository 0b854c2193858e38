import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('the version is a semantic one, and the lock file has the same', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } };
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});
