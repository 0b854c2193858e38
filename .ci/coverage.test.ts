import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  coverageFile,
  readCoverage,
  runOfPlaywright,
  runOfVitest,
  testsNotPassed,
  unprovenStatements,
} from './coverage.ts';
import { writtenTests } from './test-titles.ts';

const readProject = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

test('every statement of the specification names tests that exist', () => {
  const statements = readCoverage(readFileSync(coverageFile, 'utf8'));
  expect(statements.length).toBeGreaterThan(350);
  expect(unprovenStatements(statements, readProject)).toEqual([]);
});

const source = `
test('tea is served', () => {});
test('ten thousand cups are served', { ...slow, timeout: 60_000 }, () => {});
describe('the kettle', () => {
  test.each(['gas', 'coal'])('boils with %s', () => {});
  it(\`holds \${litres} litres\`, () => {});
});
describe('the pot', () => {
  test('is warm', () => {});
});
describe('the cup', () => {
  test('is warm', async () => { await test.step('held', async () => {}); });
});
`;
const read = (file: string) => (file === 'tea.test.ts' ? source : undefined);
const page = (...names: string[]) => readCoverage(`- Tea\n${names.map((name) => `  - \`${name}\`\n`).join('')}`);

test('tests are read with their groups, and variable parts of titles match anything', () => {
  expect(writtenTests(source, 'tea.test.ts').map(({ titles }) => titles.map(({ text }) => text))).toEqual([
    ['tea is served'],
    ['ten thousand cups are served'],
    ['the kettle', 'boils with …'],
    ['the kettle', 'holds … litres'],
    ['the pot', 'is warm'],
    ['the cup', 'is warm'],
  ]);
});

describe('reported problems', () => {
  test('a statement without a test', () => {
    expect(unprovenStatements(page(), read)).toEqual([`${coverageFile}:1: no test is named for "Tea"`]);
  });

  test('a missing test or test file', () => {
    expect(unprovenStatements(page('tea.test.ts › tea is cold', 'milk.test.ts › it is white'), read)).toEqual([
      `${coverageFile}:2: tea.test.ts has no test called "tea is cold"`,
      `${coverageFile}:3: there is no file milk.test.ts`,
    ]);
  });

  test('a title shared by several tests, unless its group is given', () => {
    expect(unprovenStatements(page('tea.test.ts › is warm'), read)).toHaveLength(1);
    expect(unprovenStatements(page('tea.test.ts › the pot › is warm', 'tea.test.ts › boils with …'), read)).toEqual([]);
  });

  test('a statement with only slow tests', () => {
    const many = 'tea.test.ts › ten thousand cups are served';
    expect(unprovenStatements(page(many), read)).toEqual([`${coverageFile}:1: only slow tests are named for "Tea"`]);
    expect(unprovenStatements(page(many, 'tea.test.ts › tea is served'), read)).toEqual([]);
  });

  test('an unreadable line', () => {
    expect(() => readCoverage('- Tea\n  - tea.test.ts, somewhere\n')).toThrow(`${coverageFile}:2`);
  });
});

describe('after a run', () => {
  const named = page('tea.test.ts › boils with …', 'tea.test.ts › the cup › is warm');
  const ran = (status: string) =>
    runOfVitest(
      {
        testResults: [
          {
            name: '/project/tea.test.ts',
            assertionResults: [
              { ancestorTitles: ['on SQLite', 'the kettle'], title: 'boils with gas', status: 'passed' },
              { ancestorTitles: ['on PostgreSQL', 'the kettle'], title: 'boils with gas', status },
              { ancestorTitles: ['the pot'], title: 'is warm', status: 'passed' },
            ],
          },
        ],
      },
      '/project',
    );

  test('a test that did not run, was skipped, or failed is reported', () => {
    const cold = `${coverageFile}:3: tea.test.ts did not run "the cup › is warm"`;
    expect(testsNotPassed(named, read, ran('passed'), () => true, true)).toEqual([cold]);
    for (const status of ['failed', 'skipped', 'pending']) {
      const unboiled = `${coverageFile}:2: tea.test.ts did not pass "boils with …"`;
      expect(testsNotPassed(named, read, ran(status), () => true, true)).toEqual([unboiled, cold]);
    }
  });

  test('tests of parts that were not run are not reported', () => {
    expect(testsNotPassed(named, read, [], (file) => file.endsWith('.e2e.ts'), true)).toEqual([]);
  });

  test('slow tests are reported only if they were requested', () => {
    const many = page('tea.test.ts › ten thousand cups are served', 'tea.test.ts › boils with …');
    expect(testsNotPassed(many, read, ran('passed'), () => true, false)).toEqual([]);
    expect(testsNotPassed(many, read, ran('passed'), () => true, true)).toEqual([
      `${coverageFile}:2: tea.test.ts did not run "ten thousand cups are served"`,
    ]);
  });

  test('tests in a browser count with their groups and their status', () => {
    const suite = { file: 'tea.e2e.ts', specs: [{ title: 'is served', tests: [{ status: 'expected' }] }] };
    const late = { title: 'late', file: 'tea.e2e.ts', specs: [{ title: 'is cold', tests: [{ status: 'skipped' }] }] };
    const report = {
      config: { rootDir: '/project/site/e2e' },
      suites: [{ ...suite, title: 'tea.e2e.ts', suites: [late] }],
    };
    expect(runOfPlaywright(report, '/project')).toEqual([
      { file: 'site/e2e/tea.e2e.ts', titles: ['is served'], passed: true },
      { file: 'site/e2e/tea.e2e.ts', titles: ['late', 'is cold'], passed: false },
    ]);
  });
});
