import { ESLint } from 'eslint';
import astro from 'eslint-plugin-astro';
import tseslint from 'typescript-eslint';
import { describe, expect, test } from 'vitest';
import { importRules } from './import-rules.js';
import project from './project-rules.js';

/** For each rule: a file, an import that violates it, and a similar one that is allowed. */
const planted: Record<string, { file: string; breaks: string; allowed: string }[]> = {
  'no-parent-imports': [
    { file: 'api/polls/x.service.ts', breaks: '../domain/poll-lifecycle.ts', allowed: '#domain/poll-lifecycle.ts' },
    { file: 'site/pages/x.astro', breaks: '../layouts/PageLayout.astro', allowed: '#site/layouts/PageLayout.astro' },
  ],
  'database-access': [
    { file: 'api/commands/x.ts', breaks: 'knex', allowed: '#platform/database.ts' },
    { file: 'api/admin/doctor/x.service.ts', breaks: 'sqlite3', allowed: '#platform/database.ts' },
    { file: 'site/e2e/x.ts', breaks: 'node:sqlite', allowed: 'node:fs' },
  ],
  'no-tools-in-product': [
    { file: 'api/commands/x.ts', breaks: '#ci/bench/load.ts', allowed: '#api/polls/polls.service.ts' },
    { file: 'site/pages/x.astro', breaks: '#ci/bench/load.ts', allowed: '#site/layouts/PageLayout.astro' },
  ],
  contract: [{ file: 'api/contract/x.ts', breaks: '#texts/errors.ts', allowed: './limits.ts' }],
  contracts: [
    { file: 'api/polls/x.contract.ts', breaks: '#domain/poll-results.ts', allowed: '#contract/schema.ts' },
    { file: 'api/polls/x.contract.ts', breaks: './polls.service.ts', allowed: './polls.contract.ts' },
    { file: 'api/x.contract.ts', breaks: '#api/polls/polls.queries.ts', allowed: '#api/polls/polls.contract.ts' },
  ],
  domain: [
    { file: 'api/domain/x.ts', breaks: '#platform/clock.ts', allowed: '#contract/limits.ts' },
    { file: 'api/domain/x.ts', breaks: '#api/polls/polls.service.ts', allowed: '#api/polls/polls.contract.ts' },
  ],
  'domain-is-pure': [{ file: 'api/domain/x.ts', breaks: 'node:fs', allowed: './poll-results.ts' }],
  texts: [{ file: 'content/texts/x.ts', breaks: '#domain/poll-results.ts', allowed: '#contract/limits.ts' }],
  db: [{ file: 'db/migrations/x.ts', breaks: '#api/polls/poll.model.ts', allowed: './shared.ts' }],
  tables: [{ file: 'db/tables.ts', breaks: '#api/polls/poll.model.ts', allowed: '#contract/vocabulary.ts' }],
  platform: [
    { file: 'api/platform/x.ts', breaks: '#domain/poll-lifecycle.ts', allowed: '#texts/errors.ts' },
    { file: 'api/platform/x.ts', breaks: '#api/polls/polls.contract.ts', allowed: '#api/endpoints.contract.ts' },
  ],
  'api-features': [
    {
      file: 'api/polls/x.service.ts',
      breaks: '#api/voting/voting.queries.ts',
      allowed: '#api/voting/voting.service.ts',
    },
  ],
  'features-through-services': [
    { file: 'api/polls/x.queries.ts', breaks: '#api/voting/voting.service.ts', allowed: '#platform/database.ts' },
  ],
  routes: [{ file: 'api/polls/x.routes.ts', breaks: './poll.model.ts', allowed: './polls.service.ts' }],
  'models-and-presenters': [
    { file: 'api/polls/x.presenter.ts', breaks: './polls.service.ts', allowed: './poll.model.ts' },
  ],
  'no-http-in-services': [
    { file: 'api/polls/x.service.ts', breaks: './polls.routes.ts', allowed: './polls.queries.ts' },
  ],
  'koa-only-in-routes': [{ file: 'api/polls/x.service.ts', breaks: 'koa', allowed: 'objection' }],
  'site-uses-contract': [
    { file: 'site/polls/x.ts', breaks: '#platform/config.ts', allowed: '#api/polls/polls.contract.ts' },
    { file: 'site/pages/x.astro', breaks: '#api/polls/polls.queries.ts', allowed: '#domain/poll-results.ts' },
  ],
  'site-server': [{ file: 'site/server/x.ts', breaks: '#platform/database.ts', allowed: '#platform/config.ts' }],
  ui: [{ file: 'site/ui/X.tsx', breaks: '#site/polls/voting/Ballot.tsx', allowed: '#contract/limits.ts' }],
  client: [
    { file: 'site/client/x.ts', breaks: '#site/polls/voting/use-cast-vote.ts', allowed: '#api/endpoints.contract.ts' },
  ],
  'site-polls': [
    {
      file: 'site/polls/x.tsx',
      breaks: '#site/comments/Thread.tsx',
      allowed: '#site/polls/community/CommunityParts.tsx',
    },
  ],
  'site-features': [
    {
      file: 'site/polls/community/x.tsx',
      breaks: '#site/polls/archive/archive-query.ts',
      allowed: '#site/polls/voting/ballot.ts',
    },
    { file: 'site/polls/voting/x.tsx', breaks: '#site/polls/ShareBox.tsx', allowed: './ballot.ts' },
  ],
  admin: [
    {
      file: 'site/admin/polls/x.tsx',
      breaks: '#site/polls/archive/page-window.ts',
      allowed: '#site/admin/AdminPage.tsx',
    },
  ],
};

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['**/*.{ts,tsx}'], languageOptions: { parser: tseslint.parser } },
    ...(astro.configs.base as never[]),
    {
      files: ['**/*.{ts,tsx,astro}'],
      plugins: { project: project as never },
      rules: {
        'project/imports': 'error',
        'project/import-cycles': 'error',
        'project/live-regions': 'error',
        'project/raw-html': 'error',
        'project/translated-islands': 'error',
        'project/vote-writes': 'error',
      },
    },
  ],
});

async function findings(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: file });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const importing = (file: string, source: string) =>
  file.endsWith('.astro') ? `---\nimport x from '${source}';\n---\n<p>{x}</p>` : `export * from '${source}';`;

test('every import rule is proven by a planted violation', () => {
  expect(Object.keys(planted).sort()).toEqual(importRules.map(({ name }) => name).sort());
});

describe.each(Object.entries(planted))('the import rule "%s"', (name, plants) => {
  test.each(plants)('refuses $breaks in $file', async ({ file, breaks, allowed }) => {
    const found = await findings(file, importing(file, breaks));
    // Some of them close a cycle, too.
    const ofImports = found.filter((message) => message.startsWith('project/imports'));
    expect(ofImports).toEqual([expect.stringContaining(`(${name}: `)]);
    expect(await findings(file, importing(file, allowed))).toEqual([]);
  });
});

describe('import cycles', () => {
  test.each([
    ['of modules', 'api/platform/clock.ts', "export * from './middleware.ts';"],
    ['of modules by way of a third one', 'api/platform/clock.ts', "export * from './endpoint-router.ts';"],
    ['of modules by a type', 'api/platform/clock.ts', "import type { RequestState } from './middleware.ts';"],
    ['of modules of the site', 'site/client/api.ts', "export * from './query-client.ts';"],
    ['of folders', 'api/voting/x.service.ts', "export * from '#api/polls/polls.service.ts';"],
    ['of folders by way of a third one', 'api/voting/x.service.ts', "export * from '#api/comments/x.service.ts';"],
    ['of folders by a type', 'api/voting/x.service.ts', "import type { X } from '#api/polls/polls.service.ts';"],
  ])('one %s is refused', async (kind, file, code) => {
    const found = await findings(file, code);
    const message = `project/import-cycles: This import closes a cycle of ${kind.split(' ')[1]}`;
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  test('imports without a cycle are allowed', async () => {
    const code = "export * from './clock.ts';\nimport type { X } from '#contract/limits.ts';";
    expect(await findings('api/platform/middleware.ts', code)).toEqual([]);
  });
});

test('raw HTML is refused outside of its component', async () => {
  const react = 'export const X = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;';
  expect(await findings('site/polls/X.tsx', react)).toHaveLength(1);
  expect(await findings('site/ui/RawHtml.tsx', react)).toEqual([]);
  expect(await findings('site/pages/x.astro', '<Fragment set:html={x} />')).toHaveLength(1);
  expect(await findings('site/ui/RawHtml.astro', '<Fragment set:html={x} />')).toEqual([]);
});

test.each([
  'const X = ({ done }) => <div>{done && <p role="status">Done</p>}</div>;',
  'const X = ({ done }) => (done ? <p aria-live="polite">Done</p> : null);',
  'function X({ done }) { if (done) return <section role="status"><p>Done</p></section>; return null; }',
  'const X = ({ query }) => <Loaded query={query}>{(data) => <p role="status">{data.text}</p>}</Loaded>;',
])('a live region that arrives with its text is refused: %s', async (code) => {
  const late = 'project/live-regions: A screen reader misses a live region that arrives with its text';
  expect(await findings('site/polls/X.tsx', code)).toEqual([expect.stringContaining(late)]);
});

test.each([
  'const X = ({ done }) => <p role="status">{done && "Done"}</p>;',
  'const X = ({ done }) => <div>{done && <p role="alert">Failed</p>}</div>;',
])('a live region that waits for its text is allowed: %s', async (code) => {
  expect(await findings('site/polls/X.tsx', code)).toEqual([]);
});

describe('an island that a translation by the browser would break', () => {
  const island = 'site/polls/Planted.island.tsx';
  const unguarded = 'project/translated-islands: An island must load site/client/keep-translated.ts';

  test.each([
    'export default function Planted() { return <form />; }',
    "import { useHydrated } from '#site/client/use-hydrated.ts';",
    // Types are not loaded, and the rest only later.
    "import type { queryClient } from '#site/client/query-client.ts';",
    "export const later = () => import('#site/client/query-client.ts');",
  ])('is refused: %s', async (code) => {
    expect(await findings(island, code)).toEqual([expect.stringContaining(unguarded)]);
    expect(await findings('site/polls/Planted.tsx', code)).toEqual([]);
  });

  test.each([
    "import { keepTranslated } from '#site/client/keep-translated.ts';",
    "import { queryClient } from '#site/client/query-client.ts';",
    "import { VoteCard } from './voting/VoteCard.tsx';",
  ])('is allowed once it loads the guard: %s', async (code) => {
    expect(await findings(island, code)).toEqual([]);
  });
});

describe('outside of voting,', () => {
  const written = 'project/vote-writes: Only api/voting writes ballots, votes, and statistics: call its services.';

  test.each([
    "db.raw('delete from votes where id < ?', [5]);",
    'db.raw(`with v as (select 1)\n  insert into\n ballots (${columns}) select ${columns} from v`);',
    "db.raw('insert or ignore into voters values (1)');",
    'db.raw(`UPDATE "statistics" set shard = ${shard}`);',
    "db('ballots').where({ id }).update({ is_active: false });",
    "db<Row>('votes as v').where({ id }).del();",
    "db({ o: 'ballot_options' }).increment({ votes: 1 });",
    "db.insert(row).into('ballot_deletions').delete();",
    "db.batchInsert('votes', rows);",
    "insertRows(db, 'ballots', columns, rows);",
    "async function f() { const due = db('ballots').where({ id }); if (id) await due.update({ is_active: false }); }",
    'BallotModel.query(db).insert(row);',
    'BallotModel.query(db).findById(id).patch({ category });',
    'BallotOptionModel.query(db).deleteById([id, option]);',
    'CommunityPollModel.query(db).insertGraph({ id, ballot });',
    "poll.$relatedQuery('ballot', db).patch({ category });",
  ])('%s is refused', async (code) => {
    expect(await findings('api/polls/x.service.ts', code)).toEqual([written]);
    expect(await findings('api/voting/x.service.ts', code)).toEqual([]);
  });

  test.each([
    "db('ballots').where({ id }).select('votes').forUpdate();",
    "db('community_polls').whereIn('id', db('ballots').select('id')).update({ featured: true });",
    "db.raw('update polls set question = ? where id in (select id from ballots)', [question]);",
    'const votes = new Map(); votes.delete(id); BallotModel.query(db).findById(id);',
    "insertRows(db, 'polls', columns, rows);",
  ])('%s is allowed', async (code) => {
    expect(await findings('api/polls/x.service.ts', code)).toEqual([]);
  });
});

test('a name with a word that the handbook avoids is refused', async () => {
  const lint = new ESLint({ overrideConfigFile: '.config/eslint.config.js' });
  const refused = async (name: string) => {
    const [result] = await lint.lintText(`export const ${name} = 1;`, { filePath: 'api/app.ts' });
    return result!.messages.map(({ ruleId }) => ruleId);
  };
  for (const name of ['nextPortion', 'PollSpool', 'linesKept', 'keptMs', 'isNoted', 'breathe'])
    expect([name, await refused(name)]).toEqual([name, ['id-match']]);
  for (const name of ['proportion', 'keptVoted', 'kept', 'denoted'])
    expect([name, await refused(name)]).toEqual([name, []]);
});

test('the lint run of the project has the rules switched on everywhere', async () => {
  const project = new ESLint({ overrideConfigFile: '.config/eslint.config.js' });
  const names = ['imports', 'import-cycles', 'live-regions', 'raw-html', 'translated-islands', 'vote-writes'];
  const all = names.map((name) => `project/${name}`);
  for (const file of ['api/app.ts', 'site/polls/X.tsx', 'site/pages/index.astro', 'content/texts/errors.ts']) {
    const config = (await project.calculateConfigForFile(file)) as { rules: Record<string, [number]> };
    expect([file, ...all.map((rule) => config.rules[rule]?.[0])]).toEqual([file, ...all.map(() => 2)]);
  }
});
