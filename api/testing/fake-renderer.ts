import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { sitemapBucketKinds } from '#contract/page-data.ts';
import type { PageData, SitemapBucketKind } from '#contract/page-data.ts';
import { topicOf } from '#domain/topics.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { addresses, pageData } from '#api/page-data/page-data.service.ts';
import { encode } from '#api/publishing/encode.ts';
import type { PublishContext } from '#api/publishing/publish.service.ts';
import { inReleases, storeObjects } from '#api/publishing/store.ts';

/** The pages that exist whatever the database has. */
export const fakePages = [
  ...['/', '/historical', '/community-polls', '/about', '/integrity', '/404'],
  ...['/historical/rss.xml', '/historical/atom.xml'],
  ...['/sitemap.xml', '/sitemap-pages.xml'],
] as const;

/** What a page shows, from the same data as the real page, as JSON; null: no such page. */
async function shown(address: string, data: PageData): Promise<unknown> {
  const [, poll, png] = /^\/poll\/([^/.]+)(\.png)?$/.exec(address) ?? [];
  if (poll !== undefined) {
    const page = await data.poll(poll);
    return png === undefined || page?.poll.closedAt == null ? page : null;
  }
  const topic = topicOf(address);
  if (topic !== null) return data.topic(topic.kind, topic.slug);
  const [, kind, number] = /^\/sitemap-(reports|community)-(\d+)\.xml$/.exec(address) ?? [];
  if (kind !== undefined) {
    const bucket = await data.sitemapBucket(kind as SitemapBucketKind, Number(number));
    return bucket.length === 0 ? null : bucket;
  }
  switch (address) {
    case '/':
      return { figures: await data.statistics(), polls: await data.activePolls() };
    case '/historical':
      return data.archive();
    case '/historical/rss.xml':
    case '/historical/atom.xml':
      return data.newestReports(30);
    case '/integrity':
      return data.interventions();
    case '/community-polls':
      return data.community();
    case '/sitemap.xml':
      return Promise.all(sitemapBucketKinds.map((one) => data.sitemapBuckets(one)));
    case '/sitemap-pages.xml':
      return { archive: (await data.archive()).polls.map(({ updatedAt }) => updatedAt), lists: await data.community() };
    case '/about':
    case '/404':
      return address;
    default:
      return null;
  }
}

/** What tests change about the fake pages. */
export interface FakePages {
  /** The addresses rendered so far. */
  readonly rendered: string[];
  /** Called before each page; may throw. */
  before?: (address: string) => void | Promise<void>;
  /** The id of the code build. */
  code?: string;
  /** Added to the page of an address. */
  list?: (address: string) => Promise<string>;
}

/** A publisher’s surroundings without Astro: pages are JSON of the data that the real ones read. */
export function fakePublishing(
  { db, clock, config }: { readonly db: Database; readonly clock: Clock; readonly config: Config },
  pages: FakePages = { rendered: [] },
): PublishContext & { readonly pages: FakePages } {
  return {
    pages,
    db,
    clock,
    dataDir: config.dataDir,
    codeBuild: () => {
      const id = pages.code ?? 'code';
      const folder = inReleases(config.dataDir, releaseFiles.code, id);
      mkdirSync(join(folder, releaseFiles.server), { recursive: true });
      writeFileSync(
        join(folder, releaseFiles.server, releaseFiles.serverEntry),
        'export const handler = () => undefined;',
      );
      return Promise.resolve({ id, folder, fixedAddresses: fakePages });
    },
    renderer: () =>
      Promise.resolve({
        async render(address, now = clock.now(), kept = null, storing = null) {
          pages.rendered.push(address);
          await pages.before?.(address);
          const data = pageData({ db, clock: fixedClock(now), settings: config });
          const page = await shown(address, data);
          const text = `${JSON.stringify(page, null, 1)}\n${(await pages.list?.(address)) ?? ''}`;
          const encoded = page === null ? null : await encode(address, Buffer.from(text), kept);
          if (encoded !== null && storing !== null) await storeObjects(config.dataDir, address, encoded, storing);
          return encoded;
        },
        respond: () => Promise.resolve(null),
        close: () => Promise.resolve(),
      }),
    addresses: (fixed) => addresses({ db, clock }, fixed),
    contentPages: () => Promise.resolve([]),
    showing: new Map(),
    async *assets() {
      const address = '/_astro/app.12345678.js';
      yield [address, await encode(address, Buffer.from('export {};\n'.repeat(100)))] as const;
    },
  };
}
