import { expect, test } from 'vitest';
import { plainText, searchTerms, withoutDiacritics } from './search-text.ts';

test('a search consists of its words in lower case, each once, without punctuation', () => {
  expect(searchTerms('Tea, or TEA? “Green-tea” (2026)')).toEqual(['tea', 'green', '2026']);
  expect(searchTerms('नमस्ते 日本 ÉTÉ')).toEqual(['नमस्ते', '日本', 'été']);
  expect(searchTerms(' * "" -- 🙂 ')).toEqual([]);
});

test('stop words are ignored, unless there are no others', () => {
  expect(searchTerms('What should we do about the trams?')).toEqual(['trams']);
  expect(searchTerms('To be or not to be')).toEqual(['to', 'be', 'or', 'not']);
});

test('a search has at most 8 words of at most 40 characters', () => {
  expect(searchTerms(Array.from({ length: 20 }, (_, n) => `w${n}`).join(' '))).toHaveLength(8);
  expect(searchTerms('é'.repeat(50))).toEqual(['é'.repeat(40)]);
});

test('the text of HTML has its words, without tags, attributes, scripts, and character references', () => {
  expect(plainText('<p class="x">Fish &amp; <b>chips</b></p><p>&#8220;now&#x201d;&nbsp;&hellip;</p>')).toBe(
    'Fish & chips “now” &hellip;',
  );
  expect(plainText('a<style>b { }</style>c &#0; &#x110000; &lt;i&gt;')).toBe('a c <i>');
});

test('Latin words with diacritics are also indexed without them', () => {
  expect(withoutDiacritics('Café Zürich, café plain हिन्दी ё')).toBe('Cafe Zurich cafe');
});
