import { expect, test } from 'vitest';
import { selectTests } from './changed.ts';

const project: Record<string, string> = {
  'api/domain/tea.ts': '',
  'api/domain/tea.test.ts': "import { tea } from './tea.ts';",
  'api/kettle/kettle.service.ts': "import { tea } from '#domain/tea.ts';",
  'api/kettle/kettle.http.test.ts': "import { start } from '#api/testing/test-app.ts';",
  'api/cups/cups.http.test.ts': "import { start } from '#api/testing/test-app.ts';",
  'api/app.ts': "import { kettle } from './kettle/kettle.service.ts';",
  'api/testing/test-app.ts': "import { app } from '#api/app.ts';",
  'api/platform/clock.ts': '',
  'site/tea/Tea.island.tsx': "import { tea } from '#domain/tea.ts';\nexport const lazy = () => import('./Pot.tsx');",
  'site/tea/Pot.tsx': '',
  'site/pages/tea.astro': "import { Tea } from '#site/tea/Tea.island.tsx';",
  'site/tables/Table.dom.test.tsx': "import { Tea } from '#site/tea/Tea.island.tsx';",
  'content/texts/tea.ts': '',
};
const select = (...changed: string[]) => selectTests(changed, Object.keys(project), (file) => project[file]!);

test('a changed module selects the tests in its folder and those that import it, even indirectly', () => {
  expect(select('site/tea/Pot.tsx').tests).toEqual(['site/tables/Table.dom.test.tsx']);
  expect(select('api/domain/tea.ts').tests).toEqual(['api/domain/tea.test.ts', 'site/tables/Table.dom.test.tsx']);
});

test('an HTTP test is selected for a change in its folder, but not for everything the API imports', () => {
  expect(select('api/kettle/kettle.service.ts').tests).toEqual(['api/kettle/kettle.http.test.ts']);
  expect(select('content/texts/tea.ts').tests).toEqual([]);
});

test('a changed test selects only the tests in its folder', () => {
  expect(select('api/cups/cups.http.test.ts')).toEqual({ tests: ['api/cups/cups.http.test.ts'], shared: [] });
});

test('a changed test also selects the check of the statements it names', () => {
  const files = ['.ci/coverage.test.ts', 'site/e2e/tea.e2e.ts', 'site/tea/Pot.tsx'];
  expect(selectTests(['site/e2e/tea.e2e.ts'], files, () => '').tests).toEqual(['.ci/coverage.test.ts']);
  expect(selectTests(['site/tea/Pot.tsx'], files, () => '').tests).toEqual([]);
});

test('changed files that every test depends on are listed, because only the full run covers them', () => {
  expect(select('api/platform/clock.ts', 'api/domain/tea.ts').shared).toEqual(['api/platform/clock.ts']);
});
