import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildFiles } from '#domain/build-files.ts';
import { sitemapBucketKinds } from '#api/publishing/page-data/page-data.contract.ts';
import type { PageData, SitemapBucketKind } from '#api/publishing/page-data/page-data.contract.ts';
import { topicOf } from '#domain/topics.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { loadContent } from '#api/content/files.service.ts';
import { addresses, contentPages, goneAddresses, pageData } from '#api/publishing/page-data/page-data.service.ts';
import { encode } from '#api/publishing/encode.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import type { PublishContext } from '#api/publishing/publish-changes.service.ts';
import { inBuilds, isStored, writeDraft } from '#api/publishing/builds.ts';
import type { BuildFacts } from '#api/publishing/builds.ts';
import { damagedFiles, readCodeBuild } from '#api/publishing/code-build.ts';
import { knownMigrations } from '#platform/database.ts';

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
    return page !== null && 'poll' in page && (png === undefined || page.poll.closedAt === null) ? page : null;
  }
  const [, slug] = /^\/blog\/([\w-]+)$/.exec(address) ?? [];
  if (slug !== undefined) return (await data.articles()).find((one) => one.slug === slug) ?? null;
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
  before?: (address: string, code: string) => void | Promise<void>;
  /** The id of the code build. */
  code?: string;
  /** Called while a code build is made. */
  building?: () => Promise<unknown>;
  /** The folder of content files. */
  content?: string;
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
    codeId: () => pages.code ?? 'code',
    codeBuild: async () => {
      const id = pages.code ?? 'code';
      const folder = inBuilds(config.dataDir, id);
      const existing = await readCodeBuild(folder);
      if (existing && damagedFiles(existing).length === 0) return existing;
      await pages.building?.();
      const script = 'export {};\n'.repeat(100);
      const files = { 'client/_astro/app.12345678.js': script, 'server/entry.mjs': 'export const handler = () => {};' };
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const sizes = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.length]));
      const facts: BuildFacts = { id, fixedAddresses: fakePages, files: sizes, schema: knownMigrations().at(-1)! };
      writeFileSync(join(folder, buildFiles.facts), JSON.stringify(facts));
      return { ...facts, folder };
    },
    renderer: (folder) =>
      Promise.resolve({
        async render(address, now = clock.now(), storing = null) {
          const code = basename(folder);
          pages.rendered.push(address);
          await pages.before?.(address, code);
          const data = pageData({ db, clock: fixedClock(now), settings: config });
          const page = await shown(address, data);
          if (page === null) return null;
          const content = Buffer.from(`${JSON.stringify(page, null, 1)}\n${(await pages.list?.(address)) ?? ''}`);
          if (storing === null) return { isSame: false, draft: null, content };
          const isSame = isStored(storing.client, address, content);
          if (isSame || storing.write === 'no') return { isSame, draft: null, content: null };
          const draft = await writeDraft(config.dataDir, await encode(address, content), storing.write !== 'draft');
          return { isSame, draft, content: null };
        },
        respond: () => Promise.resolve(null),
        close: () => Promise.resolve(),
      }),
    addresses: (fixed) => addresses({ db, clock }, fixed),
    loadContent: async () => {
      if (pages.content !== undefined) await loadContent({ db, clock, folder: pages.content });
    },
    contentPages: (file) => contentPages({ db, clock }, file),
    goneAddresses: (wanted) => goneAddresses({ db, clock }, wanted),
    showing: new Map(),
  };
}

/** Publishes until nothing is due; throws the error of a publish. */
export async function drain(context: PublishContext): Promise<void> {
  for (;;) {
    const outcome = await publishDue(context);
    if (outcome.status === 'failed') throw outcome.error;
    if (outcome.status === 'nothing-due') return;
  }
}
