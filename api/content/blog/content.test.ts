import { readFileSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { legalPages } from './static-pages.contract.ts';
import { categoriesOf, outlineOf } from '#domain/article.ts';
import { chartSketch } from '#domain/chart-sketch.ts';
import { readTexts } from '#api/content/files.service.ts';
import { bundledArticles } from '#content/demo/articles.ts';
import { readDraft, renderArticle } from './articles.service.ts';
import { staticPages } from '#api/testing/static-pages.ts';

/** Every article in content/blog. */
async function readArticles() {
  const files = (await readTexts('content')).filter(({ folder }) => folder === 'blog');
  const slugs = new Set(files.map(({ name }) => name));
  return files.map(({ name, source }) => renderArticle(name, source, slugs));
}

const settings = { siteName: 'Cock & Arrow*', supportEmail: 'a_b_c@example.org', publicUrl: 'https://polls.example' };

test('the blog has at least fourteen articles of 700 to 1,500 words in at least five categories, five featured', async () => {
  const articles = await readArticles();
  expect(articles.length).toBeGreaterThanOrEqual(14);
  expect(new Set(articles.map(({ category }) => category)).size).toBeGreaterThanOrEqual(5);
  expect(articles.filter(({ featured }) => featured)).toHaveLength(5);
  expect(articles.filter(({ content }) => content.includes('<figure')).length).toBeGreaterThanOrEqual(5);
  const odd = articles.flatMap(({ slug }) => {
    const [, , text = ''] = readFileSync(`content/blog/${slug}.md`, 'utf8').split(/^---$/m);
    const words = text.replace(/```.*?```/gs, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}’'.,%-]*/gu)?.length ?? 0;
    return words >= 700 && words <= 1_500 ? [] : [`${slug}: ${words}`];
  });
  expect(odd).toEqual([]);
});

test('every chart in the articles can be sketched for article pictures', async () => {
  for (const { slug, content } of await readArticles()) {
    const sketch = chartSketch(content);
    const marks = sketch === null ? 0 : sketch.type === 'line' ? sketch.lines.flat().length : sketch.positions.length;
    expect([slug, marks > 1]).toEqual([slug, content.includes('<figure class="chart')]);
  }
});

test('[D1.1] no article names the site, whose name is a setting', async () => {
  for (const { slug, content } of await readArticles())
    expect([slug, /weathervane/i.test(content)]).toEqual([slug, false]);
});

test('every article that comes with the software is known as such', async () => {
  expect((await readArticles()).map(({ slug }) => slug)).toEqual(bundledArticles);
});

test('every article that comes with the software names its summary, category, author, day, and three to five tags', async () => {
  for (const { folder, name, source } of await readTexts('content')) {
    if (folder !== 'blog') continue;
    const { head } = readDraft(source);
    const missing = (['title', 'excerpt', 'category', 'author', 'publishedAt'] as const).filter(
      (field) => !head[field],
    );
    const count = head.tags?.length ?? 0;
    expect([name, missing, count >= 3 && count <= 5]).toEqual([name, [], true]);
  }
});

test('every category has its own slug', async () => {
  const categories = categoriesOf(await readArticles());
  expect(new Set(categories.map(({ slug }) => slug)).size).toBe(categories.length);
});

test('[D1.1] the static pages contain the configured site name, whatever characters it has', async () => {
  const pages = await staticPages(settings);
  const all = JSON.stringify(pages);
  expect(all).not.toMatch(/\{(siteName|supportEmail|publicUrl)\}|%7B/);
  expect(all).not.toContain('<em>');
  expect(pages.about.description).toContain('Cock & Arrow*');
  expect(pages.about.content).toContain('Cock &amp; Arrow*');
  expect(pages.terms.content).toContain('<a href="mailto:a_b_c@example.org">a_b_c@example.org</a>');
  expect(pages.privacy.content).toContain('https://polls.example');
});

test('[D8.3] About and the legal pages match their files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-pages-'));
  await cp('content', folder, { recursive: true });
  const files = {
    about: 'pages/about',
    terms: 'legal/terms',
    privacy: 'legal/privacy',
    disclaimer: 'legal/disclaimer',
  };
  for (const [name, file] of Object.entries(files))
    await appendFile(join(folder, `${file}.md`), `\n## Added\n\nA sentence of ${name}.\n`);
  const pages = await staticPages(settings, folder);
  for (const name of Object.keys(files) as (keyof typeof pages)[])
    expect(pages[name].content).toContain(`<p>A sentence of ${name}.</p>`);
  await rm(folder, { recursive: true });
});

test('[S2.76] About has its sections, with three cards before the one on data', async () => {
  const { about } = await staticPages(settings);
  expect(outlineOf(about.content).map(({ text }) => text)).toEqual([
    ...['Our Mission', 'How It Works', 'Data & Transparency', 'Important Disclaimer'],
  ]);
  expect(about.cards.map(({ title }) => title)).toEqual([
    ...['Anonymous & Secure', 'Global Perspectives', 'Community Driven'],
  ]);
});

test('[S2.77 S2.78 S9.20] the legal pages were last updated on January 19, 2025, and the Terms link to the Privacy Policy and the home page', async () => {
  const pages = await staticPages(settings);
  for (const name of legalPages) expect([name, pages[name].lastUpdated]).toEqual([name, '2025-01-19']);
  expect(pages.terms.content).toContain('href="/privacy"');
  expect(pages.terms.content).toContain('href="/"');
});

test('the legal pages have the sections of the specification', async () => {
  const pages = await staticPages(settings);
  const sections = {
    terms: [
      ...[
        'acceptance',
        'service',
        'responsibilities',
        'limitations',
        'prohibited uses',
        'data and privacy',
        'liability',
      ],
      ...['availability', 'intellectual property', 'changes', 'governing law', 'contact'],
    ],
    privacy: [
      ...['fingerprinting', 'response data', 'technical data', 'use of data', 'advertising partners', 'security'],
      ...['retention', 'opt-outs', 'cookies and local storage', 'children under 13', 'international users', 'changes'],
      'contact',
    ],
    disclaimer: [
      ...['not scientific research', 'entertainment only', 'sampling biases', 'technical limits', 'prohibited uses'],
      ...['no warranty', 'limitation of liability', 'final warning'],
    ],
  };
  for (const name of legalPages) {
    const headings = outlineOf(pages[name].content).map(({ text }) => text.toLowerCase());
    const missing = sections[name].filter((section) => !headings.some((heading) => heading.includes(section)));
    expect([name, missing]).toEqual([name, []]);
  }
});
