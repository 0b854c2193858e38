import { describe, expect, test } from 'vitest';
import {
  coveragePage,
  currentProofs,
  currentStatements,
  proofsIn,
  proofsNotPassed,
  readStatements,
  runOfPlaywright,
  runOfVitest,
  unprovenStatements,
} from './coverage.ts';

describe('the project', () => {
  const current = currentProofs();

  test('every statement of the specification has a test', () => {
    const list = currentStatements();
    expect(list.length).toBeGreaterThan(350);
    expect(unprovenStatements(list, current)).toEqual([]);
  });
});

const source = `
test('[S1.1] tea is served', () => {});
test('[S1.2] ten thousand cups are served', { ...slow, timeout: 60_000 }, () => {});
describe('the kettle', () => {
  test.each(['gas', 'coal'])('[S1.3 D1.1] boils with %s', () => {});
  it(\`holds \${litres} litres\`, () => {});
});
describe('the pot', () => {
  test('[S1.4] is warm', () => {});
});
describe('the cup', () => {
  test("[S1.4] isn't cold", async () => { await test.step('held', async () => {}); });
});
`;
const proofs = proofsIn('tea.test.ts', source);
const statements = (...ids: string[]) => readStatements(ids.map((id) => `${id} Tea\n`).join(''));

test('tests are read without running them, and what varies in a title is written as …', () => {
  expect(proofs.map(({ title, slow }) => [title, slow])).toEqual([
    ['tea is served', false],
    ['ten thousand cups are served', true],
    ['boils with …', false],
    ['is warm', false],
    ["isn't cold", false],
  ]);
  expect(proofs.map(({ ids }) => ids)).toEqual([['S1.1'], ['S1.2'], ['S1.3', 'D1.1'], ['S1.4'], ['S1.4']]);
});

test('the page lists the tests of each statement, and those of several below each', () => {
  const list = '# Tea\nS1.3 Tea is hot\nS1.4 Cups are, too\nD1.1 Energy\n';
  expect(coveragePage(list, proofs).split('\n')).toEqual([
    '# Tea',
    'S1.3 Tea is hot',
    '  - tea.test.ts › boils with …',
    'S1.4 Cups are, too',
    '  - tea.test.ts › is warm',
    "  - tea.test.ts › isn't cold",
    'D1.1 Energy',
    '  - tea.test.ts › boils with …',
    '',
  ]);
});

describe('the check reports', () => {
  const missing = (...ids: string[]) => unprovenStatements(statements(...ids), proofs);

  test('a statement without a test', () => {
    expect(missing('S1.1', 'S1.2', 'S1.3', 'S1.4', 'D1.1', 'S1.5')).toEqual([
      '.ci/statements.txt: only slow tests prove S1.2 "Tea"',
      '.ci/statements.txt: no test proves S1.5 "Tea"',
    ]);
  });

  test('a test that names a statement that does not exist or is retired', () => {
    const list = [...statements('S1.1', 'S1.3', 'S1.4'), ...readStatements('D1.1 Retired\n')];
    expect(unprovenStatements(list, proofs)).toEqual([
      'tea.test.ts: "ten thousand cups are served": there is no statement S1.2',
      'tea.test.ts: "boils with …": there is no statement D1.1',
    ]);
  });

  test('a line without an id, and an id that occurs twice', () => {
    expect(() => readStatements('Tea\n')).toThrow('"Tea" has to be');
    expect(() => statements('S1.1', 'S1.1')).toThrow('two statements have the id S1.1');
  });

  test.each([
    "test('[S1.1, S1.2] tea', () => {})",
    "describe('[S1.1] tea', () => { test('hot', () => {}) })",
    "test('[S1.1] tea', () => {}); test('[S1.1] tea', () => {})",
  ])('ids that it can’t read, and a title that occurs twice: %s', (code) => {
    expect(() => proofsIn('tea.test.ts', code)).toThrow('tea.test.ts: ');
  });
});

describe('after a run', () => {
  const named = proofs.filter(({ ids }) => ids.includes('S1.3') || ids.includes('S1.4'));
  const ran = (status: string) =>
    runOfVitest(
      {
        testResults: [
          {
            name: '/project/tea.test.ts',
            assertionResults: [
              { title: '[S1.3 D1.1] boils with gas', status: 'passed' },
              { title: '[S1.3 D1.1] boils with gas', status },
              { title: '[S1.4] is warm', status: 'passed' },
            ],
          },
        ],
      },
      '/project',
    );

  test('a test that did not run, was skipped, or failed is reported', () => {
    const cold = "S1.4: did not run: tea.test.ts › isn't cold";
    expect(proofsNotPassed(named, ran('passed'), () => true, true)).toEqual([cold]);
    for (const status of ['failed', 'skipped', 'pending']) {
      const notBoiled = 'S1.3, D1.1: did not pass: tea.test.ts › boils with …';
      expect(proofsNotPassed(named, ran(status), () => true, true)).toEqual([notBoiled, cold]);
    }
    const onlyOneEngine = proofsNotPassed(named, ran('skipped'), () => true, false);
    expect(onlyOneEngine).toEqual([cold]);
    const nowhere = ran('skipped').map((one) => ({ ...one, outcome: 'skipped' as const }));
    expect(proofsNotPassed(named, nowhere, () => true, false)).toHaveLength(3);
  });

  test('tests of a part that was not requested are not required', () => {
    expect(proofsNotPassed(named, [], (file) => file.endsWith('.e2e.ts'), true)).toEqual([]);
  });

  test('slow tests are required only where they were requested', () => {
    const many = proofs.filter(({ ids }) => ids.includes('S1.2'));
    expect(proofsNotPassed(many, ran('passed'), () => true, false)).toEqual([]);
    expect(proofsNotPassed(many, ran('passed'), () => true, true)).toEqual([
      'S1.2: did not run: tea.test.ts › ten thousand cups are served',
    ]);
  });

  test('browser tests count with their status', () => {
    const suite = { file: 'tea.e2e.ts', specs: [{ title: 'is served', tests: [{ status: 'expected' }] }] };
    const late = { file: 'tea.e2e.ts', specs: [{ title: 'is cold', tests: [{ status: 'skipped' }] }] };
    const report = {
      config: { rootDir: '/project/site/e2e' },
      suites: [{ ...suite, suites: [late] }],
    };
    expect(runOfPlaywright(report, '/project')).toEqual([
      { file: 'site/e2e/tea.e2e.ts', title: 'is served', outcome: 'passed' },
      { file: 'site/e2e/tea.e2e.ts', title: 'is cold', outcome: 'skipped' },
    ]);
  });
});
