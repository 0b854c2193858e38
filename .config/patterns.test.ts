import { globSync, readFileSync } from 'node:fs';
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
  '\\s*\\n\\s*': 'a question in its author’s browser',
  '=+$': 'the 32 bytes of a digest',
  '[.-]+$': 'names of a few characters more than a username',
  '\\b(?:between\\b.* and|both|black and white|research and development|supply and demand|terms and conditions|health and safety|peace and quiet|pros and cons|men and women|arts and crafts|rock and roll|bed and breakfast|science and technology)\\b':
    'a question in its author’s browser',
  ', [^?]*\\bor\\b': 'a question in its author’s browser',
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
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

/** Adversarial texts of about a length: repetitions of what the pattern matches, and then a mismatch. */
function* texts({ source }: Pattern, length: number): Generator<string> {
  const plain = source
    .replace(/\\[nrt]/g, (escape) => ({ '\\n': '\n', '\\r': '\r', '\\t': '\t' })[escape] ?? '')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[a-zA-Z]/g, ' ')
    .replace(/\\(.)/g, '$1');
  const words = [...new Set(plain.match(/[^()[\]{}|?*+^$]{2,}/g) ?? [])].slice(0, 4);
  const units = new Set(['a0 \n\t/-.,<"\\:=&_', plain].flatMap((text) => text.split('')).concat(words));
  for (const beginning of ['', ...words])
    for (const unit of units) yield `${beginning}${unit.repeat(length / unit.length)}\u0001!`;
}

function cost({ source, flags }: Pattern, text: string): number {
  const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && (attempt === 0 || least > 1); attempt += 1) {
    const before = performance.now();
    text.replace(everywhere, '');
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

/** Whether some text of eight times the length takes far more than eight times as long. */
function growsTooFast(pattern: Pattern): boolean {
  const short = texts(pattern, 1_000);
  for (const long of texts(pattern, 8_000)) {
    const text = short.next().value as string;
    const spent = cost(pattern, long);
    if (spent > 2 && spent > 24 * Math.max(cost(pattern, text), 0.01)) return true;
  }
  return false;
}

test('no regular expression takes quadratic time', { timeout: 60_000 }, () => {
  const patterns = [...new Map(files.flatMap(patternsOf).map((one) => [`${one.source}/${one.flags}`, one])).values()];
  expect(patterns.length).toBeGreaterThan(60);
  const slow = patterns.filter((pattern) => !(pattern.source in bounded) && growsTooFast(pattern));
  expect(slow.map(({ where, source }) => `${where}: ${source}`)).toEqual([]);
  // Every exception must still exist.
  expect(Object.keys(bounded).filter((source) => !patterns.some((one) => one.source === source))).toEqual([]);
});

test('a regular expression that takes quadratic time is detected', () => {
  const found = ['/+$', '\\s+$', '^a*b'].map((source) => growsTooFast({ where: '', source, flags: '' }));
  expect(found).toEqual([true, true, false]);
});
