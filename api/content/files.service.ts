import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  contentFolder,
  ContentProblem,
  outdatedArticles,
  plainLines,
  publishArticles,
  publishedSlugs,
  renderArticle,
  slugProblem,
  withdrawArticles,
} from '#api/content/blog/articles.service.ts';
import type { Article } from '#api/content/blog/articles.service.ts';
import { staticPageRules } from '#api/content/blog/static-pages.service.ts';
import { bundledArticles } from '#content/demo/articles.ts';
import { imageNamePattern } from './content.contract.ts';
import type { ChangeEvent } from '#api/publishing/publishing.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import {
  entryRows,
  insertEntry,
  insertVersion,
  lockAllEntries,
  markPublished,
  updateEntry,
} from './entries.queries.ts';
import type { EntryKey } from './entries.queries.ts';
import { insertImage, isImage, missingImages } from './images.service.ts';
import { planLoad } from './load-plan.ts';
import type { FileText, LoadPlan } from './load-plan.ts';
import { assertImages, fileOf, renderEntry, watchPages } from './publication.service.ts';

export interface LoadOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The folder content/; another one in tests. */
  readonly folder?: string;
  /** Newer files replace what was edited in the browser. */
  readonly force?: boolean;
  /** Whether the folder isn’t the one that a service loads when it starts, and may have only some of the files. */
  readonly isForeign?: boolean;
}

/**
 * Brings articles and pages up to date with the files of content/. What was edited in the browser stays, and its newer file
 * is offered there. Throws a {@link ContentProblem}, which names file and line, before anything is written.
 */
export async function loadContent(options: LoadOptions): Promise<LoadPlan> {
  const { db, clock } = options;
  const files = await readFiles(options);
  const first = await prepare(db, files);
  if (first.isDone) return first.plan;
  return db.transaction(async (trx) => {
    await lockAllEntries(trx);
    const now = clock.now();
    const { plan, articles, outdated, withdrawn } = await prepare(trx, files);
    const events = [
      ...withEvent('edited', [...outdated.map(({ slug }) => article(slug)), ...plan.replaced.map(({ row }) => row)]),
      ...withEvent('created', plan.added),
      ...withEvent('removed', withdrawn.map(article)),
    ];
    const changed = [...new Map(events.map((one) => [fileOf(one.key), one])).values()];
    const record = await watchPages(
      trx,
      changed.map(({ key }) => key),
    );
    for (const image of files.images)
      await insertImage(trx, { ...image, created_at: now, created_by: texts.fileActor });
    await applyPlan(trx, plan, now, files.isForeign);
    await publishArticles(trx, articles, now);
    await withdrawArticles(trx, withdrawn);
    await record(now, changed);
    return plan;
  });
}

const withEvent = (event: ChangeEvent, keys: readonly EntryKey[]) => keys.map((key) => ({ key, event }));

const article = (name: string): EntryKey => ({ folder: 'blog', name });

/** What loading would do, without doing it; throws what {@link loadContent} throws. */
export async function planOfFiles(options: LoadOptions): Promise<LoadPlan> {
  return (await prepare(options.db, await readFiles(options))).plan;
}

interface Files {
  readonly texts: readonly FileText[];
  /** Pictures that are not stored yet. */
  readonly images: readonly { readonly name: string; readonly content: Buffer }[];
  readonly force: boolean;
  readonly isForeign: boolean;
}

async function readFiles(options: LoadOptions): Promise<Files> {
  const { db, folder = contentFolder, force = false, isForeign = false } = options;
  return { texts: await readTexts(folder), images: await newImages(db, folder), force, isForeign };
}

/** Compares database and files, and checks both. */
async function prepare(db: Database, { texts: files, images, force, isForeign }: Files) {
  const rows = await entryRows(db);
  const all = planLoad(rows, files, { force, isPart: isForeign, bundled: isForeign ? [] : bundledArticles });
  // Nothing belongs to a file of a foreign folder.
  const plan = isForeign ? { ...all, agreed: [] } : all;
  const slugs = new Set([...rows, ...files].filter(({ folder }) => folder === 'blog').map(({ name }) => name));
  const rendered = new Map<string, Article>();
  const articleOf = (name: string, source: string) => {
    const key = `${name}\n${source}`;
    if (!rendered.has(key)) rendered.set(key, renderArticle(name, source, slugs));
    return rendered.get(key)!;
  };
  const given = images.map(({ name }) => name);
  for (const file of files) {
    const { folder, name, source } = file;
    const html = folder === 'blog' ? articleOf(name, source).content : renderEntry(file, source, { slugs });
    await assertImages(db, file, html, given);
  }
  const lives = new Map<string, string>();
  for (const { folder, name, live } of rows) if (folder === 'blog' && live !== null) lives.set(name, live);
  for (const { name } of plan.dropped) lives.delete(name);
  const replaced = plan.replaced.map(({ row: { folder, name }, source }) => ({ folder, name, source }));
  for (const { folder, name, source } of [...plan.added, ...replaced]) if (folder === 'blog') lives.set(name, source);
  const articles = [...lives].map(([name, source]) => articleOf(name, source));
  const outdated = await outdatedArticles(db, articles);
  const withdrawn = (await publishedSlugs(db)).filter((slug) => !lives.has(slug));
  const work: readonly (readonly unknown[])[] = [...Object.values(plan), outdated, withdrawn, images];
  return { plan, articles, outdated, withdrawn, isDone: work.every((part) => part.length === 0) };
}

/** What comes from a foreign folder counts as edited: otherwise the files that a service loads would replace it. */
async function applyPlan(trx: Database, plan: LoadPlan, now: number, isForeign: boolean): Promise<void> {
  const made = { event: 'file', actor: texts.fileActor, created_at: now } as const;
  for (const { folder, name, source } of plan.added) {
    const times = { created_at: now, updated_at: now, updated_by: texts.fileActor };
    const file_source = isForeign ? null : source;
    const row = await insertEntry(trx, { folder, name, source, live: source, file_source, ...times });
    await insertVersion(trx, row, made);
    await markPublished(trx, row, now);
  }
  for (const { folder, name, source } of plan.held) {
    const times = { created_at: now, updated_at: now, updated_by: texts.fileActor };
    const gone = { source: '', withdrawn_at: now, deleted_at: now };
    await insertEntry(trx, { folder, name, ...gone, newer_file: source, ...times });
  }
  for (const { row, source } of plan.replaced) {
    const changes = {
      source,
      live: source,
      ...(!isForeign && { file_source: source }),
      ...{ newer_file: null, withdrawn_at: null, deleted_at: null },
      // Nobody has reviewed this text.
      ...(row.source !== source && { reviewed_at: null, reviewed_by: null }),
    };
    const times = { publish_at: null, publish_version: null, updated_at: now, updated_by: texts.fileActor };
    const replaced = await updateEntry(trx, row, { ...changes, ...times, version: row.version + 1 });
    await insertVersion(trx, replaced, made);
    await markPublished(trx, replaced, now);
  }
  for (const row of plan.dropped) await updateEntry(trx, row, { live: null, newer_file: null });
  for (const { row, newer } of plan.offered) await updateEntry(trx, row, { newer_file: newer });
  for (const { row, source } of plan.agreed) await updateEntry(trx, row, { file_source: source, newer_file: null });
}

/** The articles and pages of a content folder. */
export async function readTexts(folder: string): Promise<FileText[]> {
  const names = (await namesIn(join(folder, 'blog'))).filter((name) => name.endsWith('.md'));
  const keys: EntryKey[] = [
    ...names.map((name) => ({ folder: 'blog' as const, name: name.slice(0, -'.md'.length) })),
    ...Object.entries(staticPageRules).map(([name, rules]) => ({ folder: rules.folder, name })),
  ];
  const files = await Promise.all(
    keys.map(async (key) => {
      const problem = key.folder === 'blog' ? slugProblem(key.name) : null;
      if (problem !== null) throw ContentProblem.at(fileOf(key), null, problem);
      const source = await textIn(join(folder, key.folder, `${key.name}.md`));
      return source === null ? [] : [{ ...key, source }];
    }),
  );
  return files.flat();
}

/** The text of a file; null if there is none. */
export async function textIn(path: string): Promise<string | null> {
  const content = await readFile(path, 'utf8').catch(unlessMissing(null));
  return content === null ? null : plainLines(content);
}

const imageFile = new RegExp(`^${imageNamePattern}$`);

/** The folder of pictures in a content folder, and the ending of their names. */
export const imagesFolder = 'images';
export const imageEnding = '.webp';

/** The pictures of a content folder that are not stored yet. */
async function newImages(db: Database, folder: string): Promise<Files['images']> {
  const files = (await namesIn(join(folder, imagesFolder))).filter((name) => name.endsWith(imageEnding));
  const names = files.map((file) => file.slice(0, -imageEnding.length));
  return Promise.all(
    (await missingImages(db, names)).map(async (name) => {
      const file = join(imagesFolder, `${name}${imageEnding}`);
      const content = await readFile(join(folder, file));
      if (imageFile.test(name) && isImage(name, content)) return { name, content };
      throw ContentProblem.at(`content/${file}`, null, texts.imageFile);
    }),
  );
}

/** The names in a folder in order; none if it doesn’t exist. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing([] as string[]))).sort();
}

const unlessMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return instead;
    throw error;
  };
