import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const guard = 'site/client/keep-translated.ts';
const imported = /^import (?!type )[^;]*?from '([^']+)';/gm;

/** The file of this project that an import names; null for a package. */
function fileOf(specifier: string, from: string): string | null {
  const path = specifier.startsWith('#')
    ? specifier
        .replace(/^#(contract|domain|platform)\//, 'api/$1/')
        .replace(/^#texts\//, 'content/texts/')
        .replace('#', '')
    : join(dirname(from), specifier);
  return specifier.startsWith('.') || specifier.startsWith('#') ? path : null;
}

/** The files that a script loads with itself. */
function loadedWith(entry: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      const path = fileOf(specifier, file);
      if (path !== null && /\.tsx?$/.test(path) && existsSync(path)) found.add(path);
    }
  return found;
}

test('every island loads the guard without which a page that the browser translated loses its forms', () => {
  const islands = globSync('site/**/*.island.tsx');
  expect(islands.length).toBeGreaterThan(25);
  expect(islands.filter((island) => !loadedWith(island).has(guard))).toEqual([]);
});
