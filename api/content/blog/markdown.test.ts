import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';

const render = (text: string) =>
  renderMarkdown({ text, firstLine: 10 }, { file: 'content/blog/x.md', slugs: new Set(['other']) });

test('headings have unique ids made of their words', () => {
  expect(render('## Data & Transparency\n\n### Children under 13\n\n## Data & Transparency')).toBe(
    '<h2 id="data-transparency">Data &#x26; Transparency</h2>\n<h3 id="children-under-13">Children under 13</h3>\n<h2 id="data-transparency-1">Data &#x26; Transparency</h2>'.replaceAll(
      '&#x26;',
      '&amp;',
    ),
  );
});

test('a footnote is at the end with links in both directions, and its reference has it as a tooltip', () => {
  const html = render('Somebody counted.[^who]\n\n[^who]: A “Journal” of *Numbers*, 1941. <https://doi.org/10.1/x>');
  expect(html).toContain('<a href="#fn-who" id="fnref-who"');
  expect(html).toContain('data-tooltip="A “Journal” of Numbers, 1941."');
  expect(html).toContain('<h2 class="notes__title" id="footnote-label">Sources and notes</h2>');
  expect(html).toContain('<li id="fn-who">');
  expect(html).toMatch(/<a href="#fnref-who"[^>]* aria-label="Back to note 1 in the text"[^>]*>↑<\/a>/);
});

test('tables and links follow GitHub Flavored Markdown', () => {
  expect(render('| A | B |\n| - | - |\n| [here](/blog/other) | ~~no~~ |')).toContain(
    '<td><a href="/blog/other">here</a></td>\n<td><del>no</del></td>',
  );
});

test('in a table with three or more columns each cell carries the head of its column', () => {
  const html = render('| Name | Set *when* | Lasts |\n| - | - | - |\n| a | b | c |');
  expect(html).toContain('<td>a</td>\n<td data-head="Set when">b</td>\n<td data-head="Lasts">c</td>');
});

test('a chart replaces its code block', () => {
  const html = render(
    'Before.\n\n```chart\ntype: bars\ntitle: T\nunit: votes\nsource: S\ndata:\n  - [A, 1]\n  - [B, 2]\n```\n\nAfter.',
  );
  expect(html).toMatch(/^<p>Before\.<\/p>\n<figure class="chart chart--bars".*<\/figure>\n<p>After\.<\/p>$/s);
});

test.each([
  ['HTML', 'Fine.\n\n<script>alert(1)</script>', 12, 'HTML is not allowed'],
  ['HTML within a line', 'Fine <b onclick="x">words</b>.', 10, 'HTML is not allowed'],
  ['a picture of another site', '![Alt](https://elsewhere.example/x.png)', 10, 'only pictures that were uploaded'],
  ['a picture that is a file', '![Alt](/x.png)', 10, 'only pictures that were uploaded'],
  ['a first heading', '# Title', 10, 'headings must be “##”'],
  ['a deep heading', 'Words.\n\n#### Deep', 12, 'headings must be “##”'],
  ['a link that runs', '[x](javascript:alert(1))', 10, 'goes nowhere'],
  ['a relative link', '[x](other)', 10, 'goes nowhere'],
  ['a link to another host without a scheme', '[x](//elsewhere.example)', 10, 'goes nowhere'],
  ['a link to a missing article', 'A\n\n[x](/blog/gone#part)', 12, 'doesn’t exist in content/blog'],
  ['a link to a missing heading', '## There\n\n[x](#elsewhere)', 12, 'points to a heading that doesn’t exist'],
  ['a link that isn’t percent-encoded', '## There\n\n[x](#50%)', 12, 'points to a heading that doesn’t exist'],
  ['a note without text', 'Words.[^gone]', 10, '“gone” has a reference but no text'],
  ['a chart that is not YAML', '\n```chart\ntype: bars\ntitle: [\n```', 14, 'the chart is not valid YAML'],
  [
    'a chart without a source',
    '```chart\ntype: bars\ntitle: T\nunit: x\ndata: [[A, 1], [B, 2]]\n```',
    10,
    'chart, source: is missing',
  ],
])('%s is refused, with file and line', (_, text, line, reason) => {
  expect(() => render(text)).toThrow(`content/blog/x.md, line ${line}: `);
  expect(() => render(text)).toThrow(reason);
});

test('an unreferenced footnote is refused', () => {
  expect(() => render('Words.\n\n[^spare]: Text.')).toThrow('the note “spare” is never referenced');
});

const picture = `/images/${'aB3-_'.repeat(8)}xyz-1200x800.webp`;

test('an uploaded picture has its size, so that the browser keeps its place, and is loaded when it is near', () => {
  expect(render(`![A *tie*](${picture})`)).toBe(
    `<p><img src="${picture}" alt="A tie" width="1200" height="800" loading="lazy" decoding="async"></p>`,
  );
});

test('a picture without a text for readers who can’t see it is refused', () => {
  expect(() => render(`Words.\n\n![ ](${picture})`)).toThrow('line 12: a picture needs a text for readers');
});
