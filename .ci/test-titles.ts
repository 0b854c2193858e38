import ts from 'typescript';

/** A test in its source file: the titles of its groups and its own, with `…` for variable parts. */
export interface WrittenTest {
  titles: readonly Title[];
  /** Whether only `npm test -- all` runs it (`api/testing/slow.ts`). */
  slow: boolean;
}

export interface Title {
  /** `axe finds nothing on any page, …` */
  text: string;
  /** A pattern for the title in a run. */
  pattern: RegExp;
}

const functions = new Set(['test', 'it', 'describe']);
const notTests = new Set(['step', 'skip', 'slow', 'fail', 'use', 'extend']);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Vitest’s placeholders of `each` and `for`: `%s`, `$name`, `$a.b`. */
const placeholder = /%[sdifjoO#$]|\$[a-zA-Z_][\w.]*/g;

/** The names from the callee's first to its last: `test.skipIf(x).each([…])` is test, skipIf, each. */
function namesOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text];
  return ts.isCallExpression(callee) ? namesOf(callee.expression) : [];
}

function titleOf(node: ts.Expression, filledIn: boolean): Title | undefined {
  const varying = '\0';
  const literal = (text: string) => (filledIn ? text.replaceAll(placeholder, varying) : text);
  let text: string;
  if (ts.isStringLiteralLike(node)) text = literal(node.text);
  else if (ts.isTemplateExpression(node)) {
    text = literal(node.head.text) + node.templateSpans.map((span) => varying + literal(span.literal.text)).join('');
  } else return undefined;
  return {
    text: text.replaceAll(varying, '…'),
    pattern: new RegExp(`^${text.split(varying).map(escaped).join('.*')}$`, 's'),
  };
}

/** Whether an argument is the option `slow`, or spreads it among others. */
const isSlow = (node: ts.Node | undefined): boolean =>
  node !== undefined &&
  (ts.isObjectLiteralExpression(node)
    ? node.properties.some((property) => ts.isSpreadAssignment(property) && isSlow(property.expression))
    : ts.isIdentifier(node) && node.text === 'slow');

/** The tests of a file, read without running it: a loop or table is one test with `…` in its title. */
export function writtenTests(source: string, file: string): WrittenTest[] {
  const tests: WrittenTest[] = [];
  const visit = (node: ts.Node, groups: readonly Title[], inSlowGroup: boolean): void => {
    let inside = groups;
    let slow = inSlowGroup;
    if (ts.isCallExpression(node) && node.arguments.length > 1) {
      const names = namesOf(node.expression);
      if (functions.has(names[0] ?? '') && !notTests.has(names.at(-1) ?? '')) {
        const filledIn = names.includes('each') || names.includes('for');
        const title = titleOf(node.arguments[0]!, filledIn);
        if (title) {
          inside = [...groups, title];
          slow ||= isSlow(node.arguments[1]);
          if (!names.includes('describe')) tests.push({ titles: inside, slow });
        }
      }
    }
    ts.forEachChild(node, (child) => visit(child, inside, slow));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest), [], false);
  return tests;
}
