import { existsSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright/test';
import { HtmlValidate } from 'html-validate';
import type { ConfigData } from 'html-validate';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { rankField } from '#site/polls/voting/ballot.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { crawl, pagesOf, pathOf } from './crawl.ts';
import type { CrawledFile } from './crawl.ts';
import { expect, sampleOf, test } from './fixtures.ts';
import { openPolls } from './page-helpers.ts';
import { archive } from './scene.ts';
import { sites } from './sites.ts';

/*
 * All saved pages, and pages that are not saved, read once without an account: their HTML, their links,
 * and their metadata for search engines and social networks.
 */

/** The rules of the HTML standard, and accessibility rules that can be checked in HTML; axe checks the rest. */
const rules: ConfigData = {
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // Ids referenced by labels, descriptions, and controls must exist.
    'no-missing-references': 'error',
    'no-redundant-for': 'error',
    // Names forbidden by the specification are still refused: a list of figures may have a name.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // A fieldset that only disables a form while it is being sent needs no legend.
    'wcag/h71': 'off',
    // “Previous” on the first page is a disabled link, which <a> can’t express.
    'prefer-native-element': ['error', { exclude: ['link'] }],
  },
};

const validator = new HtmlValidate(rules);

let context: BrowserContext;
let page: Page;
let origin: string;
let open: Poll;
let community: CommunityPoll;
let found: Map<string, CrawledFile>;
/** Saved pages, and others that visitors may find. */
let pages: CrawledFile[];

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(120_000);
  origin = baseURL!;
  context = await browser.newContext({ baseURL: origin });
  page = await context.newPage();
  const { request } = context;
  open = (await openPolls(request))[0]!;
  const list = await request.get('/api/community-polls?visibility=public&limit=6&offset=0');
  community = ((await list.json()) as CommunityPoll[])[0]!;
  const paths = [
    ...pagesOf(sites.main.dataDir),
    '/historical?page=2',
    '/historical?category=Nothing-here',
    '/community-polls?page=2',
    '/robots.txt',
    '/humans.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
  ];
  found = await crawl(request, page, origin, paths);
  pages = [...found.values()].filter(({ status, type }) => status === 200 && type.startsWith('text/html'));
});

test.afterAll(async () => context.close());

const attribute = (html: string, tag: RegExp) =>
  [...html.matchAll(tag)].map(([, value = '']) => value.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
const isIndexed = ({ body }: CrawledFile) => !body.includes('<meta name="robots"');

/** The violations of the rules in a page, one line each. */
function faultsOf(html: string, path: string): string[] {
  const { results } = validator.validateStringSync(html, path);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, selector }) => `${path}:${line} ${ruleId}: ${message} (${selector})`),
  );
}

test('[D4.9] the site has home, archive, reports, open polls, blog, articles, About, legal pages, 404, and shells as files', async () => {
  const files = pagesOf(sites.main.dataDir);
  const demonstration = <T extends { id: string }>(polls: T[]) => polls.filter(({ id }) => id.startsWith('demo-'));
  const reports = demonstration(await archive(origin));
  const opened = demonstration(await openPolls(context.request));
  const articles = (await (await context.request.get('/api/blogs')).json()) as { slug: string }[];
  expect(Math.min(reports.length - 20, opened.length - 3, articles.length - 10)).toBeGreaterThan(0);
  const expected = [
    ...['/', '/historical', '/blog', '/about', '/terms', '/privacy', '/disclaimer', '/auth', '/community-polls'],
    ...['/profile', '/profile/account', '/profile/activities', '/profile/badges'],
    ...Object.values(adminPages).map(({ path }) => path),
    '/profile/moderation',
    '/profile/notifications',
    ...[...reports, ...opened].map(({ id }) => `/poll/${id}`),
    ...articles.map(({ slug }) => `/blog/${slug}`),
  ];
  expect(expected.filter((path) => !files.includes(path))).toEqual([]);
  expect(existsSync(`${sites.main.dataDir}/builds/current/client/404.html`)).toBe(true);
});

test('every saved page is valid HTML', () => {
  expect(pages.length).toBeGreaterThan(80);
  for (const path of ['/', '/blog', '/about', '/privacy', '/auth', '/admin', '/profile/badges', `/poll/${open.id}`])
    expect(pages.map((one) => one.path)).toContain(path);
  const isReport = ({ path }: CrawledFile) => path.startsWith('/poll/');
  const checked = [...pages.filter((one) => !isReport(one)), ...sampleOf(pages.filter(isReport))];
  expect(checked.flatMap(({ body, path }) => faultsOf(body, path))).toEqual([]);
});

test('[D4.10] pages rendered on demand and error pages are valid HTML', async () => {
  const [report] = pages.filter(({ path }) => /^\/poll\/[\w-]+$/.test(path) && path !== `/poll/${open.id}`);
  for (const [path, status] of [
    ['/historical?page=2', 200],
    ['/historical?page=nothing', 400],
    ['/community-polls?page=2', 200],
    [`/community-polls/${community.id}`, 200],
    ['/community-polls/there-is-no-such-poll', 404],
    [`/embed/poll/${open.id}`, 200],
    [`/embed${report!.path}`, 200],
    ['/embed/poll/there-is-no-such-poll', 404],
    ['/poll/there-is-no-such-poll', 404],
    ['/blog/there-is-no-such-article', 404],
    ['/nothing/here', 404],
  ] as const) {
    const answer = await context.request.get(path);
    expect([path, answer.status()]).toEqual([path, status]);
    expect(faultsOf(await answer.text(), path)).toEqual([]);
  }
});

test('pages are still valid HTML after hydration', async () => {
  for (const path of [
    '/',
    `/poll/${open.id}`,
    '/historical?page=2',
    '/community-polls',
    '/auth',
    '/admin',
    '/profile',
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' });
    const html = await page.evaluate(() => document.documentElement.outerHTML);
    expect(faultsOf(`<!doctype html>${html}`, path)).toEqual([]);
  }
});

test('no link to pages, fragments, pictures, scripts, feeds, sitemap, or manifest is broken', () => {
  const brokenLinks: string[] = [];
  let checked = 0;
  for (const { path, links, ids } of found.values()) {
    for (const link of links) {
      if (/^(mailto:[^\s@]+@[^\s@]+|data:.*|blob:.*)$/.test(link)) continue;
      const target = pathOf(link, path, origin);
      if (target === null) {
        if (!URL.canParse(link, origin)) brokenLinks.push(`${path}: ${link} is not a valid URL`);
        // Other sites are not requested, but their URLs must be well-formed.
        else if (!/^https?:\/\/([\w-]+\.)+[a-z]+(\/|$)/.test(link))
          brokenLinks.push(`${path}: ${link} has a malformed host`);
        continue;
      }
      checked++;
      const linked = found.get(target);
      // A redirect to the sign-in page.
      if ((target === '/api/login' || target.startsWith('/auth/login?')) && linked?.status === 302) continue;
      if (linked?.status !== 200) brokenLinks.push(`${path}: ${link} has status ${linked?.status}`);
      const part = decodeURIComponent(new URL(link, new URL(path, origin)).hash.slice(1));
      const places = target === path ? ids : (linked?.ids ?? ids);
      // A script lists the votes of this browser.
      if (target === '/my-votes' && part.startsWith('vote-')) continue;
      // A script marks the option, which the page has.
      const [, choice] = /^choice=(.+)$/.exec(part) ?? [];
      const fields = [`value="${choice}"`, `name="${rankField}${choice}"`];
      if (choice !== undefined && fields.some((field) => linked?.body.includes(field))) continue;
      if (link.endsWith('#') || (part !== '' && !places.has(part)))
        brokenLinks.push(`${path}: ${link} has a missing fragment`);
    }
  }
  expect(brokenLinks).toEqual([]);
  expect(checked).toBeGreaterThan(2_000);
});

test('[S2.4] every page has a title, a description, one first heading, and either a canonical URL or noindex', () => {
  const titles = new Map<string, string[]>();
  for (const one of pages) {
    const { path, body } = one;
    const [title = ''] = attribute(body, /<title>([^<]*)<\/title>/g);
    const [description = ''] = attribute(body, /<meta name="description" content="([^"]*)"/g);
    const canonical = attribute(body, /<link rel="canonical" href="([^"]*)"/g);
    const robots = attribute(body, /<meta name="robots" content="([^"]*)"/g);
    // Hidden placeholders of member pages have their own headings.
    const shown = body.replace(/ aria-hidden="true" inert="".*/s, '');
    expect([path, shown.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
    expect([path, title.length > 3]).toEqual([path, true]);
    if (path.startsWith('/embed/')) continue;
    expect([path, description.length > 0, description.length <= 165]).toEqual([path, true, true]);
    expect([path, canonical.length, robots]).toEqual(isIndexed(one) ? [path, 1, []] : [path, 0, ['noindex']]);
    const address = canonical[0];
    if (address !== undefined) {
      // The canonical URL of a list has no query.
      expect(new URL(path, origin).href.replace(/[?].*/, '')).toBe(address);
      // Two polls may have the same question.
      if (!/^\/(community-polls|poll)\//.test(path)) titles.set(title, [...(titles.get(title) ?? []), address]);
    }
  }
  const duplicates = [...titles].filter(([, addresses]) => new Set(addresses).size > 1);
  expect(duplicates).toEqual([]);
  for (const hidden of ['/terms', '/privacy', '/disclaimer', '/admin', '/profile'])
    expect([hidden, isIndexed(found.get(hidden)!)]).toEqual([hidden, false]);
});

test('every page has metadata for social networks', () => {
  for (const { path, body } of pages.filter(({ path: one }) => !one.startsWith('/embed/'))) {
    const meta = (name: string) =>
      attribute(body, new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`, 'g'));
    for (const name of ['og:title', 'og:description', 'og:url', 'og:image', 'og:image:alt', 'og:type', 'og:site_name'])
      expect([path, name, meta(name).map((text) => text.length > 0)]).toEqual([path, name, [true]]);
    expect([path, meta('og:image')[0]?.startsWith(origin)]).toEqual([path, true]);
    expect([path, meta('twitter:card')]).toEqual([path, ['summary_large_image']]);
  }
});

interface Thing {
  '@type': string;
  [property: string]: unknown;
}

/** What search engines require of each kind of structured data. */
const shapes: Record<string, object> = {
  WebSite: { name: expect.any(String), url: expect.stringMatching(/^https?:.*\/$/) },
  Article: {
    headline: expect.any(String),
    image: expect.stringMatching(/^https?:/),
    datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    dateModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    author: { '@type': expect.stringMatching(/^(Person|Organization)$/), name: expect.any(String) },
    publisher: { '@type': 'Organization', name: expect.any(String) },
  },
  BreadcrumbList: {
    itemListElement: expect.arrayContaining([
      expect.objectContaining({
        '@type': 'ListItem',
        position: 1,
        name: 'Home',
        item: expect.stringMatching(/^https?:/),
      }),
    ]),
  },
  Dataset: {
    name: expect.any(String),
    description: expect.stringMatching(/^[^]{50,5000}$/),
    url: expect.stringMatching(/^https?:/),
    license: expect.stringMatching(/^https?:/),
    creator: { '@type': 'Organization', name: expect.any(String) },
    distribution: expect.arrayContaining([
      expect.objectContaining({ '@type': 'DataDownload', contentUrl: expect.stringMatching(/^https?:.*\.csv$/) }),
    ]),
  },
};

test('[S2.52] structured data has the form that search engines require, on the right pages', () => {
  const typesOf = new Map<string, string[]>();
  for (const { path, body } of pages) {
    const data = attribute(body, /<script type="application\/ld\+json">(.*?)<\/script>/gs);
    const things = data.flatMap((json) => JSON.parse(json) as Thing | Thing[]);
    typesOf.set(
      path,
      things.map((thing) => thing['@type']),
    );
    for (const thing of things) {
      const name = `${path} ${thing['@type']}`;
      expect({ name, '@context': 'https://schema.org', ...thing }).toMatchObject({ name, ...shapes[thing['@type']] });
      expect([name, thing['@type'] in shapes]).toEqual([name, true]);
      const items = thing['@type'] === 'BreadcrumbList' ? (thing.itemListElement as { position: number }[]) : [];
      expect(items.map(({ position }) => position)).toEqual(items.map((_, place) => place + 1));
    }
  }
  expect(typesOf.get('/')).toEqual(['WebSite']);
  expect(typesOf.get('/blog/what-a-tie-means')).toEqual(['Article', 'BreadcrumbList']);
  const reports = [...typesOf].filter(([, types]) => types.includes('Dataset'));
  expect(reports.length).toBeGreaterThan(20);
  for (const [path, types] of reports) expect([path, types]).toEqual([path, ['Article', 'BreadcrumbList', 'Dataset']]);
});

test('pictures in pages have dimensions, alternative texts, and modern formats', () => {
  for (const { path, body } of pages)
    for (const [tag] of body.matchAll(/<img\b[^>]*>/g)) {
      expect([path, tag, /\bwidth="\d+"/.test(tag) && /\bheight="\d+"/.test(tag), /\balt="/.test(tag)]).toEqual([
        path,
        tag,
        true,
        true,
      ]);
      expect([path, /src="[^"]*\.(png|jpe?g|gif)\b/.test(tag)]).toEqual([path, false]);
    }
});

test('[D6.1 D6.4] the sitemap lists all indexable pages, by kind, and no others', () => {
  const files = found.get('/sitemap.xml')!.links.map((link) => new URL(link).pathname);
  expect(files).toEqual(
    expect.arrayContaining(['pages', 'blog', 'reports-1', 'community-1'].map((name) => `/sitemap-${name}.xml`)),
  );
  const listed = files.flatMap((file) => found.get(file)!.links.map((link) => new URL(link).pathname));
  for (const file of files) {
    const kind = {
      pages: /^\/([\w-]*|poll\/.*|historical\/((category|year)\/[^/]+|series))$/,
      reports: /^\/poll\//,
      blog: /^\/blog\//,
      community: /^\/community-polls\//,
    };
    const pattern = kind[/^\/sitemap-([a-z]+)/.exec(file)![1] as keyof typeof kind];
    const others = found.get(file)!.links.filter((link) => !pattern.test(new URL(link).pathname));
    expect([file, others]).toEqual([file, []]);
    const moments = attribute(found.get(file)!.body, /<lastmod>([^<]*)<\/lastmod>/g);
    expect([file, moments.filter((moment) => !(Date.parse(moment) <= Date.now()))]).toEqual([file, []]);
  }
  const indexed = pages
    .filter(isIndexed)
    .flatMap(({ body }) => attribute(body, /<link rel="canonical" href="([^"]*)"/g));
  // The sign-in page may be indexed, but is not in the sitemap.
  const expected = new Set(indexed.map((address) => new URL(address).pathname).filter((path) => path !== '/auth'));
  // Community polls created since the last publish are only in the next sitemap.
  const made = (path: string) => path.startsWith('/community-polls/') && !listed.includes(path);
  expect([...listed].sort()).toEqual([...expected].filter((path) => !made(path)).sort());
  expect(listed.filter((path) => path.startsWith('/community-polls/')).length).toBeGreaterThan(5);
});

test('robots.txt, security.txt, and humans.txt exist, and security.txt has not expired', () => {
  expect(found.get('/robots.txt')!.body).toContain(`Sitemap: ${origin}/sitemap.xml`);
  expect(found.get('/robots.txt')!.body).not.toMatch(/^Disallow: \S/m);
  const security = found.get('/.well-known/security.txt')!;
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(security.body)?.[1];
  expect(security.type).toBe('text/plain; charset=utf-8');
  expect(field('Contact')).toMatch(/^mailto:.+@/);
  expect(field('Canonical')).toBe(`${origin}${security.path}`);
  const left = Date.parse(field('Expires') ?? '') - Date.now();
  expect([left > 30 * 86_400_000, left < 366 * 86_400_000]).toEqual([true, true]);
  expect(found.get('/humans.txt')!.body).toContain('TEAM');
});
