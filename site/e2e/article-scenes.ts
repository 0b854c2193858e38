import { fullReport, openPoll, report } from './scene.ts';
import type { Scene } from './scene.ts';

/** The blog, the static pages, and the share pictures. */
export const articleScenes: readonly Scene[] = [
  { name: 'blog', path: () => '/blog' },
  { name: 'blog-category', path: () => '/blog/category/questions' },
  { name: 'blog-missing', path: () => '/blog/there-is-no-such-article' },
  { name: 'article-bars', path: () => '/blog/following-the-crowd' },
  { name: 'article-dots', path: () => '/blog/what-a-tie-means' },
  { name: 'article-line', path: () => '/blog/who-answers-when-nobody-was-asked' },
  { name: 'article-no-javascript', path: () => '/blog/one-vote-each-nearly', javaScript: false },
  { name: 'about', path: () => '/about' },
  { name: 'integrity', path: () => '/integrity' },
  { name: 'terms', path: () => '/terms' },
  { name: 'privacy', path: () => '/privacy' },
  { name: 'disclaimer', path: () => '/disclaimer' },
  { name: 'search', path: () => '/search?q=polls' },
  { name: 'search-start', path: () => '/search' },
  { name: 'search-nothing', path: () => '/search?q=nothinglikethis&type=report' },
  { name: 'search-no-javascript', path: () => '/search?q=polls', javaScript: false },
  {
    name: 'search-suggestions',
    path: () => '/about',
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.locator('#site-search-box').fill('wh');
      await page.locator('li[role=option]').first().waitFor();
    },
  },
  { name: 'not-found', path: () => '/nothing/here' },
  {
    name: 'skip-link-and-tooltip',
    path: () => '/auth',
    fullPage: false,
    async act(page) {
      await page.locator('.skip-link').focus();
      await page.locator('[data-tooltip]:enabled:visible').first().hover();
      await page.getByRole('tooltip').waitFor();
    },
  },
  { name: 'picture-site', path: () => '/pictures/site.png', fullPage: false, picture: true },
  {
    name: 'picture-report',
    path: async (origin) => `${await report(fullReport)(origin)}.png`,
    fullPage: false,
    picture: true,
  },
  {
    name: 'picture-open-poll',
    path: async (origin) => `${await openPoll(origin)}.png`,
    fullPage: false,
    picture: true,
  },
  { name: 'picture-article', path: () => '/blog/following-the-crowd.png', fullPage: false, picture: true },
];

/** Pages as printed. */
export const printScenes: readonly Scene[] = [
  { name: 'print-home', path: () => '/', print: true },
  { name: 'print-archive', path: () => '/historical', print: true },
  { name: 'print-poll', path: openPoll, print: true },
  { name: 'print-report', path: report(fullReport), print: true },
  {
    name: 'print-report-dark-chosen',
    path: report(fullReport),
    print: true,
    prepare: async (page) => page.addInitScript(() => localStorage.setItem('theme', 'dark')),
  },
  { name: 'print-report-many-options', path: report((poll) => poll.options.length >= 10), print: true },
  { name: 'print-report-long-question', path: report((poll) => poll.question.length > 150), print: true },
  { name: 'print-community-list', path: () => '/community-polls', print: true },
  { name: 'print-blog', path: () => '/blog', print: true },
  { name: 'print-article', path: () => '/blog/who-answers-when-nobody-was-asked', print: true },
  { name: 'print-about', path: () => '/about', print: true },
  { name: 'print-terms', path: () => '/terms', print: true },
];

/** Pages rendered on demand while the API does not respond. */
export const apiDownScenes: readonly Scene[] = [
  { name: 'away-poll', path: () => '/poll/younger-than-the-release', api: 'down' },
  { name: 'away-archive', path: () => '/historical?page=2', api: 'down' },
  { name: 'away-community-list', path: () => '/community-polls?page=2', api: 'down' },
  { name: 'away-community-poll', path: () => '/community-polls/aaaaaaaaaaaaaaaaaaaa', api: 'down' },
  { name: 'away-embed', path: () => '/embed/poll/any', api: 'down', fullPage: false },
];
