import sax from 'sax';
import { expect, test } from 'vitest';
import type { PageData } from '#api/publishing/page-data/page-data.contract.ts';
import type { FeedContent } from './feeds.ts';
import { articlesFeed, feedXml, reportsFeed, withFullAddresses } from './feeds.ts';
import { securityText } from './security-text.ts';
import { newest, sitemapIndexXml, sitemapXml } from './sitemap.ts';

const content: FeedContent = {
  title: 'Wind & Weather: poll results',
  description: 'Every poll.',
  id: 'https://first.example/historical',
  address: 'https://polls.example/historical',
  siteName: 'Wind & Weather',
  updatedAt: '2026-11-02T00:00:00.000Z',
  entries: [
    {
      title: 'Is 1 < 2 & "so" ]]> \u0007on \ud800?',
      id: 'tag:first.example,2026-09-01:/poll/a',
      address: 'https://polls.example/poll/a',
      summary: 'A tie: <script>alert(1)</script> & “no”.',
      content: '<p>Words &amp; more</p>',
      author: 'Ann & Bob',
      category: 'Numbers & Co',
      publishedAt: '2026-10-01T00:00:00.000Z',
      updatedAt: '2026-11-02T00:00:00.000Z',
    },
  ],
};

/** Parses strictly and returns the text of every element with a name. */
function texts(xml: string, name: string): string[] {
  const found: string[] = [];
  const parser = sax.parser(true);
  const open: { name: string; text: string }[] = [];
  const add = (text: string) => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = (tag) => void open.push({ name: tag.name, text: '' });
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = () => {
    const closed = open.pop();
    if (closed?.name === name) found.push(closed.text);
  };
  parser.write(xml).close();
  return found;
}

test('RSS escapes user text, including markup', () => {
  const xml = feedXml(content, 'rss');
  expect(texts(xml, 'title')).toEqual(['Wind & Weather: poll results', 'Is 1 &lt; 2 & "so" ]]> on ?']);
  expect(texts(xml, 'description').at(-1)).toBe('A tie: &lt;script>alert(1)&lt;/script> &amp; “no”.');
  expect(texts(xml, 'content:encoded')).toEqual(['<p>Words &amp; more</p>']);
  expect(texts(xml, 'link')).toEqual(['https://polls.example/historical', 'https://polls.example/poll/a']);
  expect(texts(xml, 'guid')).toEqual(['tag:first.example,2026-09-01:/poll/a']);
  expect(texts(xml, 'pubDate')).toEqual(['Thu, 01 Oct 2026 00:00:00 GMT']);
  expect(xml).toContain('href="https://polls.example/historical/rss.xml" rel="self"');
});

test('Atom names authors and the dates of publication and change', () => {
  const xml = feedXml(content, 'atom');
  expect(texts(xml, 'name')).toEqual(['Wind & Weather', 'Ann & Bob']);
  expect(texts(xml, 'title')).toEqual(['Wind & Weather: poll results', 'Is 1 &lt; 2 &amp; "so" ]]> on ?']);
  expect(texts(xml, 'published')).toEqual(['2026-10-01T00:00:00.000Z']);
  expect(texts(xml, 'updated')).toEqual(['2026-11-02T00:00:00.000Z', '2026-11-02T00:00:00.000Z']);
  expect(texts(xml, 'id')).toEqual(['https://first.example/historical', 'tag:first.example,2026-09-01:/poll/a']);
});

test('a feed without entries is valid', () => {
  for (const format of ['rss', 'atom'] as const)
    expect(texts(feedXml({ ...content, entries: [] }, format), 'title')).toEqual([content.title]);
});

const dataWith = (data: Partial<Record<keyof PageData, unknown>>) => {
  const read = (value: unknown) => () => Promise.resolve(value);
  const { newestReports = [], articles = [] } = data;
  const feedStart = { publicUrl: 'https://first.example', at: '2026-11-20T00:00:00.000Z' };
  return {
    feedStart: read(feedStart),
    newestReports: read(newestReports),
    articles: read(articles),
  } as unknown as PageData;
};

test('feeds without entries are the same whenever they are rendered', async () => {
  for (const feed of [reportsFeed, articlesFeed])
    expect(await feed({ ...dataWith({}), now: '2026-11-21T12:00:00.000Z' })).toEqual(
      await feed({ ...dataWith({}), now: '2026-11-22T12:00:00.000Z' }),
    );
});

test('ids of entries do not depend on the present address of the site: older ones keep their first address, others are tag URIs', async () => {
  const [before, after] = ['2026-11-19T23:00:00.000Z', '2026-11-20T00:00:00.000Z'];
  const poll = { question: 'Q?', options: [], totalVotes: 0, category: null, author: null, updatedAt: after };
  const post = { title: 'A', excerpt: '', content: '', author: 'A', category: 'C', updatedAt: after };
  const data = dataWith({
    newestReports: [
      { ...poll, id: 'new', createdAt: before, startsAt: before, endsAt: after, closedAt: after },
      { ...poll, id: 'old', createdAt: before, startsAt: before, endsAt: before, closedAt: before },
    ],
    articles: [
      { ...post, slug: 'new', publishedAt: after },
      { ...post, slug: 'old', publishedAt: before },
    ],
  });
  for (const [feed, list, path] of [
    [reportsFeed, '/historical', '/poll'],
    [articlesFeed, '/blog', '/blog'],
  ] as const) {
    const { id, address, entries } = await feed(data);
    expect(id).toBe(`https://first.example${list}`);
    expect(address).not.toBe(id);
    expect(entries.map((entry) => entry.id)).toEqual([
      `tag:first.example,2026-11-20:${path}/new`,
      `https://first.example${path}/old`,
    ]);
    expect(entries[0]!.address).not.toContain('first.example');
  }
});

test('the sitemap lists addresses and dates of change', () => {
  const entries = [
    { address: 'https://polls.example/poll/a', changedAt: '2026-10-01T00:00:00.000Z' },
    { address: "https://polls.example/?a=1&b='2'" },
  ];
  const xml = sitemapXml(entries);
  expect(texts(xml, 'loc')).toEqual(entries.map(({ address }) => address));
  expect(texts(xml, 'lastmod')).toEqual(['2026-10-01T00:00:00.000Z']);
  expect(texts(sitemapIndexXml(entries), 'loc')).toHaveLength(2);
  expect(newest([...entries, { changedAt: '2026-09-01T00:00:00.000Z' }])).toBe('2026-10-01T00:00:00.000Z');
  expect(newest([])).toBeUndefined();
});

test('security.txt names a contact and is valid for most of a year', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const text = securityText({ contact: 'a@b.example', address: 'https://polls.example/.well-known/security.txt', now });
  expect(text.split('\n')).toEqual([
    'Contact: mailto:a@b.example',
    'Expires: 2027-10-01T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://polls.example/.well-known/security.txt',
    '',
  ]);
});

test('links in an article work in feed readers', () => {
  const html =
    '<a href="/blog/a">a</a> <a href="#note">n</a> <img src="/x.png"> <a href="//cdn.example">c</a> <a href="https://b.example">b</a>';
  expect(withFullAddresses(html, 'https://polls.example/blog/b')).toBe(
    '<a href="https://polls.example/blog/a">a</a> <a href="https://polls.example/blog/b#note">n</a> <img src="https://polls.example/x.png"> <a href="//cdn.example">c</a> <a href="https://b.example">b</a>',
  );
});
