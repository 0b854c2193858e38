import { ESLint } from 'eslint';
import astro from 'eslint-plugin-astro';
import tseslint from 'typescript-eslint';
import { describe, expect, test } from 'vitest';
import house from './house-rules.js';
import { walls } from './walls.js';

/** For each wall: a file, an import that breaks it, and one beside it that is allowed. */
const planted: Record<string, { file: string; breaks: string; allowed: string }[]> = {
  'no-climbing': [
    { file: 'api/polls/x.service.ts', breaks: '../domain/poll-lifecycle.ts', allowed: '#domain/poll-lifecycle.ts' },
    { file: 'site/pages/x.astro', breaks: '../layouts/PageLayout.astro', allowed: '#site/layouts/PageLayout.astro' },
  ],
  'one-way-to-a-database': [
    { file: 'api/commands/x.ts', breaks: 'knex', allowed: '#platform/database.ts' },
    { file: 'api/doctor/x.service.ts', breaks: 'sqlite3', allowed: '#platform/database.ts' },
    { file: 'site/e2e/x.ts', breaks: 'node:sqlite', allowed: 'node:fs' },
  ],
  'tools-are-not-the-product': [
    { file: 'api/commands/x.ts', breaks: '#ci/bench/load.ts', allowed: '#api/polls/polls.service.ts' },
    { file: 'site/pages/x.astro', breaks: '#ci/bench/load.ts', allowed: '#site/layouts/PageLayout.astro' },
  ],
  contract: [{ file: 'api/contract/x.ts', breaks: '#texts/errors.ts', allowed: './limits.ts' }],
  domain: [{ file: 'api/domain/x.ts', breaks: '#platform/clock.ts', allowed: '#contract/limits.ts' }],
  'domain-is-pure': [{ file: 'api/domain/x.ts', breaks: 'node:fs', allowed: './poll-results.ts' }],
  texts: [{ file: 'content/texts/x.ts', breaks: '#domain/poll-results.ts', allowed: '#contract/limits.ts' }],
  db: [{ file: 'db/migrations/x.ts', breaks: '#api/polls/poll.model.ts', allowed: './shared.ts' }],
  platform: [{ file: 'api/platform/x.ts', breaks: '#domain/poll-lifecycle.ts', allowed: '#texts/errors.ts' }],
  'api-rooms': [
    {
      file: 'api/polls/x.service.ts',
      breaks: '#api/voting/voting.queries.ts',
      allowed: '#api/voting/voting.service.ts',
    },
  ],
  'rooms-meet-in-services': [
    { file: 'api/polls/x.queries.ts', breaks: '#api/voting/voting.service.ts', allowed: '#platform/database.ts' },
  ],
  routes: [{ file: 'api/polls/x.routes.ts', breaks: './poll.model.ts', allowed: './polls.service.ts' }],
  layers: [{ file: 'api/polls/x.presenter.ts', breaks: './polls.service.ts', allowed: './poll.model.ts' }],
  'services-below-routes': [
    { file: 'api/polls/x.service.ts', breaks: './polls.routes.ts', allowed: './polls.queries.ts' },
  ],
  'koa-stops-at-routes': [{ file: 'api/polls/x.service.ts', breaks: 'koa', allowed: 'objection' }],
  'site-enters-api-by-contract': [
    { file: 'site/polls/x.ts', breaks: '#platform/config.ts', allowed: '#contract/poll.ts' },
    { file: 'site/pages/x.astro', breaks: '#api/polls/polls.queries.ts', allowed: '#domain/poll-results.ts' },
  ],
  'site-server': [{ file: 'site/server/x.ts', breaks: '#platform/database.ts', allowed: '#platform/config.ts' }],
  ui: [{ file: 'site/ui/X.tsx', breaks: '#site/polls/VotingCard.island.tsx', allowed: '#contract/limits.ts' }],
  client: [{ file: 'site/client/x.ts', breaks: '#site/polls/use-cast-vote.ts', allowed: '#contract/endpoints.ts' }],
  'site-rooms': [
    { file: 'site/polls/x.tsx', breaks: '#site/archive/page-window.ts', allowed: '#site/ui/ResultBars.tsx' },
  ],
};

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['**/*.{ts,tsx}'], languageOptions: { parser: tseslint.parser } },
    ...(astro.configs.base as never[]),
    {
      files: ['**/*.{ts,tsx,astro}'],
      plugins: { house: house as never },
      rules: { 'house/import-walls': 'error', 'house/raw-html': 'error' },
    },
  ],
});

async function findings(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: file });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const importing = (file: string, source: string) =>
  file.endsWith('.astro') ? `---\nimport x from '${source}';\n---\n<p>{x}</p>` : `export * from '${source}';`;

test('every wall has a planted violation', () => {
  expect(Object.keys(planted).sort()).toEqual(walls.map(({ name }) => name).sort());
});

describe.each(Object.entries(planted))('the wall "%s"', (name, plants) => {
  test.each(plants)('stops $breaks in $file', async ({ file, breaks, allowed }) => {
    const found = await findings(file, importing(file, breaks));
    expect(found).toEqual([expect.stringContaining(`(${name}: `)]);
    expect(await findings(file, importing(file, allowed))).toEqual([]);
  });
});

test('raw HTML has one door', async () => {
  const react = 'export const X = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;';
  expect(await findings('site/polls/X.tsx', react)).toHaveLength(1);
  expect(await findings('site/ui/RawHtml.tsx', react)).toEqual([]);
  expect(await findings('site/pages/x.astro', '<Fragment set:html={x} />')).toHaveLength(1);
  expect(await findings('site/ui/RawHtml.astro', '<Fragment set:html={x} />')).toEqual([]);
});

test('the project’s own lint run has both rules switched on everywhere', async () => {
  const project = new ESLint({ overrideConfigFile: '.config/eslint.config.js' });
  for (const file of ['api/app.ts', 'site/polls/X.tsx', 'site/pages/index.astro', 'content/texts/errors.ts']) {
    const config = (await project.calculateConfigForFile(file)) as { rules: Record<string, [number]> };
    expect([file, config.rules['house/import-walls']?.[0], config.rules['house/raw-html']?.[0]]).toEqual([file, 2, 2]);
  }
});
