import { describe, expect, test } from 'vitest';
import { makeHtmlSafe } from './safe-html.ts';

describe('an analysis keeps what a report needs', () => {
  test.each([
    '<h3>Result</h3><p>Fine <strong>text</strong> and <em>more</em>.</p>',
    '<ul><li>one</li></ul><ol start="3"><li>three</li></ol>',
    '<table><caption>Counts</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
    '<a href="https://example.org/a?b=1&amp;c=2">out</a> <a href="mailto:desk@example.org">mail</a> <a href="/about">in</a>',
    '<figure><img src="https://example.org/a.png" alt="A chart" /><figcaption>Chart</figcaption></figure>',
    '<blockquote lang="fr" dir="ltr"><p>« Oui »</p></blockquote><p>5 &lt; 6 &amp; 7 &gt; 6</p>',
  ])('[S2.48 D9.13] %s', (html) => {
    expect(makeHtmlSafe(html)).toEqual({ html, removed: [] });
  });
});

describe('an analysis loses scripts, frames, and the like, each of which is reported', () => {
  test.each([
    ['<p>a</p><script>alert(1)</script>', '<p>a</p>', ['<script>']],
    ['<p onclick="x()" onmouseover="y()">a</p>', '<p>a</p>', ['onclick of <p>', 'onmouseover of <p>']],
    ['<iframe src="https://example.org">inside</iframe>b', 'b', ['<iframe>']],
    ['<a href="javascript:x()">a</a>', '<a>a</a>', ['javascript: in href of <a>']],
    ['<a href=" java\nscript:x()">a</a>', '<a>a</a>', ['javascript: in href of <a>']],
    ['<a href="&#106;avascript:x()">a</a>', '<a>a</a>', ['javascript: in href of <a>']],
    ['<a href="vbscript:x()">a</a>', '<a>a</a>', ['vbscript: in href of <a>']],
    ['<img src="data:image/svg+xml,x" alt="" />', '<img alt="" />', ['data: in src of <img>']],
    ['<img src=x onerror=alert(1)>', '<img src="x" />', ['onerror of <img>']],
    ['<svg><script>alert(1)</script></svg>c', 'c', ['<svg>']],
    ['<p style="position:fixed" class="nav" id="top">a</p>', '<p>a</p>', ['style of <p>', 'class of <p>', 'id of <p>']],
    ['<form action="/api/logout"><input name="a"><button>Go</button></form>', 'Go', ['<form>', '<input>', '<button>']],
    ['<style>body{display:none}</style><link rel="stylesheet" href="x">d', 'd', ['<style>', '<link>']],
    ['<object data="x">e</object><embed src="x">', '', ['<object>', '<embed>']],
    ['<base href="https://evil.example"><meta http-equiv="refresh">f', 'f', ['<base>', '<meta>']],
  ])('[D9.13] %s', (html, safe, removed) => {
    expect(makeHtmlSafe(html)).toEqual({ html: safe, removed });
  });

  test('each kind of removed part is listed once', () => {
    expect(makeHtmlSafe('<script>1</script>'.repeat(500)).removed).toEqual(['<script>']);
  });
});

test.each([
  '<p>&#8203;</p>',
  '<p>&nbsp;</p><br>',
  '<h3>\u2060</h3>\n<ul><li>&ZeroWidthSpace;</li></ul>',
  '<a href="/about" title="x">&shy;</a>',
])('an analysis without visible content is empty: %j', (html) => {
  expect(makeHtmlSafe(html)).toEqual({ html: '', removed: [] });
});

test('sanitizing twice changes nothing, so a second import changes nothing', () => {
  for (const html of [
    '<p>a<b>b',
    'a < b & c',
    '<p class="x">“q”</p><br>',
    '&amp;lt;script&gt;',
    '<ul><li>a<li>b</ul>',
  ]) {
    const once = makeHtmlSafe(html).html;
    expect(makeHtmlSafe(once)).toEqual({ html: once, removed: [] });
  }
});
