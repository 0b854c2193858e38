import {
  ContentProblem,
  imagesIn,
  plainLines,
  readDraft,
  readingMinutes,
  writeContentFile,
} from '#api/content/blog/articles.service.ts';
import { unknownNames } from '#api/content/blog/facts.service.ts';
import { settingNames } from '#api/content/blog/static-pages.service.ts';
import type { PageSettings } from '#api/content/blog/static-pages.service.ts';
import { imageAddress } from '#domain/image-address.ts';
import type { ContentDraft, ContentFolder, ContentHead, ContentPreview, ContentProblems } from './content.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { contentApiTexts as texts } from '#texts/content-editor.ts';
import { entryRow, shownRows, versionRow } from './entries.queries.ts';
import type { EntryKey, EntryRow } from './entries.queries.ts';
import { checkedHtml, renderEntry } from './publication.service.ts';

export type { PageSettings };

/** What a text would show, and why it can’t be published; nothing is stored. Throws NOT_FOUND. */
export async function previewEntry(
  db: Database,
  key: EntryKey,
  draft: ContentDraft,
  settings: PageSettings,
): Promise<ContentPreview> {
  const row = existing(await entryRow(db, key));
  const { html, problems } = await checkEntry(db, row, asFile(draft), settings);
  const unknown = unknownNames(draft.text, row.folder === 'blog' ? [] : settingNames);
  if (html === null) return { html, minutes: 0, problems, unknown };
  // A picture has its address only once it is published.
  const shown = imagesIn(html).reduce(
    (left, name) => left.replace(`src="${imageAddress(name)}"`, `src="${pathOf('contentImage', { name })}"`),
    html,
  );
  return { html: shown, minutes: readingMinutes(html), problems, unknown };
}

/** Why a text can’t be published, all wrong fields at once, and its HTML, which doesn’t depend on them. */
export async function checkEntry(
  db: Database,
  row: EntryRow,
  source: string,
  settings?: PageSettings,
): Promise<{ readonly html: string | null; readonly problems: ContentProblems }> {
  const attempt = async (file: string) => {
    try {
      return { html: await checkedHtml(db, row, file, settings), problems: [] };
    } catch (error) {
      return { html: null, problems: problemsOf(error, file) };
    }
  };
  const strict = await attempt(source);
  const wrong = strict.problems.filter(({ field }) => field !== null);
  if (wrong.length === 0) return strict;
  const { html, problems } = await attempt(writeContentFile({ head: anyHead(row), text: readDraft(source).text }));
  return { html, problems: [...wrong, ...problems] };
}

/** The entry; throws NOT_FOUND if there is none, or it was deleted. */
export function existing(row: EntryRow | undefined): EntryRow {
  if (row?.deleted_at !== null) throw errors.notFound();
  return row;
}

/** The titles of articles and pages as they were saved last, by keys such as `blog/on-ties`; without deleted ones. */
export async function contentTitles(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await shownRows(
    db,
    keys.map((key) => key.slice(key.indexOf('/') + 1)),
  );
  return new Map(rows.map(({ folder, name, source }) => [`${folder}/${name}`, readDraft(source).head.title ?? name]));
}

/** A draft as a file; fields that a form leaves empty are missing. */
export function asFile({ head, text }: ContentDraft): string {
  const filled = Object.entries(head).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return writeContentFile({ head: Object.fromEntries(filled), text });
}

/** Whether two files have the same front matter and text, however it is written. */
export function isSameText(one: string, other: string): boolean {
  const normal = (source: string) => {
    const { head, text } = readDraft(source);
    return JSON.stringify([Object.entries(head).sort(([a], [b]) => (a < b ? -1 : 1)), text]);
  };
  return normal(one) === normal(other);
}

/** The text of an article with the day of its publication, if it has none. */
export function withDay(folder: ContentFolder, source: string, at: number): string {
  const { head, text } = readDraft(source);
  if (folder !== 'blog' || head.publishedAt !== undefined) return source;
  return writeContentFile({ head: { ...head, publishedAt: iso(at).slice(0, 10) }, text });
}

/** Valid front matter of an entry, whatever it says. */
function anyHead({ folder, name }: EntryKey): ContentHead {
  const title = name;
  const cards = [1, 2, 3].map(() => ({ title, text: title }));
  if (folder === 'legal') return { title, description: title, lastUpdated: '2000-01-01' };
  if (folder === 'pages') return { title, description: title, lede: title, ...(name === 'about' && { cards }) };
  return { title };
}

/** The problems of a text for its author, with lines within the Markdown; rethrows other errors. */
function problemsOf(error: unknown, source: string): ContentProblems {
  if (!(error instanceof ContentProblem)) throw error;
  const lines = plainLines(source).split('\n');
  // The front matter, its two fences, and an empty line precede the text.
  const before = lines.indexOf('---', 1) + 2;
  const problems = error.problems.map(({ field, line, problem }) => ({
    message: texts.problem(problem),
    line: field !== null || line === null || line <= before ? null : line - before,
    field: field?.startsWith('cards.') ? field : (field?.split('.')[0] ?? null),
  }));
  return problems.filter(({ field }, index) => problems.findIndex((other) => other.field === field) === index);
}

/** Why a scheduled text would not be published at its time, if so: what was valid when it was scheduled may not be now. */
export async function scheduleProblem(
  db: Database,
  row: EntryRow,
  slugs: ReadonlySet<string>,
): Promise<{ problem?: string }> {
  const text = row.publish_version === null ? undefined : await versionRow(db, row.id, row.publish_version);
  if (!text) return {};
  try {
    renderEntry(row, text.source, { slugs });
    return {};
  } catch (error) {
    const problems = problemsOf(error, text.source);
    return { problem: problems.map(({ message }) => message).join(' ') };
  }
}
