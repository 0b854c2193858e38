import { expect, test } from 'vitest';
import { commentErrors, commentLength, linkParts, mentionBefore, mentionsIn } from './comment-text.ts';
import { trimText } from './visible-text.ts';

const linksOf = (content: string) => linkParts(content).flatMap(({ text, href }) => (href === undefined ? [] : [text]));
const together = (content: string) =>
  linkParts(content)
    .map(({ text }) => text)
    .join('');

test('[S9.7] the limit of a comment counts code points, after trimming', () => {
  expect(commentLength('👍🏽')).toBe(2);
  expect(commentErrors(trimText(` ${'🐘'.repeat(500)}\n`))).toEqual([]);
  expect(commentErrors('🐘'.repeat(501))).toEqual([
    { field: 'content', message: 'Comment cannot exceed 500 characters.' },
  ]);
  expect(commentErrors(trimText(' \n\t\u00a0\u200b\u2060'))).toEqual([
    { field: 'content', message: 'Please enter a comment before submitting.' },
  ]);
});

test.each([['a\0b'], ['a\ud83d'], ['\udc18b']])('an unstorable comment is refused (%j)', (content) => {
  expect(commentErrors(content)).toEqual([
    { field: 'content', message: expect.stringContaining('Comment contains a character') as string },
  ]);
});

test.each([
  ['@ben', ['ben']],
  ['Yes, @Ben.O. (@ana)', ['ben.o.|ben.o', 'ana']],
  ['cc:@ben “@ana” 你好@cleo', ['ben', 'ana', 'cleo']],
  ['@ben, see https://x.example/?to=@bob.', ['ben']],
  ['ben@mail.example @bob@host.example @bob:host.example', []],
  ['https://x.example/@bob http://x.example/#@bob x.example/?a=1&to=@bob www.x.example?@bob to=@bob', []],
  ['ftp://x.example/a(@bob) x.example/path,@bob', []],
  ['@ab @a_username_that_is_longer_than_thirty', []],
])('of “%s” the mentioned are %j', (content, mentioned) => {
  expect(mentionsIn(content).map((keys) => keys.join('|'))).toEqual(mentioned);
});

test('a mention is being typed after an @ that isn’t inside an address', () => {
  expect(['Hi @', 'Hi @Be', '@ben.o', '@Bé'].map(mentionBefore)).toEqual(['', 'Be', 'ben.o', 'Bé']);
  expect(['ben@ma', 'https://x.example/@b', '?to=@b', '@ben ', 'Hi'].map(mentionBefore)).toEqual(
    Array(5).fill(undefined),
  );
});

test('http and https URLs become links, and everything else stays text', () => {
  expect(linkParts('See https://example.org/a?b=1#c, then HTTP://Example.org.')).toEqual([
    { text: 'See ' },
    { text: 'https://example.org/a?b=1#c', href: 'https://example.org/a?b=1#c' },
    { text: ', then ' },
    { text: 'HTTP://Example.org', href: 'http://example.org/' },
    { text: '.' },
  ]);
  expect(linkParts('')).toEqual([]);
  expect(linkParts('<b>bold</b> & [link](x)')).toEqual([{ text: '<b>bold</b> & [link](x)' }]);
});

test.each([
  ['javascript:alert(1)'],
  ['data:text/html,<script>alert(1)</script>'],
  ['ftp://example.org/ mailto:a@example.org www.example.org'],
  ['xhttps://example.org'],
  ['https:// http://. https://…'],
  ['https://example.org@elsewhere.example/'],
  ['http://user:secret@example.org/'],
  ['http://[::1/ http://a:99999999/'],
])('%s is not a link', (content) => {
  expect(linkParts(content)).toEqual([{ text: content }]);
});

test.each([
  ['(https://example.org/a)', 'https://example.org/a'],
  ['https://en.wikipedia.org/wiki/Vane_(weather)', 'https://en.wikipedia.org/wiki/Vane_(weather)'],
  ['(see https://en.wikipedia.org/wiki/Vane_(weather)).', 'https://en.wikipedia.org/wiki/Vane_(weather)'],
  ['[https://example.org/a]!', 'https://example.org/a'],
  ['“https://example.org/”', 'https://example.org/'],
  ['"https://example.org/a"', 'https://example.org/a'],
  ['https://example.org/a,b;c', 'https://example.org/a,b;c'],
  ['https://example.org/a?', 'https://example.org/a'],
  ['**https://example.org/a**', 'https://example.org/a'],
  ['<https://example.org/a>', 'https://example.org/a'],
  ['见https://example.org/新闻。谢谢', 'https://example.org/新闻'],
  ['（https://example.org/新闻）', 'https://example.org/新闻'],
  ['https://müller.example/ä', 'https://müller.example/ä'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['https://example.org/\u202egro.elpmaxe', 'https://example.org/'],
  ['javascript:https://example.org/', 'https://example.org/'],
])('of %s the link is %s', (content, link) => {
  expect(linksOf(content)).toEqual([link]);
  expect(together(content)).toBe(content);
});

test('a link opens only http and https, however it is written', () => {
  for (const { href } of linkParts(
    'https://a.example/ HtTpS://b.example http:\u0009//c.example https://d.example:80/x',
  ))
    if (href !== undefined) expect(href).toMatch(/^https?:\/\//);
});

test.each([
  ['http://'],
  ['https://a)'],
  ['(((('],
  ['))))'],
  ['https://((((('],
  ['https://a?.!'],
  ['http://[http://['],
  ['ht\ttps://'],
  ['https://a\ud83d'],
  ['https://u:p@'],
  [' https://a.'],
])('a hundred thousand characters of %j are processed quickly', (piece) => {
  const content = `https://a${piece.repeat(Math.ceil(100_000 / piece.length))}`;
  const started = performance.now();
  expect(together(content)).toBe(content);
  expect(performance.now() - started).toBeLessThan(2_000);
});
