import { globSync } from 'node:fs';
import type { APIRequestContext, Page } from 'playwright/test';

/** A file of the site as visitors get it, and its links. */
export interface CrawledFile {
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The ids of its elements. */
  readonly ids: ReadonlySet<string>;
  /** The links as written in the file, including those within the page (`#…`). */
  readonly links: readonly string[];
}

interface Links {
  ids: string[];
  links: string[];
}

/** Runs in the browser, to use its parser. */
function readPage(html: string): Links {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const of = (selector: string, name: string) =>
    [...page.querySelectorAll(selector)].map((element) => element.getAttribute(name) ?? '');
  const data = [...page.querySelectorAll('script[type="application/ld+json"]')].flatMap(({ textContent }) => [
    ...textContent.matchAll(/"(https?:[^"]+)"/g),
  ]);
  const code = [...page.querySelectorAll('textarea')].flatMap(({ textContent }) => [
    ...textContent.matchAll(/src="([^"]+)"/g),
  ]);
  return {
    ids: of('[id]', 'id'),
    links: [
      ...of('[href]', 'href'),
      ...of('[src]', 'src'),
      ...of('form:not([method=post])', 'action').filter(Boolean),
      ...of('[poster]', 'poster'),
      ...of('[data-share]', 'data-share'),
      ...of('astro-island', 'component-url'),
      ...of('astro-island', 'renderer-url'),
      ...of('meta[property="og:image"], meta[property="og:url"]', 'content'),
      ...of('[srcset]', 'srcset').flatMap((set) => set.split(',').map((one) => one.trim().split(/\s/)[0] ?? '')),
      ...[...data, ...code].map(([, address = '']) => address),
    ],
  };
}

/** Runs in the browser: the ids of drawings, and the links of feeds and sitemaps, including those in the articles of a feed. */
function readXml(text: string): Links {
  const xml = new DOMParser().parseFromString(text, 'text/xml');
  const texts = (name: string) => [...xml.getElementsByTagName(name)].map(({ textContent }) => textContent);
  const hrefs = [...xml.getElementsByTagName('link')].map((link) => link.getAttribute('href') ?? '');
  const articles = [...texts('content:encoded'), ...texts('content')].flatMap((html) =>
    [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&')),
  );
  return {
    ids: [...xml.querySelectorAll('[id]')].map(({ id }) => id),
    links: [...texts('loc'), ...texts('link'), ...texts('guid'), ...texts('id'), ...hrefs, ...articles].filter(Boolean),
  };
}

function readText(type: string, text: string): Links {
  if (type.startsWith('text/css'))
    return { ids: [], links: [...text.matchAll(/url\(["']?([^"')]+)/g)].map(([, address = '']) => address) };
  if (type.startsWith('application/manifest+json')) {
    const { start_url, icons, shortcuts } = JSON.parse(text) as {
      start_url: string;
      icons: { src: string }[];
      shortcuts: { url: string }[];
    };
    return { ids: [], links: [start_url, ...icons.map(({ src }) => src), ...shortcuts.map(({ url }) => url)] };
  }
  if (type.startsWith('text/plain'))
    return { ids: [], links: [...text.matchAll(/\bhttps?:\S+/g)].map(([address]) => address) };
  // A script contains the relative paths of the modules that it loads later.
  if (type.startsWith('text/javascript'))
    return { ids: [], links: [...text.matchAll(/["'`](\.\/[\w.~-]+\.(?:js|css))["'`]/g)].map(([, path = '']) => path) };
  return { ids: [], links: [] };
}

/** The paths of all saved pages. */
export function pagesOf(dataDir: string): string[] {
  // Reports are stored compressed only.
  const files = globSync('**/*.html{,.gz}', { cwd: `${dataDir}/builds/current/client` });
  return [...new Set(files.map((file) => `/${file.replace(/\.html(\.gz)?$/, '')}`))]
    .map((path) => (path === '/index' ? '/' : path))
    .filter((path) => !/^\/404(\/|$)/.test(path))
    .sort();
}

/**
 * Fetches the given paths and everything on this site that they link to, each once, without an account. Links to other
 * sites and redirects are not followed.
 */
export async function crawl(
  request: APIRequestContext,
  page: Page,
  origin: string,
  paths: readonly string[],
): Promise<Map<string, CrawledFile>> {
  const found = new Map<string, CrawledFile>();
  const queue = [...new Set(paths)];
  const known = new Set(queue);
  const visit = async (path: string): Promise<void> => {
    const answer = await request.get(path, { maxRedirects: 0 });
    const type = answer.headers()['content-type'] ?? '';
    const readable = /^(text|application)\/|xml/.test(type);
    const body = readable ? await answer.text() : '';
    const { ids, links } = type.startsWith('text/html')
      ? await page.evaluate(readPage, body)
      : type.includes('xml')
        ? await page.evaluate(readXml, body)
        : readText(type, body);
    found.set(path, { path, status: answer.status(), type, body, ids: new Set(ids), links });
    for (const link of links) {
      const next = pathOf(link, path, origin);
      if (next === null || known.has(next)) continue;
      known.add(next);
      queue.push(next);
    }
  };
  const worker = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await visit(path);
  };
  // Other workers may still add paths when one finds the queue empty.
  while (queue.length > 0) await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}

/** The path and query on this site that a link leads to; null for other sites and other protocols. */
export function pathOf(link: string, from: string, origin: string): string | null {
  const base = new URL(from, origin);
  if (!URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  return url.origin === origin ? url.pathname + url.search : null;
}
