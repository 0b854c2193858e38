import { describe, expect, test } from 'vitest';
import { listsPolls, withoutPolls } from './taken-down.ts';

const gone = new Set(['gone', 'gone-too']);
const card = (id: string) =>
  `<li class="cell"><article><h3><a href="/poll/${id}">What about ${id}?</a></h3><ul><li>Yes</li><li>No</li></ul></article></li>`;
const escaped = (props: unknown) => JSON.stringify(props).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const poll = (id: string) => [
  0,
  { id: [0, id], question: [0, `What & "why" ${id}?`], options: [1, [[0, { id: [0, 'a'] }]]] },
];
const island = (...ids: string[]) =>
  `<astro-island uid="x" props="${escaped({ known: [0, { polls: [1, ids.map(poll)], total: [0, 9] }] })}" ssr><ul>${ids.map(card).join('')}</ul></astro-island>`;

describe('removing polls from a page', () => {
  test('lists lose their cards, and islands their props', () => {
    for (const page of ['index.html', 'historical.html'])
      expect(withoutPolls(page, `<main>${island('one', 'gone', 'two', 'gone-too')}</main>`, gone)).toBe(
        `<main>${island('one', 'two')}</main>`,
      );
  });

  test('what React replaces loses the props, as Astro escapes them', () => {
    const props = (...ids: string[]) => ({
      polls: ids.map((id) => ({ id, question: `Is ${id} “A & B”?`, options: [{ id: 'a' }] })),
    });
    const plain = (...ids: string[]) =>
      JSON.stringify(props(...ids))
        .replaceAll('&', '&#38;')
        .replaceAll('"', '&#34;');
    const home = (attribute: string, ...ids: string[]) =>
      `<div data-app="polls" data-props="${attribute}"><ul>${ids.map(card).join('')}</ul></div>`;
    expect(withoutPolls('index.html', home(plain('one', 'gone'), 'one', 'gone'), gone)).toBe(
      home(escaped(props('one')), 'one'),
    );
    const kept = home(plain('one', 'a'), 'one', 'a');
    expect(withoutPolls('index.html', kept, gone)).toBe(kept);
  });

  test('answer options of other polls stay, even if their id equals that of a deleted poll', () => {
    expect(withoutPolls('index.html', island('one', 'a'), new Set(['a']))).toBe(island('one'));
  });

  test('community polls are removed, too', () => {
    const list = (...ids: string[]) =>
      `<ul>${ids.map((id) => `<li><a href="/community-polls/${id}">${id}</a></li>`).join('')}</ul>`;
    expect(withoutPolls('community-polls.html', list('gone', 'kept'), gone)).toBe(list('kept'));
  });

  test('articles are removed from lists, feeds, and what other articles recommend, but not from their texts', () => {
    const articles = new Set(['/blog/gone']);
    const listed = (...names: string[]) =>
      `<ul>${names.map((name) => `<li><ul><li>Tag</li></ul><a href="/blog/${name}">A</a></li>`).join('')}</ul>`;
    for (const page of ['blog.html', 'blog/category/numbers.html'])
      expect(withoutPolls(page, listed('one', 'gone', 'gone-too'), articles)).toBe(listed('one', 'gone-too'));
    const entry = (name: string) => `<item><link>https://a.example/blog/${name}</link></item>`;
    expect(withoutPolls('blog/rss.xml', entry('gone') + entry('one'), articles)).toBe(entry('one'));
    const article = (...names: string[]) =>
      `${listed('gone')}<section class="related no-print" aria-labelledby="related">${listed(...names)}</section>`;
    expect(withoutPolls('blog/one.html', article('gone', 'two'), articles)).toBe(article('two'));
    expect(['blog.html', 'blog/one.html', 'blog/atom.xml', 'terms.html'].map(listsPolls)).toEqual([
      ...[true, true, true],
      false,
    ]);
  });

  test('the page about decisions no longer lists those about deleted polls', () => {
    const decision = (id: string) =>
      `<li class="x"><time>Nov 20</time><div><a href="/poll/${id}" dir="auto">What about ${id}?</a><p>Set aside</p></div></li>`;
    const page = (...ids: string[]) => `<ol class="decisions">${ids.map(decision).join('')}</ol>`;
    expect(listsPolls('integrity.html')).toBe(true);
    expect(withoutPolls('integrity.html', page('gone', 'one'), gone)).toBe(page('one'));
  });

  test('a report loses its links to related polls, but nothing of its analysis', () => {
    const analysis = '<ul class="related"><li>See <a href="/poll/gone">an older poll</a></li></ul>';
    const related = (...ids: string[]) =>
      `<section class="part no-print" aria-labelledby="related" data-x> <h2 id="related">Related Polls</h2> <ul class="related">${ids.map(card).join('')}</ul> </section>`;
    const report = (list: string) => `${analysis}${list}<section>The end</section>`;
    expect(withoutPolls('poll/x.html', report(related('gone', 'one')), gone)).toBe(report(related('one')));
    expect(withoutPolls('poll/x.html', report(related('gone')), gone)).toBe(report(''));
    expect(withoutPolls('poll/x.html', analysis, gone)).toBe(analysis);
  });

  test('topic lists no longer have their cards, nor the chart of a series with one of the polls', () => {
    const waves = (...ids: string[]) =>
      `<section class="part" aria-labelledby="waves" data-x><table>${ids.map((id) => `<td><a href="/poll/${id}">Nov 1</a></td>`).join('')}</table></section>`;
    for (const page of ['historical/tag/tea.html', 'historical/series/tea.html', 'historical/year/2026.html'])
      expect(listsPolls(page)).toBe(true);
    const page = (list: string, ...ids: string[]) => `<main>${list}<ul>${ids.map(card).join('')}</ul></main>`;
    expect(withoutPolls('historical/series/tea.html', page(waves('one', 'gone'), 'one', 'gone'), gone)).toBe(
      page('', 'one'),
    );
    expect(withoutPolls('poll/x.html', page(waves('one')), gone)).toBe(page(waves('one')));
    expect(withoutPolls('poll/x.html', page(waves('x', 'gone')), gone)).toBe(page(''));
  });

  test('feeds and sitemaps lose the entries', () => {
    const of = {
      'historical/rss.xml': (id: string) =>
        `        <item>\n            <title><![CDATA[See /poll/gone]]></title>\n            <link>https://x.example/poll/${id}</link>\n        </item>\n`,
      'historical/atom.xml': (id: string) =>
        `    <entry>\n        <title>T</title>\n        <id>https://x.example/poll/${id}</id>\n    </entry>\n`,
      'sitemap-polls.xml': (id: string) => `<url><loc>https://x.example/poll/${id}</loc></url>\n`,
      'sitemap-community.xml': (id: string) => `<url><loc>https://x.example/community-polls/${id}</loc></url>\n`,
    };
    for (const [path, entry] of Object.entries(of)) {
      const feed = (...ids: string[]) => `<feed>\n${ids.map(entry).join('')}</feed>\n`;
      expect(withoutPolls(path, feed('one', 'gone', 'gone-too', 'two'), gone)).toBe(feed('one', 'two'));
    }
  });

  test('a page that shows none of them is unchanged', () => {
    const page = `<main>${island('one', 'gone-not')} &lt;li&gt; </main>`;
    expect(withoutPolls('index.html', page, gone)).toBe(page);
  });
});

test('static pages and assets are not changed', () => {
  const paths = ['about.html', '404.html', '_astro/a.js', 'sitemap.xml'];
  expect(paths.filter(listsPolls)).toEqual([]);
});
