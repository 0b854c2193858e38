import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { chunkOf, layers } from './chunks.ts';

const home = 'site/polls/ActivePolls.island.tsx';
const poll = 'site/polls/Poll.island.tsx';
const ranked = 'site/polls/RankedPoll.island.tsx';
const account = 'site/members/accounts/AccountPage.island.tsx';
const script = 'site/pages/index.astro?astro&type=script&index=0&lang.ts';
const importersOf: Readonly<Record<string, readonly string[]>> = {
  'bars.tsx': [home, poll],
  'head.tsx': [poll, ranked],
  [poll]: [ranked],
  'format.ts': ['bars.tsx', 'site/polls/EmbeddedBallot.astro?astro&type=script&index=0&lang.ts'],
  'texts.ts': ['bars.tsx', account],
  'counts.ts': [script, poll],
  'own.tsx': [home],
  'form.tsx': [account, 'site/comments/Comments.island.tsx'],
};
const graph = {
  // As Rolldown names modules.
  getModuleInfo(id: string) {
    const path = relative('.', id);
    const importers = (importersOf[path] ?? []).map((importer) => resolve(importer));
    return { isEntry: path.startsWith('site/'), importers, dynamicImporters: [] };
  },
};

test.each([
  ['counts.ts', 'first-scripts', 'that a script before the first touch shares with an island'],
  ['bars.tsx', 'home', 'of the home page, which other ballots load, too'],
  ['texts.ts', 'home-islands', 'of the home page and of pages without a ballot'],
  ['format.ts', 'home-scripts', 'of the home page and of scripts, which do without React'],
  ['head.tsx', 'poll', 'of polls that the home page does without'],
  [poll, null, 'that is an island itself'],
  ['own.tsx', null, 'of one island alone'],
  ['form.tsx', null, 'of islands without a limit'],
])('a module (%s) goes into the file %s: one %s', (...[module, chunk]) => {
  expect(chunkOf(resolve(module), graph)).toBe(chunk);
});

test('each file that the layers name exists', () => {
  const files = globSync('site/**/*.{astro,tsx}').map((path) => `${path}?`);
  expect(layers.map(({ name, entry }) => [name, files.filter((path) => entry.test(path)).length])).toEqual([
    ['first', 2],
    ['home', 1],
    ['poll', 1],
    ['list', 1],
  ]);
});
