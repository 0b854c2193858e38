import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { type Title, type WrittenTest, writtenTests } from './test-titles.ts';

/**
 * Which tests prove the statements of the specification. The statements are lines of `statements.txt`, each after its
 * id; a test names the ids of those it proves at the start of its title: `[S2.14 S3.1] …`.
 */

const statementsFile = '.ci/statements.txt';

export interface Statement {
  id: string;
  text: string;
  retired: boolean;
}

/** A test that names statements in its title. */
export interface Proof {
  file: string;
  test: WrittenTest;
  ids: readonly string[];
}

/** One test as a runner reports it. */
export interface RunTest {
  file: string;
  titles: readonly string[];
  outcome: 'passed' | 'failed' | 'skipped';
}

const statementLine = /^([SD]\d+\.\d+) (.+)$/;
const idPrefix = /^\[([SD]\d+\.\d+(?: [SD]\d+\.\d+)*)\] (?=\S)/;

/** The statements of the list; throws at a line without an id and at an id that occurs twice. */
export function readStatements(list: string): Statement[] {
  const statements = list.split('\n').flatMap((line): Statement[] => {
    if (line === '' || line.startsWith('#')) return [];
    const [, id, text] = statementLine.exec(line) ?? [];
    if (!id || !text) throw new Error(`${statementsFile}: "${line}" has to be "S1.1 text"`);
    return [{ id, text, retired: text === 'Retired' }];
  });
  const twice = statements.find(({ id }, index) => statements.findIndex((other) => other.id === id) !== index);
  if (twice) throw new Error(`${statementsFile}: two statements have the id ${twice.id}`);
  return statements;
}

export const currentStatements = () => readStatements(readFileSync(statementsFile, 'utf8'));

const ownTitle = (test: WrittenTest) => test.titles.at(-1)!.text;
const nameOf = ({ file, test }: Proof) =>
  [file, ...test.titles.map(({ text }) => text.replace(idPrefix, ''))].join(' › ');

/** The tests of a file that name statements; throws where a title seems to name one and can’t be read. */
export function proofsIn(file: string, source: string): Proof[] {
  if (!/['"`]\s*\[[SD]\d/i.test(source)) return [];
  return writtenTests(source, file).flatMap((test) => {
    const title = ownTitle(test);
    const ids = idPrefix.exec(title)?.[1]?.split(' ');
    if (ids) return [{ file, test, ids }];
    if (test.titles.some(({ text }) => /^\s*\[[SD]\d/i.test(text)))
      throw new Error(`${file}: "${title}": a test names statements as "[S2.14 S3.1] title", and a group names none`);
    return [];
  });
}

/** The proofs of all test files, by file and in the order of the file. */
export const currentProofs = () =>
  globSync('{api,site,content,db,.ci,.config,.deploy}/**/*.{test.ts,test.tsx,e2e.ts}')
    .map((path) => path.split(sep).join('/'))
    .sort()
    .flatMap((file) => proofsIn(file, readFileSync(file, 'utf8')));

/** Statements that no test proves in every run, and ids that belong to no statement. */
export function unprovenStatements(statements: readonly Statement[], proofs: readonly Proof[]): string[] {
  const current = new Set(statements.filter(({ retired }) => !retired).map(({ id }) => id));
  const unproven = statements.flatMap(({ id, text, retired }) => {
    const own = proofs.filter(({ ids }) => ids.includes(id));
    if (retired || own.some(({ test }) => !test.slow)) return [];
    return [`${statementsFile}: ${own.length === 0 ? 'no test proves' : 'only slow tests prove'} ${id} "${text}"`];
  });
  const unknown = proofs.flatMap(({ file, test, ids }) =>
    ids.filter((id) => !current.has(id)).map((id) => `${file}: "${ownTitle(test)}": there is no statement ${id}`),
  );
  return [...unproven, ...unknown];
}

/** Whether a reported test is the written one: its own title last, its groups before it in order, perhaps among others. */
function isRunOf(titles: readonly Title[], run: readonly string[]): boolean {
  const groups = titles.slice(0, -1);
  let matched = 0;
  for (const title of run.slice(0, -1)) if (groups[matched]?.pattern.test(title)) matched++;
  return matched === groups.length && titles.at(-1)!.pattern.test(run.at(-1) ?? '');
}

/**
 * Proofs that a run left out, skipped, or saw fail. A test that ran several times, such as once per database, has to pass
 * each time. Slow tests count only `withSlow`, and so do repeats on another database that are slow tests.
 */
export function proofsNotPassed(
  proofs: readonly Proof[],
  run: readonly RunTest[],
  wasRun: (file: string) => boolean,
  withSlow: boolean,
): string[] {
  return proofs.flatMap((proof) => {
    const { file, test, ids } = proof;
    if (!wasRun(file) || (test.slow && !withSlow)) return [];
    const runs = run.filter(
      (one) => one.file === file && (withSlow || one.outcome !== 'skipped') && isRunOf(test.titles, one.titles),
    );
    if (runs.length > 0 && runs.every(({ outcome }) => outcome === 'passed')) return [];
    return [`${ids.join(', ')}: ${runs.length === 0 ? 'did not run' : 'did not pass'}: ${nameOf(proof)}`];
  });
}

/** The statements of the list, each with the names of its tests. */
export function coveragePage(list: string, proofs: readonly Proof[]): string {
  const lines = list.split('\n').flatMap((line) => {
    const id = statementLine.exec(line)?.[1];
    const own = id === undefined ? [] : proofs.filter(({ ids }) => ids.includes(id));
    return [line, ...own.map((proof) => `  - ${nameOf(proof)}`)];
  });
  return lines.join('\n');
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
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );

export function runOfPlaywright(report: PlaywrightReport, root: string): RunTest[] {
  const inSuite = (suite: PlaywrightSuite, groups: readonly string[]): RunTest[] => [
    ...suite.specs.map(({ title, tests }) => ({
      file: inProject(`${report.config.rootDir}/${suite.file}`, root),
      titles: [...groups, title],
      outcome: tests.every(({ status }) => status === 'expected' || status === 'flaky')
        ? ('passed' as const)
        : tests.some(({ status }) => status === 'skipped')
          ? ('skipped' as const)
          : ('failed' as const),
    })),
    ...(suite.suites ?? []).flatMap((inner) => inSuite(inner, [...groups, inner.title])),
  ];
  return report.suites.flatMap((file) => inSuite(file, []));
}

/** The statements with their tests, for `npm test -- statements`. */
export const currentCoveragePage = () => coveragePage(readFileSync(statementsFile, 'utf8'), currentProofs());
