import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** A regular expression in a source file. */
interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/**
 * Patterns that take quadratic time for long texts, and why that can't be exploited: only the operator or the project
 * chooses their input.
 */
const bounded: Readonly<Record<string, string>> = {
  '\\/+$': 'settings, and arguments of commands',
  '[?#].*$': 'arguments of commands',
  '\\s*\\n\\s*': 'a question in its author’s browser',
  '=+$': 'the 32 bytes of a digest',
  '-?\\d+\\.\\d+': 'the outline of a letter',
  '[.-]+$': 'names of a few characters more than a username',
  '^\\d+|\\d+$': 'a username',
  '\\w+ and \\w+(?=\\?$)': 'a question in its author’s browser',
  '^\\s*(.*\\S)[\\s:,]+(\\d+(?:\\.\\d+)?)\\s*%?\\s*$': 'a line in its operator’s browser',
  '[\\s:,]+$': 'a line in its operator’s browser',
  '[\\s,;:.–—-]+$': 'the beginning of an article, cut before',
  '\\n\\s*Stack backtrace:[^]*$': 'output of a build',
};

const files = globSync('{api,content,site}/**/*.{ts,tsx,astro}').filter(
  (file) => !/\.test\.|\/(testing|e2e|fixtures)\//.test(file),
);

function patternsOf(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  // Frontmatter and markup of an Astro page parse as TSX well enough to find literals.
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Pattern[] = [];
  const add = (source: string, flags: string) => {
    try {
      new RegExp(source, flags);
      found.push({ where: file, source, flags });
    } catch {
      // A pattern composed at run time is tested where it is used.
    }
  };
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      add(source, flags);
    }
    // Schemas of the contract.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern' && ts.isStringLiteral(node.initializer))
      add(node.initializer.text, 'u');
    if (ts.isVariableDeclaration(node) && /pattern$/i.test(node.name.getText()) && node.initializer !== undefined)
      if (ts.isStringLiteral(node.initializer)) add(node.initializer.text, 'u');
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

/** Whether it can take quadratic time or worse: scslre reads the pattern and runs nothing. */
const growsTooFast = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>) =>
  analyse({ source, flags }).reports.length > 0;

test('no regular expression takes quadratic time', () => {
  const patterns = [...new Map(files.flatMap(patternsOf).map((one) => [`${one.source}/${one.flags}`, one])).values()];
  expect(patterns.length).toBeGreaterThan(60);
  const slow = patterns.filter((pattern) => !(pattern.source in bounded) && growsTooFast(pattern));
  expect(slow.map(({ where, source }) => `${where}: ${source}`)).toEqual([]);
  // Every exception must still exist.
  expect(Object.keys(bounded).filter((source) => !patterns.some((one) => one.source === source))).toEqual([]);
});

test('a regular expression that takes quadratic time is detected', () => {
  const found = ['/+$', '\\s+$', '^a*b'].map((source) => growsTooFast({ source, flags: '' }));
  expect(found).toEqual([true, true, false]);
});
