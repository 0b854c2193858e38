import { posix } from 'node:path';

/** Selects the tests of changed modules for `npm test -- changed`. */

const aliases = { contract: 'api/contract', domain: 'api/domain', platform: 'api/platform', texts: 'content/texts' };
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const carriesIds = (file: string) => /\.(test|e2e)\.tsx?$/.test(file);
const isHttp = (file: string) => file.endsWith('.http.test.ts');

/** Compares the ids in test titles with the list of statements. */
const coverageTest = '.ci/coverage.test.ts';

/** Tests that import every feature, so following their imports would select nearly every test. */
const isHub = (file: string) => /^api\/(app\.ts|endpoints\.contract\.ts|commands\/|testing\/)/.test(file);

/** Files whose changes can break any test. */
const isShared = (file: string) =>
  /^(api\/(app\.ts|platform\/|contract\/|testing\/)|db\/|\.config\/|package|tsconfig)/.test(file);

/** The project file that an import resolves to, if any. */
function target(from: string, specifier: string, files: ReadonlySet<string>): string | undefined {
  const [, alias, rest] = /^#(\w+)\/(.+)$/.exec(specifier) ?? [];
  if (alias !== undefined) {
    const folder = alias in aliases ? aliases[alias as keyof typeof aliases] : alias;
    return files.has(`${folder}/${rest}`) ? `${folder}/${rest}` : undefined;
  }
  if (!specifier.startsWith('.')) return undefined;
  const file = posix.join(posix.dirname(from), specifier);
  return files.has(file) ? file : undefined;
}

function importsOf(file: string, text: string, files: ReadonlySet<string>): string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"]+)['"]/g);
  return [...specifiers].flatMap(([, specifier]) => target(file, specifier!, files) ?? []);
}

export interface Selection {
  tests: string[];
  /** Changed files whose effects only the full run covers. */
  shared: string[];
}

/**
 * The tests in the folders of changed files, and all others that import one of them: HTTP tests directly, others through
 * any number of modules. A changed test also selects the check of its ids. `files` are all files of the project.
 */
export function selectTests(
  changed: readonly string[],
  files: readonly string[],
  read: (file: string) => string,
): Selection {
  const known = new Set(files);
  const importers = new Map<string, string[]>();
  for (const file of files) {
    if (!/\.(tsx?|astro)$/.test(file)) continue;
    for (const imported of importsOf(file, read(file), known))
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
  const reached = new Set(changed);
  // Iterating a set also visits what is added meanwhile.
  for (const file of reached) {
    if (isHub(file) && !changed.includes(file)) continue;
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const folders = new Set(changed.map((file) => posix.dirname(file)));
  const isNear = (test: string) =>
    folders.has(posix.dirname(test)) || changed.some((file) => importers.get(file)?.includes(test));
  const isSelected = (test: string) =>
    isNear(test) || (reached.has(test) && !isHttp(test)) || (test === coverageTest && changed.some(carriesIds));
  return {
    tests: files.filter((file) => isTest(file) && isSelected(file)),
    shared: changed.filter((file) => isShared(file) && !isTest(file)),
  };
}
