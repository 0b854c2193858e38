import type { Page } from 'playwright/test';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import { accessibilityFindings, expect, sampleOf, test, themes, widthsFor } from './fixtures.ts';

const legal = [
  ['/terms', 'Terms of Use'],
  ['/privacy', 'Privacy Policy'],
  ['/disclaimer', 'Disclaimer'],
] as const;

const longDay = (moment: string) =>
  new Date(moment).toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

async function articles(page: Page): Promise<BlogPost[]> {
  return (await (await page.request.get('/api/blogs')).json()) as BlogPost[];
}

/** Every kind of reading page, and the longest article. */
async function readingPages(page: Page): Promise<string[]> {
  const posts = await articles(page);
  const longest = posts.toSorted((a, b) => b.content.length - a.content.length)[0]!;
  const charts = ['bars', 'dots', 'line'].map((type) =>
    posts.find(({ content }) => content.includes(`chart--${type}`))!,
  );
  const slugs = new Set([longest, ...charts].map(({ slug }) => slug));
  return [
    '/blog',
    '/blog/category/questions',
    ...[...slugs].map((slug) => `/blog/${slug}`),
    '/about',
    ...legal.map(([path]) => path),
  ];
}

test('[S1.14 S2.66 S2.71 S9.8] the blog shows featured articles with their date, and all others with the time since', async ({
  page,
}) => {
  const posts = await articles(page);
  const featured = posts.filter((post) => post.featured);
  expect(featured.length).toBeGreaterThan(0);
  expect(posts.some(({ tags }) => tags.length > 3)).toBe(true);
  await page.goto('/blog');
  await expect(page.getByRole('heading', { level: 1, name: 'Blog and Insights' })).toBeVisible();

  const first = page.getByRole('region', { name: 'Featured Articles' }).getByRole('article');
  await expect(first).toHaveCount(featured.length);
  for (const [index, post] of featured.entries()) {
    const card = first.nth(index);
    await expect(card.getByRole('link', { name: post.title })).toHaveAttribute('href', `/blog/${post.slug}`);
    for (const text of [post.category, 'Featured', post.excerpt, post.author]) await expect(card).toContainText(text);
    await expect(card.locator('time')).toHaveText(longDay(post.publishedAt));
    await expect(card.getByRole('listitem')).toHaveText(post.tags.slice(0, 3));
  }

  const all = page.getByRole('region', { name: 'All Articles' }).getByRole('article');
  const others = posts.filter((post) => !post.featured);
  await expect(all).toHaveCount(others.length);
  await expect(all.getByRole('heading')).toHaveText(others.map(({ title }) => title));
  for (const [index, post] of others.entries()) {
    const card = all.nth(index);
    await expect(card.getByRole('link', { name: post.title })).toHaveAttribute('href', `/blog/${post.slug}`);
    for (const text of [post.category, post.excerpt, post.author]) await expect(card).toContainText(text);
    await expect(card.locator('time')).toHaveText(/ago$|yesterday/);
    await expect(card.locator('time')).toHaveAttribute('datetime', post.publishedAt.slice(0, 10));
    await expect(card.getByRole('listitem')).toHaveText(post.tags.slice(0, 3));
  }
  await expect(page.getByText('Featured', { exact: true })).toHaveCount(featured.length);
  for (const { slug } of posts) await expect(page.locator(`article a[href="/blog/${slug}"]`)).toHaveCount(1);
});

test('[S2.67 S9.8] large screens show featured articles in two columns and all articles in three', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/blog');
  const columns = (name: string) =>
    page
      .getByRole('region', { name })
      .getByRole('article')
      .evaluateAll((cards) => new Set(cards.map((card) => Math.round(card.getBoundingClientRect().left))).size);
  expect(await columns('Featured Articles')).toBe(2);
  expect(await columns('All Articles')).toBe(3);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('[S2.68 S2.69] the category chips filter the articles', async ({ page }) => {
    const posts = await articles(page);
    const categories = [...new Set(posts.map(({ category }) => category))];
    await page.goto('/blog');
    const chips = page.getByRole('navigation', { name: 'Categories' });
    await expect(chips.getByRole('link')).toHaveCount(categories.length + 1);
    for (const category of categories) {
      await chips.getByRole('link', { name: category }).click();
      await expect(chips.locator('[aria-current=page]')).toContainText(category);
      await expect(page.getByRole('main').getByRole('article').getByRole('heading')).toHaveText(
        posts.filter((post) => post.category === category).map(({ title }) => title),
      );
    }
    await chips.getByRole('link', { name: /^All/ }).click();
    await expect(page).toHaveURL(/\/blog$/);
  });

  test('[S2.69 D4.11] an article, its figures, and its footnotes are readable', async ({ page }) => {
    const post = (await articles(page)).find(
      ({ content }) => content.includes('chart--bars') && content.includes('data-footnote-ref'),
    )!;
    await page.goto(`/blog/${post.slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
    const row = page
      .getByRole('figure')
      .first()
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .first();
    await expect(row.getByRole('rowheader')).toBeVisible();
    await expect(row).toContainText(/\d/);
    const notes = page.locator('.footnotes li');
    expect(await notes.count()).toBeGreaterThan(0);
    for (const note of await notes.all()) {
      await expect(note).toBeVisible();
      await expect(note).toContainText(/\w{3}/);
    }
    await expect(page.getByText(`Published ${longDay(post.publishedAt)}`)).toBeVisible();
  });
});

test('[S2.2 S2.72 S2.74 S2.75 S4.15 S9.8 D8.2] an article page has every part of an article and shows what the API returns', async ({
  page,
}) => {
  const posts = await articles(page);
  const post = posts.find(({ content, featured }) => content.includes('data-footnote-ref') && !featured)!;
  await page.goto(`/blog/${post.slug}`);
  const article = page.getByRole('main').locator('article').first();
  await expect(article.getByRole('heading', { level: 1 })).toHaveText(post.title);
  for (const text of [post.category, post.excerpt, `By ${post.author}`, ...post.tags])
    await expect(article).toContainText(text);
  await expect(article).toContainText(`Published ${longDay(post.publishedAt)}`);
  await expect(article.locator('time[data-relative]')).toHaveText(/ago$|yesterday/);
  await expect(article).toContainText(/\d+ min read/);
  const shown = await page.locator('.prose').evaluate((element, html) => {
    const copy = document.createElement('div');
    copy.innerHTML = html;
    return element.innerHTML.trim() === copy.innerHTML.trim();
  }, post.content);
  expect(shown).toBe(true);

  const related = page.getByRole('region', { name: 'You might like this' }).getByRole('article');
  await expect(related.getByRole('heading')).toHaveText(
    [...posts.filter(({ featured }) => featured), ...posts.filter(({ featured }) => !featured)]
      .filter(({ slug }) => slug !== post.slug)
      .slice(0, 3)
      .map(({ title }) => title),
  );
  await expect(page.getByRole('link', { name: 'Back to articles' })).toHaveAttribute('href', '/blog');
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', post.excerpt.slice(0, 160));
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    new URL(`/blog/${post.slug}`, page.url()).href,
  );
  const scripts = await page.locator('script[type="application/ld+json"]').allTextContents();
  const data = scripts.flatMap((json) => JSON.parse(json) as object | object[]);
  expect(data).toMatchObject([
    { '@type': 'Article', headline: post.title, datePublished: post.publishedAt },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [{ position: 1 }, { position: 2 }, { position: 3, name: post.title }],
    },
  ]);

  await expect(article.getByText('Featured', { exact: true })).toHaveCount(0);
  await page.goto(`/blog/${posts.find(({ featured }) => featured)!.slug}`);
  await expect(article.getByText('Featured', { exact: true })).toBeVisible();
});

test('a long article has a table of contents that links to its sections and is folded on a phone', async ({ page }) => {
  const post = (await articles(page)).find(({ content }) => content.split('<h2').length > 4)!;
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/blog/${post.slug}`);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  const last = contents.getByRole('link').last();
  await last.click();
  const target = page.locator(`[id="${(await last.getAttribute('href'))!.slice(1)}"]`);
  await expect(target).toBeInViewport();
  await expect(contents).toBeInViewport();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/blog/${post.slug}`);
  await expect(contents).toBeHidden();
  const link = page.locator('details').getByRole('link').first();
  await expect(link).toBeHidden();
  await page.getByText('Contents', { exact: true }).locator('visible=true').click();
  await link.click();
  await expect(page.locator(`[id="${(await link.getAttribute('href'))!.slice(1)}"]`)).toBeInViewport();
});

test('a footnote is shown where it is referenced, with links in both directions', async ({ page }) => {
  const post = (await articles(page)).find(({ content }) => content.includes('data-footnote-ref'))!;
  await page.goto(`/blog/${post.slug}`);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const mention = page.locator('[data-footnote-ref]').first();
  await mention.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toHaveText((await mention.getAttribute('data-tooltip'))!);
  await mention.press('Enter');
  const note = page.locator('.footnotes li').first();
  await expect(note).toBeInViewport();
  await note.getByRole('link', { name: /^Back to note 1/ }).click();
  await expect(mention).toBeInViewport();
});

test('the numbers of a line chart are in a table that opens', async ({ page }) => {
  const post = (await articles(page)).find(({ content }) => content.includes('chart--line'))!;
  await page.goto(`/blog/${post.slug}`);
  const figure = page.getByRole('figure').filter({ has: page.locator('.chart__plot') });
  await expect(figure.getByRole('img')).toBeVisible();
  await expect(figure.getByRole('table')).toBeHidden();
  await figure.getByText('The numbers').click();
  await expect(figure.getByRole('table')).toBeVisible();
  await expect(figure.getByRole('row')).not.toHaveCount(0);
});

test('[S2.73 S4.15 S8.20] an article that does not exist is a 404 page that says so', async ({ page, faults }) => {
  for (const path of ['/blog/there-is-no-such-article', '/blog/category/nothing', '/blog/a/b']) {
    const response = await page.goto(path);
    expect([path, response?.status()]).toEqual([path, 404]);
    await expect(page.getByRole('heading', { name: 'Blog Post Not Found' })).toBeVisible();
    await expect(page.getByText("The blog post you're looking for doesn't exist.")).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Blog' })).toHaveAttribute('href', '/blog');
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  }
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

test('[S2.76] About describes the site, with three cards', async ({ page }) => {
  await page.goto('/about');
  for (const name of ['Our Mission', 'How It Works', 'Data & Transparency', 'Important Disclaimer'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  for (const name of ['Anonymous & Secure', 'Global Perspectives', 'Community Driven'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
});

test('[S2.6] the legal pages are dated, not indexed, and link to each other and to the home page', async ({ page }) => {
  for (const [path, title] of legal) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('Last updated January 19, 2025')).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    const main = page.getByRole('main');
    await expect(main.locator('a[href="/"]').last()).toBeVisible();
    for (const [other] of legal)
      if (other !== path) await expect(main.locator(`a[href="${other}"]`).last()).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeVisible();
  }
});

test('only the article is printed', async ({ page }) => {
  const post = (await articles(page))[0]!;
  await page.goto(`/blog/${post.slug}`);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const part of [
    page.locator('header.top'),
    page.locator('[aria-labelledby=contents]'),
    page.getByText('You might like this'),
    page.getByText('Back to articles'),
  ])
    await expect(part).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
});

test('reading pages never scroll sideways, at 320 px and at 1920 px', async ({ page }) => {
  for (const width of [320, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of await readingPages(page)) {
      await page.goto(path);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
    }
  }
});

for (const colorScheme of themes) {
  test(`axe finds nothing on articles and static pages, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widthsFor(colorScheme)) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of sampleOf(await readingPages(page))) {
        await page.goto(path);
        expect([path, width, await accessibilityFindings(page, colorScheme)]).toEqual([path, width, []]);
      }
    }
  });
}
