import { expect, test } from 'vitest';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import { categoriesOf, excerptOf, outlineOf, readingMinutes, relatedArticles } from './article.ts';
import { articleSlug, slugOf } from './slug.ts';

const post = (slug: string, more: Partial<BlogPost> = {}): BlogPost => ({
  id: 1,
  slug,
  title: slug,
  excerpt: '',
  content: '',
  category: 'Numbers',
  author: '',
  tags: [],
  featured: false,
  published: true,
  publishedAt: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

test('[S2.74] three other articles are recommended: featured first, then newest first, never the article itself', () => {
  const posts = [
    post('newest', { publishedAt: '2026-05-05T00:00:00.000Z' }),
    post('second', { publishedAt: '2026-04-04T00:00:00.000Z', featured: true }),
    post('third', { publishedAt: '2026-03-03T00:00:00.000Z' }),
    post('fourth', { publishedAt: '2026-02-02T00:00:00.000Z', featured: true }),
    post('fifth', { publishedAt: '2026-01-01T00:00:00.000Z' }),
  ];
  const slugs = (slug: string) => relatedArticles(posts, slug).map((other) => other.slug);
  expect(slugs('third')).toEqual(['second', 'fourth', 'newest']);
  expect(slugs('second')).toEqual(['fourth', 'newest', 'third']);
  expect(relatedArticles([post('alone')], 'alone')).toEqual([]);
});

test('[S2.68] categories are those of the articles, the largest first', () => {
  const posts = [
    post('a', { category: 'Samples' }),
    post('b', { category: 'Crowds and History' }),
    post('c', { category: 'Samples' }),
    post('d', { category: 'Crowds & History' }),
    post('e', { category: 'averages' }),
  ];
  expect(categoriesOf(posts)).toEqual([
    { name: 'Samples', slug: 'samples', count: 2 },
    { name: 'averages', slug: 'averages', count: 1 },
    { name: 'Crowds & History', slug: 'crowds-history', count: 1 },
    { name: 'Crowds and History', slug: 'crowds-and-history', count: 1 },
  ]);
});

test('categories that differ only in case, accents, or punctuation are one, as most articles write it', () => {
  const posts = ['Café', 'cafe', 'cafe', 'C++', 'C'].map((category, number) => post(String(number), { category }));
  expect(categoriesOf(posts)).toMatchObject([
    { name: 'cafe', slug: 'cafe', count: 3 },
    { name: 'C', slug: 'c', count: 1 },
    { name: 'C++', slug: expect.stringMatching(/^c-\w+$/) as string, count: 1 },
  ]);
});

test('an article without an excerpt has the beginning of its first paragraph, at most 200 characters', () => {
  expect(excerptOf('<h2>Part</h2><p>A &amp; <em>B</em>.<sup><a>1</a></sup></p><p>More.</p>', 'T')).toBe(
    'A & B .'.replace(' .', '.'),
  );
  expect(excerptOf('<p><img alt=""></p><ul><li>One</li></ul>', 'T')).toBe('One');
  expect(excerptOf('<figure><p>Bars</p></figure>', 'Title')).toBe('Title');
  const long = excerptOf(`<p>${'word, '.repeat(50)}</p>`, 'T');
  expect(long).toMatch(/word…$/);
  expect(long.length).toBeLessThanOrEqual(200);
  expect(excerptOf(`<p>${'🌬'.repeat(150)}</p>`, 'T').isWellFormed()).toBe(true);
});

test('the slug of an article is made from the letters of its title', () => {
  expect(articleSlug('What’s “é”, & why?')).toBe('whats-e-why');
  expect(articleSlug('東京')).toBe('');
});

test('the table of contents has the headings with ids, as plain text', () => {
  const html =
    '<h2 id="a-b">A &amp; <em>B</em></h2><p>x</p><h3 id="c">C &#39;s</h3><h2>none</h2><h2 class="n" id="d">D</h2>';
  expect(outlineOf(html)).toEqual([
    { id: 'a-b', text: 'A & B', level: 2 },
    { id: 'c', text: "C 's", level: 3 },
    { id: 'd', text: 'D', level: 2 },
  ]);
});

test('the reading time counts the words of the text without figures and notes', () => {
  const words = (count: number) => `<p>${'word '.repeat(count)}</p>`;
  expect(readingMinutes(words(1_100))).toBe(5);
  expect(readingMinutes(words(10))).toBe(1);
  expect(readingMinutes('')).toBe(1);
  const aside = `<figure class="chart">${words(900)}</figure><section class="footnotes">${words(900)}</section>`;
  expect(readingMinutes(words(440) + aside)).toBe(2);
});

test('a slug consists of the letters and digits of its words', () => {
  expect(slugOf('Your choices and opt-outs')).toBe('your-choices-and-opt-outs');
  expect(slugOf('  Schönbach’s “rule” ')).toBe('schonbachs-rule');
  expect(slugOf('???')).toBe('');
});
