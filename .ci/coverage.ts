import { relative, sep } from 'node:path';
import { type Title, type WrittenTest, writtenTests } from './test-titles.ts';

/**
 * Reads `content/handbook/coverage.md`: each top-level list item is a statement, each item below it a test,
 * `file › group › title` between backticks. Groups may be left out where the title is the only one of its kind.
 */

export const coverageFile = 'content/handbook/coverage.md';

export interface Statement {
  line: number;
  text: string;
  tests: readonly TestName[];
}

interface TestName {
  line: number;
  file: string;
  titles: readonly string[];
}

/** One test as a runner reports it. */
export interface RunTest {
  file: string;
  titles: readonly string[];
  passed: boolean;
}

const between = ' › ';
const at = (line: number) => `${coverageFile}:${line}`;

/** The statements of the page; unreadable lines are errors with their number. */
export function readCoverage(markdown: string): Statement[] {
  const statements: { line: number; text: string; tests: TestName[] }[] = [];
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    const statement = /^- (.+)$/.exec(text);
    if (statement) statements.push({ line, text: statement[1]!, tests: [] });
    if (!/^\s+- /.test(text)) continue;
    const [file, ...titles] = /^ {2}- `([^`]+)`$/.exec(text)?.[1]?.split(between) ?? [];
    if (!file || titles.length === 0 || !statements.length) {
      throw new Error(`${at(line)}: a test is named as "  - \`file${between}title\`" below its statement`);
    }
    statements.at(-1)!.tests.push({ line, file, titles });
  }
  return statements;
}

/** Whether all names belong to one test: its own title last, its groups before it, some possibly omitted. */
function fits<T>(names: readonly string[], titles: readonly T[], same: (name: string, title: T) => boolean): boolean {
  const [name, title] = [names.at(-1)!, titles.at(-1)];
  if (title === undefined || !same(name, title)) return false;
  let found = 0;
  for (const group of titles.slice(0, -1)) if (found < names.length - 1 && same(names[found]!, group)) found++;
  return found === names.length - 1;
}

const found = (name: TestName, tests: readonly WrittenTest[]) =>
  tests.filter((test) => fits(name.titles, test.titles, (text, title) => text === title.text));

/** Whether only `npm test -- all` runs a named test. */
const isSlow = (name: TestName, tests: readonly WrittenTest[]) => found(name, tests)[0]?.slow === true;

/** Statements that no test proves in every run, and names that no test (or more than one) has. `read` gives nothing for a missing file. */
export function unprovenStatements(
  statements: readonly Statement[],
  read: (file: string) => string | undefined,
): string[] {
  const written = readFiles(read);
  return statements.flatMap((statement) => [
    ...(statement.tests.length === 0 ? [`${at(statement.line)}: no test is named for "${statement.text}"`] : []),
    ...(statement.tests.length > 0 && statement.tests.every((name) => isSlow(name, written(name.file) ?? []))
      ? [`${at(statement.line)}: only slow tests are named for "${statement.text}"`]
      : []),
    ...statement.tests.flatMap((name) => {
      const tests = written(name.file);
      if (!tests) return [`${at(name.line)}: there is no file ${name.file}`];
      const count = found(name, tests).length;
      if (count === 1) return [];
      const title = name.titles.join(between);
      return [`${at(name.line)}: ${name.file} has ${count === 0 ? 'no test' : `${count} tests`} called "${title}"`];
    }),
  ]);
}

/** The named tests that did not run, were skipped, or failed in a run; slow ones only with `withSlow`. A test that ran several times must pass each time. */
export function testsNotPassed(
  statements: readonly Statement[],
  read: (file: string) => string | undefined,
  run: readonly RunTest[],
  wasRun: (file: string) => boolean,
  withSlow: boolean,
): string[] {
  const written = readFiles(read);
  const names = statements.flatMap(({ tests }) => tests).filter(({ file }) => wasRun(file));
  return names.flatMap((name) => {
    const tests = written(name.file) ?? [];
    if (!withSlow && isSlow(name, tests)) return [];
    const [test] = found(name, tests);
    const isTitle = (text: string, title: string) =>
      test?.titles.some((one: Title) => one.text === text && one.pattern.test(title)) ?? false;
    const runs = run.filter(({ file, titles }) => file === name.file && fits(name.titles, titles, isTitle));
    const title = name.titles.join(between);
    if (runs.length === 0) return [`${at(name.line)}: ${name.file} did not run "${title}"`];
    return runs.every(({ passed }) => passed) ? [] : [`${at(name.line)}: ${name.file} did not pass "${title}"`];
  });
}

function readFiles(read: (file: string) => string | undefined) {
  const files = new Map<string, WrittenTest[] | undefined>();
  return (file: string): WrittenTest[] | undefined => {
    if (!files.has(file)) {
      const source = read(file);
      files.set(file, source === undefined ? undefined : writtenTests(source, file));
    }
    return files.get(file);
  };
}

export interface VitestReport {
  testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

interface PlaywrightSuite {
  title: string;
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: string }[] }[];
}

export interface PlaywrightReport {
  config: { rootDir: string };
  suites: PlaywrightSuite[];
}

const inProject = (path: string, root: string) => relative(root, path).split(sep).join('/');

export const runOfVitest = (report: VitestReport, root: string): RunTest[] =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: inProject(name, root),
      titles: [...ancestorTitles, title],
      passed: status === 'passed',
    })),
  );

export function runOfPlaywright(report: PlaywrightReport, root: string): RunTest[] {
  const inSuite = (suite: PlaywrightSuite, groups: readonly string[]): RunTest[] => [
    ...suite.specs.map(({ title, tests }) => ({
      file: inProject(`${report.config.rootDir}/${suite.file}`, root),
      titles: [...groups, title],
      passed: tests.every(({ status }) => status === 'expected' || status === 'flaky'),
    })),
    ...(suite.suites ?? []).flatMap((inner) => inSuite(inner, [...groups, inner.title])),
  ];
  return report.suites.flatMap((file) => inSuite(file, []));
}
