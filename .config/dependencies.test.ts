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

test('no package that runs in production has a license that would bind the whole product', () => {
  // OFL-1.1 binds the fonts only.
  const allowed = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1'];
  const isAllowed = (license: string) => license.split(/ OR |[()]/).some((one) => allowed.includes(one));
  const others = Object.keys(dependencies)
    // The package "node" contains Node.js, whose license it repeats.
    .filter((name) => name !== 'node')
    .map((name) => ({ name, license: installed(name).license }))
    .filter(({ license }) => !isAllowed(license));
  expect(others).toEqual([]);
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
