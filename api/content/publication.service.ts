import {
  articleFile,
  ContentProblem,
  imagesIn,
  pagesOfArticle,
  publishArticles,
  publishedSlugs,
  renderArticle,
  withdrawArticles,
} from '#api/content/blog/articles.service.ts';
import { pageFromFile, renderPage, staticPageRules } from '#api/content/blog/static-pages.service.ts';
import type { PageSettings } from '#api/content/blog/static-pages.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { imageAddress } from '#domain/image-address.ts';
import type { ChangeEvent } from '#api/publishing/publishing.contract.ts';
import type { StaticPages } from '#api/content/blog/static-pages.contract.ts';
import type { Change } from '#domain/pages-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import {
  articleNames,
  dueEntries,
  entryRow,
  entryRows,
  lockEntry,
  markPublished,
  nextPublication,
  updateEntry,
  versionRow,
} from './entries.queries.ts';
import type { EntryKey, EntryRow } from './entries.queries.ts';
import { missingImages } from './images.service.ts';

export { nextPublication };

/** Milliseconds after which a scheduled text that can’t be published is tried again. */
const retryMs = 60_000;

/** The file of an entry, as error messages and changes name it. */
export const fileOf = ({ folder, name }: EntryKey): string =>
  folder === 'blog' ? articleFile(name) : `content/${folder}/${name}.md`;

/** Settings for checks, whose result nobody sees. */
const anySettings: PageSettings = {
  siteName: 'Site',
  supportEmail: 'desk@site.example',
  publicUrl: 'https://site.example',
};

/** The HTML of a text. `slugs` are those of articles it may link to. Throws a {@link ContentProblem}. */
export function renderEntry(
  { folder, name }: EntryKey,
  source: string,
  { slugs, settings = anySettings }: { readonly slugs: ReadonlySet<string>; readonly settings?: PageSettings },
): string {
  if (folder === 'blog') return renderArticle(name, source, slugs).content;
  return renderPage(name as keyof StaticPages, source, { settings, slugs }).content;
}

/**
 * The HTML of a text that could be published: it links to published articles only, and its pictures are stored. Throws a
 * {@link ContentProblem}.
 */
export async function checkedHtml(db: Database, key: EntryKey, source: string, settings?: PageSettings) {
  const slugs = new Set([...(await publishedSlugs(db)), key.name]);
  const html = renderEntry(key, source, { slugs, ...(settings && { settings }) });
  await assertImages(db, key, html);
  return html;
}

/** Throws a {@link ContentProblem} if a text shows a picture that is neither stored nor `given`. */
export async function assertImages(
  db: Database,
  key: EntryKey,
  html: string,
  given: readonly string[] = [],
): Promise<void> {
  const shown = imagesIn(html).filter((name) => !given.includes(name));
  const [missing] = shown.length === 0 ? [] : await missingImages(db, shown);
  if (missing !== undefined) throw ContentProblem.at(fileOf(key), null, texts.noSuchImage(missing));
}

/** A static page as it is published; as its file has it while nothing is loaded. */
export async function publishedPage<Name extends keyof StaticPages>(
  db: Database,
  name: Name,
  settings: PageSettings,
): Promise<StaticPages[Name]> {
  const row = await entryRow(db, { folder: staticPageRules[name].folder, name });
  if (row?.live == null) return pageFromFile(name, settings);
  return renderPage(name, row.live, { settings, slugs: new Set(await articleNames(db)) });
}

/**
 * Publishes a text of an entry in the caller's transaction, which has locked it: writes what readers see, and records the
 * pages that change. Throws a {@link ContentProblem} before it writes anything.
 */
export async function goLive(trx: Database, row: EntryRow, { version, source }: Text, now: number): Promise<EntryRow> {
  const key = { folder: row.folder, name: row.name };
  const slugs = new Set(await articleNames(trx));
  const article = row.folder === 'blog' ? renderArticle(row.name, source, slugs) : null;
  const record = await watchPages(trx, [key]);
  if (article !== null) await publishArticles(trx, [article], now);
  await markPublished(trx, { ...row, version }, now);
  const changes = { live: source, publish_at: null, publish_version: null, withdrawn_at: null };
  const published = await updateEntry(trx, row, changes);
  await record(now, [{ key, event: row.live === null ? 'created' : 'edited' }]);
  return published;
}

type Text = Pick<EntryRow, 'version' | 'source'>;

/**
 * Takes an article off the site in the caller's transaction, which has locked it: its address answers 410 from then on.
 */
export async function withdraw(
  trx: Database,
  row: EntryRow,
  now: number,
  { forget = false }: { readonly forget?: boolean } = {},
): Promise<EntryRow> {
  const record = await watchPages(trx, [row]);
  await withdrawArticles(trx, [row.name], { gone: true, forget });
  const changes = { live: null, publish_at: null, publish_version: null, withdrawn_at: row.withdrawn_at ?? now };
  const withdrawn = await updateEntry(trx, row, changes);
  if (row.live !== null) await record(now, [{ key: row, event: 'removed' }]);
  return withdrawn;
}

/** What happened to an entry. */
interface EntryEvent {
  readonly key: EntryKey;
  readonly event: ChangeEvent;
}

/**
 * Call it before entries change for readers, and the function it returns afterward, in the same transaction: that records
 * what happened, and the pages that showed them before and don’t any more.
 */
export async function watchPages(
  trx: Database,
  keys: readonly EntryKey[],
): Promise<(now: number, events: readonly EntryEvent[]) => Promise<void>> {
  const pages = async () => {
    const all = new Set<string>();
    for (const { folder, name } of keys)
      for (const address of await (folder === 'blog' ? pagesOfArticle(trx, name) : pagePictures(trx))) all.add(address);
    return all;
  };
  const before = await pages();
  return async (now, events) => {
    const after = await pages();
    const left = [...before].filter((address) => !after.has(address));
    const isRemoval = events.some(({ event }) => event === 'removed');
    await recordChanges(trx, now, [
      ...events.map(({ key, event }): Change => ({ kind: 'content', key: fileOf(key), event })),
      ...left.map((key): Change => ({ kind: 'page', key, event: isRemoval ? 'removed' : null })),
    ]);
  };
}

/** The addresses of the pictures in About and the other fixed pages. */
export async function pagePictures(db: Database): Promise<string[]> {
  const rows = await entryRows(db);
  return rows.flatMap(({ folder, live }) => (folder === 'blog' ? [] : imagesIn(live ?? '').map(imageAddress)));
}

/** Publishes the texts whose time has come, each in its own transaction; safe in several processes. */
export async function publishDue({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
  const now = clock.now();
  for (const key of await dueEntries(db, now))
    await db.transaction(async (trx) => {
      const row = await lockEntry(trx, key);
      if (row?.publish_version == null || row.publish_at! > now) return;
      const text = await versionRow(trx, row.id, row.publish_version);
      try {
        if (text) await goLive(trx, row, text, now);
      } catch (error) {
        if (!(error instanceof ContentProblem)) throw error;
        log.error({ err: error }, 'a scheduled text could not be published; retrying');
        await updateEntry(trx, row, { publish_at: now + retryMs });
      }
    });
}
