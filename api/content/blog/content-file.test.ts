import { expect, test } from 'vitest';
import { articleHeadSchema } from './blog.contract.ts';
import type { ArticleHead } from './blog.contract.ts';
import { compileSchema } from '#platform/validation.ts';
import { readContentFile } from './content-file.ts';

const check = compileSchema<ArticleHead>(articleHeadSchema, 'json');
const head = [
  'title: A title',
  'excerpt: Words',
  'category: Samples',
  'author: Desk',
  'tags: [a, b, c]',
  'featured: true',
  'publishedAt: 2026-01-02',
];
const read = (lines: readonly string[]) => readContentFile('content/blog/x.md', lines.join('\n'), check);

test('front matter keeps dates and words as strings, and the text begins after it', () => {
  const { head: found, text, firstLine } = read(['---', ...head, '---', '', 'Text.']);
  expect(found).toMatchObject({ publishedAt: '2026-01-02', tags: ['a', 'b', 'c'], featured: true });
  expect([text, firstLine]).toEqual(['\nText.', 10]);
});

test('a file with Windows line ends reads the same', () => {
  const content = `\uFEFF${['---', ...head, '---', 'Text.'].join('\r\n')}`;
  expect(readContentFile('content/blog/x.md', content, check).text).toBe('Text.');
});

test.each([
  ['no front matter', ['# Title'], 'x.md, line 1: the file must start with front matter'],
  ['no end of it', ['---', ...head], 'x.md, line 1: the file must start with front matter'],
  ['broken YAML', ['---', 'title: "open', '---', 'T'], 'x.md, line 3: the front matter is not valid YAML'],
  ['a list', ['---', '- a', '---', 'T'], 'x.md, line 2: the front matter must be a list of'],
  [
    'a title that nobody can see',
    ['---', 'title: "\\u200B\\u2060"', ...head.slice(1), '---', 'T'],
    'x.md, line 2: front matter, title: is blank.',
  ],
  [
    'a tag that nobody can see',
    ['---', ...head.with(4, 'tags: [a, "\\u3164", c]'), '---', 'T'],
    'x.md, line 6: front matter, tags.2: is blank.',
  ],
  ['a text that nobody can see', ['---', ...head, '---', '\u200b \u3164'], 'there is no text after the front matter'],
  ['a missing field', ['---', ...head.slice(1), '---', 'T'], 'x.md: front matter, title: is missing.'],
  [
    'an unknown field',
    ['---', ...head, 'slug: x', '---', 'T'],
    'x.md, line 9: front matter, slug: is not a known field.',
  ],
  [
    'a tag twice',
    ['---', ...head.with(4, 'tags: [a, a]'), '---', 'T'],
    'x.md, line 6: front matter, tags: must not contain duplicates',
  ],
  [
    'a day that is none',
    ['---', ...head.with(6, 'publishedAt: 2026-02-30'), '---', 'T'],
    'line 8: front matter, publishedAt',
  ],
  [
    'a long excerpt',
    ['---', ...head.with(1, `excerpt: ${'x'.repeat(201)}`), '---', 'T'],
    'line 3: front matter, excerpt',
  ],
  ['no text', ['---', ...head, '---', ''], 'x.md, line 9: there is no text'],
])('%s is refused, with the line', (_, lines, message) => {
  expect(() => read(lines)).toThrow(message);
});

test('all wrong fields, and a missing text, are told at once', () => {
  expect(() => read(['---', 'excerpt: ""', 'updatedAt: soon', '---', ''])).toThrow(
    [
      'content/blog/x.md: front matter, title: is missing.',
      'content/blog/x.md, line 2: front matter, excerpt: must not be empty.',
      'content/blog/x.md, line 3: front matter, updatedAt: must be',
    ].join('\n'),
  );
  expect(() => read(['---', 'excerpt: ""', '---', ''])).toThrow(/line 3: there is no text/);
});
