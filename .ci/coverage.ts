import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

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
  ids: readonly string[];
  /** The title without the ids, and with `…` for variable parts. */
  title: string;
  /** Matches the whole title in a run. */
  pattern: RegExp;
  /** Whether only `npm test -- all` runs it (`api/testing/slow.ts`). */
  slow: boolean;
}

/** One test as a runner reports it. */
export interface RunTest {
  file: string;
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
}

const statementLine = /^([SD]\d+\.\d+) (.+)$/;
/** A title with ids, after its opening quote, and the option `slow`. */
const provingTitle =
  /(['"`])\[([SD]\d+\.\d+(?: [SD]\d+\.\d+)*)\] ((?:\\.|(?!\1)[^\\])+)\1(?:,(?:\s|\/\/.*)*(?:\{\s*\.\.\.)?(slow)\b)?/g;
/** What varies in a title: parts of a template, and Vitest’s placeholders of `each` and `for`. */
const placeholder = /\$\{[^}]*\}|%[sdifjoO#$]|\$[a-zA-Z_][\w.]*/;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

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

const nameOf = ({ file, title }: Proof) => `${file} › ${title}`;

/** The tests of a file that name statements; throws where a title seems to name one and can’t be read or told apart. */
export function proofsIn(file: string, source: string): Proof[] {
  const proofs = [...source.matchAll(provingTitle)].map(([, , ids = '', written = '', slow], _, all): Proof => {
    if (all.filter((other) => other[2] === ids && other[3] === written).length > 1)
      throw new Error(`${file}: two tests are called "[${ids}] ${written}"`);
    const parts = written.replace(/\\(.)/g, '$1').split(placeholder);
    const pattern = new RegExp(`^\\[${escaped(ids)}\\] ${parts.map(escaped).join('.*')}$`, 's');
    return { file, ids: ids.split(' '), title: parts.join('…'), pattern, slow: slow !== undefined };
  });
  const inGroup = /describe(?:\.\w+)*\(\s*['"`]\s*\[[SD]\d/i.test(source);
  const seeming = source.match(/['"`]\s*\[[SD]\d/gi) ?? [];
  if (inGroup || seeming.length !== proofs.length)
    throw new Error(`${file}: a test names statements as "[S2.14 S3.1] title", and a group names none`);
  return proofs;
}

/** The proofs of all test files, by file and in the order of the file. */
export const currentProofs = () =>
  globSync('{api,site,content,db,.ci,.config,.deploy}/**/*.{test.ts,test.tsx,e2e.ts}')
    .map((path) => path.split(sep).join('/'))
    // It has examples.
    .filter((file) => file !== '.ci/coverage.test.ts')
    .sort()
    .flatMap((file) => proofsIn(file, readFileSync(file, 'utf8')));

/** Statements that no test proves in every run, and ids that belong to no statement. */
export function unprovenStatements(statements: readonly Statement[], proofs: readonly Proof[]): string[] {
  const current = new Set(statements.filter(({ retired }) => !retired).map(({ id }) => id));
  const unproven = statements.flatMap(({ id, text, retired }) => {
    const own = proofs.filter(({ ids }) => ids.includes(id));
    if (retired || own.some(({ slow }) => !slow)) return [];
    return [`${statementsFile}: ${own.length === 0 ? 'no test proves' : 'only slow tests prove'} ${id} "${text}"`];
  });
  const unknown = proofs.flatMap(({ file, title, ids }) =>
    ids.filter((id) => !current.has(id)).map((id) => `${file}: "${title}": there is no statement ${id}`),
  );
  return [...unproven, ...unknown];
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
    const { file, ids, pattern, slow } = proof;
    if (!wasRun(file) || (slow && !withSlow)) return [];
    const runs = run.filter(
      (one) => one.file === file && (withSlow || one.outcome !== 'skipped') && pattern.test(one.title),
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
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

interface PlaywrightSuite {
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
    assertionResults.map(({ title, status }) => ({
      file: inProject(name, root),
      title,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );

export function runOfPlaywright(report: PlaywrightReport, root: string): RunTest[] {
  const inSuite = (suite: PlaywrightSuite): RunTest[] => [
    ...suite.specs.map(({ title, tests }) => ({
      file: inProject(`${report.config.rootDir}/${suite.file}`, root),
      title,
      outcome: tests.every(({ status }) => status === 'expected' || status === 'flaky')
        ? ('passed' as const)
        : tests.some(({ status }) => status === 'skipped')
          ? ('skipped' as const)
          : ('failed' as const),
    })),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return report.suites.flatMap(inSuite);
}

/** The statements with their tests, for `npm test -- statements`. */
export const currentCoveragePage = () => coveragePage(readFileSync(statementsFile, 'utf8'), currentProofs());
