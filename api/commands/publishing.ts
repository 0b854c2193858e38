import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import type { BlogPost } from '#contract/blog.ts';
import { categoriesOf } from '#domain/article.ts';
import { publishArticles, publishedArticles } from '#api/blog/articles.service.ts';
import { addresses } from '#api/page-data/page-data.service.ts';
import { codeFiles, ensureCodeBuild } from '#api/publishing/code-build.ts';
import { filesBelow } from '#api/publishing/disk.ts';
import type { PublishContext } from '#api/publishing/publish.service.ts';
import { startRenderer } from '#api/publishing/renderer.ts';
import type { Renderer } from '#api/publishing/renderer.ts';

/** What a publisher needs, with the real renderer; `close` ends its processes. */
export function publishContext(
  db: Database,
  config: Config,
  signal: AbortSignal,
): PublishContext & { readonly close: () => Promise<void> } {
  const clock = systemClock;
  let kept: { readonly key: string; readonly renderer: Renderer } | null = null;
  const close = async () => {
    await kept?.renderer.close();
    kept = null;
  };
  return {
    db,
    clock,
    signal,
    dataDir: config.dataDir,
    async codeBuild(aborted) {
      const { siteKey } = await ensureSecrets(config);
      return ensureCodeBuild({ config, siteKey, signal: aborted });
    },
    async renderer(codeFolder, many) {
      const key = `${codeFolder} ${many}`;
      if (kept?.key !== key) {
        await close();
        kept = { key, renderer: await startRenderer({ codeFolder, config, workers: many ? 2 : 1 }) };
      }
      return kept.renderer;
    },
    addresses: (fixed) => addresses({ db, clock }, fixed),
    async contentPages(file) {
      const before = await publishedArticles(db);
      await publishArticles({ db, clock });
      return contentPages(file, [...before, ...(await publishedArticles(db))]);
    },
    async *assets({ folder }) {
      const client = join(folder, codeFiles.client);
      for (const path of filesBelow(client)) yield [`/${path}`, await readFile(join(client, path))];
    },
    close,
  };
}

const staticPages = ['/about', '/integrity', '/terms', '/privacy', '/disclaimer'];
const blogLists = [
  '/blog',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/sitemap-blog.xml',
  '/sitemap-pages.xml',
  '/sitemap.xml',
];

/** The addresses that may show a content file, or all of them for ''; `articles` as before and as now. */
function contentPages(file: string, articles: readonly BlogPost[]): string[] {
  const [, page] = /^content\/(?:pages|legal)\/([\w-]+)\.md$/.exec(file) ?? [];
  if (page !== undefined) return [`/${page}`];
  const [, slug] = /^content\/blog\/([\w-]+)\.md$/.exec(file) ?? [];
  const slugs = [...new Set(articles.map((article) => article.slug))];
  const pictures = slug === undefined ? slugs : [slug];
  return [
    ...(slug === undefined ? staticPages : [`/blog/${slug}`]),
    // Articles link to each other.
    ...slugs.map((one) => `/blog/${one}`),
    ...pictures.map((one) => `/blog/${one}.png`),
    ...categoriesOf(articles).map((category) => `/blog/category/${category.slug}`),
    ...blogLists,
  ];
}
