import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Words that no text shown to people has, and what the texts say instead: one term for each thing. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bdesk\b(?!\.)/i, 'admin pages'],
  [/\bdemonstration (data|polls?|votes?)\b/i, 'demo'],
  [/\boperator’s pages?\b/i, 'admin pages'],
  [/\bany more (?!\w)|\bany more[.:,;]/, 'anymore'],
  [/\bmails\b/i, 'emails'],
  [/\be-mails?\b/i, 'email'],
  // A promise is kept.
  [/(?<!promise[^.]*)\b(is|are|was|were|be) kept\b|^Kept\b|\bKept$/, 'saved, stored, stays, or left'],
  [/\bnoted\b/i, 'processed'],
  [/\bportions?\b/i, 'batch'],
  [/\btak(e|en|es) over\b/i, 'hydrate, or what it does'],
  [/\bspool(ed|s)?\b/i, 'queue'],
  [/\bbreathes?\b/i, 'what it does'],
  [/\bwaves\b|\b(this|each|first|last|a) wave\b(?!,)/i, 'poll'],
  [/\b(by|of|in|to) which\b/i, 'a sentence with a subject and a verb'],
];

/** Texts in quotation marks, with their places: not names of things that code reads, which have no space. */
function textsOf(file: string): { readonly place: string; readonly text: string }[] {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: { place: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      if (/\s/.test(node.text)) found.push({ place: `${file}:${line + 1}`, text: node.text });
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

const texts = globSync('content/texts/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap(textsOf);

test('texts use one term for each thing', () => {
  expect(texts.length).toBeGreaterThan(2_000);
  const wrong = texts.flatMap(({ place, text }) =>
    words.flatMap(([word, instead]) => {
      const found = word.exec(text);
      return found
        ? [`${place}: “${found[0]}”, say ${instead}: ${text.slice(Math.max(0, found.index - 60), found.index + 60)}`]
        : [];
    }),
  );
  expect(wrong).toEqual([]);
});
