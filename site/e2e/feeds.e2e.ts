import type { Page } from 'playwright/test';
import { archive } from './scene.ts';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import { expect, test } from './fixtures.ts';

/* What the specifications of RSS 2.0 and Atom (RFC 4287) require, read with the browser’s XML parser. */

interface Entry {
  title: string[];
  link: string[];
  id: string[];
  published: string[];
  updated: string[];
  author: string[];
  text: string;
}

interface Parsed {
  type: string;
  root: string;
  broken: number;
  title: string[];
  link: string[];
  self: string[];
  id: string[];
  description: string[];
  updated: string[];
  author: string[];
  entries: Entry[];
}

const moment = {
  /** RFC 822 with a four-digit year, as RSS requires. */
  rss: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/,
  /** RFC 3339. */
  atom: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
};

/** Reads a feed; elements of an entry are not those of the feed. */
async function parsed(page: Page, path: string): Promise<Parsed> {
  return page.evaluate(async (address) => {
    const answer = await fetch(address);
    const xml = new DOMParser().parseFromString(await answer.text(), 'text/xml');
    const children = (parent: Element | null, name: string) =>
      [...(parent?.children ?? [])].filter((child) => child.nodeName === name);
    const texts = (parent: Element | null, name: string) =>
      children(parent, name).map(({ textContent }) => textContent);
    const atom = xml.documentElement.nodeName === 'feed';
    const feed = atom ? xml.documentElement : xml.querySelector('channel');
    const links = (parent: Element | null, rel: string | null) =>
      children(parent, 'link')
        .filter((link) => (link.getAttribute('rel') ?? 'alternate') === (rel ?? 'alternate'))
        .map((link) => link.getAttribute('href') ?? '');
    return {
      type: answer.headers.get('content-type') ?? '',
      root: `${xml.documentElement.nodeName} ${xml.documentElement.getAttribute('version') ?? xml.documentElement.namespaceURI}`,
      broken: xml.getElementsByTagName('parsererror').length,
      title: texts(feed, 'title'),
      link: atom ? links(feed, null) : texts(feed, 'link'),
      self: atom
        ? links(feed, 'self')
        : children(feed, 'atom:link')
            .filter((link) => link.getAttribute('rel') === 'self')
            .map((link) => link.getAttribute('href') ?? ''),
      id: texts(feed, 'id'),
      description: texts(feed, atom ? 'subtitle' : 'description'),
      updated: texts(feed, atom ? 'updated' : 'lastBuildDate'),
      author: children(feed, 'author').flatMap((author) => texts(author, 'name')),
      entries: children(feed, atom ? 'entry' : 'item').map((entry) => ({
        title: texts(entry, 'title'),
        link: atom ? links(entry, null) : texts(entry, 'link'),
        id: texts(entry, atom ? 'id' : 'guid'),
        published: texts(entry, atom ? 'published' : 'pubDate'),
        updated: atom ? texts(entry, 'updated') : [],
        author: children(entry, 'author').flatMap((author) => texts(author, 'name')),
        text: [...texts(entry, 'content:encoded'), ...texts(entry, 'content')].join(''),
      })),
    };
  }, path);
}

const one = (pattern: RegExp) => [expect.stringMatching(pattern)];

for (const list of ['/blog', '/historical'] as const) {
  for (const format of ['rss', 'atom'] as const) {
    test(`the ${format === 'rss' ? 'RSS' : 'Atom'} feed of ${list} is valid, and its newest entry is the newest`, async ({
      page,
      baseURL,
    }) => {
      await page.goto('/about');
      const path = `${list}/${format}.xml`;
      const feed = await parsed(page, path);
      const full = new RegExp(`^${baseURL!}/[\\w/-]*$`);
      expect(feed).toMatchObject({
        type: expect.stringMatching(new RegExp(`^application/${format}\\+xml(; ?charset=utf-8)?$`, 'i')),
        root: format === 'rss' ? 'rss 2.0' : 'feed http://www.w3.org/2005/Atom',
        broken: 0,
        title: one(/\w/),
        link: [baseURL! + list],
        self: [baseURL! + path],
        description: one(/\w/),
        updated: one(moment[format]),
        ...(format === 'atom' && { id: one(full) }),
      });
      expect(feed.entries.length).toBeGreaterThan(5);
      expect(feed.entries.length).toBeLessThanOrEqual(30);
      for (const entry of feed.entries) {
        expect(entry).toMatchObject({
          title: one(/\S/),
          link: one(full),
          id: one(full),
          published: one(moment[format]),
        });
        if (format === 'atom') expect(entry).toMatchObject({ updated: one(moment.atom) });
        // An entry has an author or inherits that of the feed.
        if (format === 'atom') expect(entry.author.length + feed.author.length).toBeGreaterThan(0);
        expect(entry.text).not.toMatch(/(href|src)="(?!https?:|mailto:)/);
        expect(entry.text).not.toMatch(/<(script|style|iframe)\b/);
      }
      const ids = feed.entries.map(({ id }) => id[0]);
      expect(new Set(ids).size).toBe(ids.length);
      const times = feed.entries.map(({ published }) => Date.parse(published[0]!));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());

      const newest =
        list === '/blog'
          ? ((await (await page.request.get('/api/blogs')).json()) as BlogPost[]).map(({ slug }) => `/blog/${slug}`)
          : (await archive(baseURL!)).map(({ id }) => `/poll/${id}`);
      expect(newest.map((address) => baseURL! + address)).toContain(feed.entries[0]!.link[0]);
      expect(feed.entries[0]!.link[0]).toBe(baseURL! + newest[0]!);
    });
  }
}
