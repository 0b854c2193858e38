import { expect, test } from 'vitest';
import { foldedWords, pairsOf, plainText, searchTerms } from './search-text.ts';

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

test('excerpts of an article have its sentences and headings, without charts and note numbers', () => {
  const note = '<sup><a href="#fn-1" data-footnote-ref data-tooltip="Payne, 1951.">1</a></sup>';
  expect(
    plainText(
      `<h2>First</h2><p>In 1951.${note} 4 m<sup>2</sup></p><figure><b>Source</b></figure><h3>Why?</h3><p>So.</p>`,
    ),
  ).toBe('First. In 1951. 4 m 2 Why? So.');
});

test('words are also indexed as Unicode folds them, Latin ones without diacritics', () => {
  expect(foldedWords('Café Zürich, café plain हिन्दी ё')).toBe('cafe zurich');
  expect(foldedWords('Straßen ﬁnden ＡＢＣ')).toBe('strassen finden abc');
});

test('words of scripts without spaces are indexed as pairs of characters, and apart from other scripts', () => {
  expect(foldedWords('東京タワー')).toBe('東京 京タ タワ ワー ー');
  expect(foldedWords('新iPhone')).toBe('新 iphone');
  expect(foldedWords('น้ำ')).toBe(pairsOf('น้ำ').concat(['า']).join(' '));
  expect([pairsOf('東京'), pairsOf('猫'), pairsOf('서울에서')]).toEqual([['東京'], ['猫'], ['서울', '울에', '에서']]);
  expect(searchTerms('新iPhone 東京')).toEqual(['新', 'iphone', '東京']);
});
