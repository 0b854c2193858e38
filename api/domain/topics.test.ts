import { expect, test } from 'vitest';
import { topicAddress, topicOf, topicSlug, yearSpan } from './topics.ts';

test('names that differ only in case, accents, spaces, or punctuation are one topic', () => {
  for (const name of ['Café & Tea', 'cafe tea', ' CAFE – TEA! ']) expect(topicSlug(name)).toBe('cafe-tea');
});

test('names that a slug would make ambiguous are separate topics', () => {
  const names = ['C', 'C++', 'C#', '🎉', '☕', 'a'.repeat(40), 'a'.repeat(41), `${'a'.repeat(41)}b`];
  expect(new Set(names.map(topicSlug)).size).toBe(names.length);
  expect(topicSlug('c++')).toBe(topicSlug('C++'));
});

test('a slug in any script fits into the file names of every file system', () => {
  for (const name of ['한국어 설문'.repeat(40), 'हिन्दी'.repeat(40), '𝒳'.repeat(200), '/../..', '???', '.']) {
    const slug = topicSlug(name);
    expect(slug).toMatch(/^[\p{L}\p{M}\p{N}-]+$/u);
    expect(Buffer.byteLength(`${slug}.html.br`)).toBeLessThanOrEqual(255);
  }
  expect(topicSlug('हिन्दी')).toBe('हिन्दी');
});

test('an address names its topic, on the first page only', () => {
  expect(topicAddress('tag', 'tea')).toBe('/historical/tag/tea');
  expect(topicAddress('tag', 'tea', 2)).toBe('/historical/tag/tea/2');
  expect(topicOf('/historical/tag/tea')).toEqual({ kind: 'tag', slug: 'tea' });
  for (const other of ['/historical/tag/tea/2', '/historical/tag/', '/historical/others/tea', '/historical/rss.xml'])
    expect(topicOf(other)).toBeNull();
});

test('a year spans its days in UTC', () => {
  expect(yearSpan('2026')).toEqual({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) });
  for (const other of ['26', '02026', '2026 ', 'x', '']) expect(yearSpan(other)).toBeNull();
});
