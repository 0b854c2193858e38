import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;
const installed = (name: string) => JSON.parse(read(`node_modules/${name}/package.json`)) as { license: string };

/** Rows of the handbook's table: package, why, license, maintained, instead. */
const rows = read('content/handbook/dependencies.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

test('the handbook lists exactly the packages that run in production', () => {
  expect(rows.map(([name]) => name?.replaceAll('`', ''))).toEqual(Object.keys(dependencies));
  for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(5);
});

test('the handbook names the license of each package', () => {
  const stated = Object.keys(dependencies).map((name) => [name, installed(name).license]);
  // The package "node" contains Node.js, whose license it repeats.
  expect(rows.map(([name, , license]) => [name?.replaceAll('`', ''), license])).toEqual(stated);
});

test('no package is unused, and none is listed for both production and development', () => {
  const sources = globSync(['{api,site,content,db}/**/*.{ts,tsx,astro,css}', '*.{ts,mjs}'], { cwd: root })
    .filter((path) => !/\.(test|e2e)\.tsx?$|^api\/testing\/|^site\/e2e\//.test(path))
    .map(read)
    .join('\n');
  // Node.js is the runtime.
  const used = (name: string) => name === 'node' || new RegExp(`['"\`]${name}(/[^'"\`]*)?['"\`]`).test(sources);
  expect(Object.keys(dependencies).filter((name) => !used(name))).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => name in devDependencies)).toEqual([]);
});

test('every package that production code imports is a production dependency', () => {
  const files = globSync('{api,site,db}/**/*.{ts,tsx,astro}', { cwd: root }).filter(
    (path) => !/\.(test|e2e)\.tsx?$|\.setup\.ts$|^api\/testing\/|^site\/e2e\/|\/fixtures\/|\.d\.ts$/.test(path),
  );
  const foreign = files.flatMap((path) =>
    [...read(path).matchAll(/^(?:import|export)(?! type)[^'"]*?from '([^'#.][^']*)'/gms)]
      .map(([, from = '']) => (from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : from.split('/')[0]!))
      .filter((name) => !name.startsWith('node:') && !/^(astro|virtual):/.test(name) && !(name in dependencies))
      .map((name) => `${path}: ${name}`),
  );
  expect(foreign).toEqual([]);
});
