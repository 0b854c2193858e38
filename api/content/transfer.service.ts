import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { contentFolder, imagesIn } from '#api/content/blog/articles.service.ts';
import type { Database } from '#platform/database.ts';
import { replaceFile } from '#platform/replace-file.ts';
import { entryRows, hasVersion, updateEntry } from './entries.queries.ts';
import type { EntryKey, EntryRow } from './entries.queries.ts';
import { imageEnding, imagesFolder, loadContent, planOfFiles, textIn } from './files.service.ts';
import type { LoadOptions } from './files.service.ts';
import { imageWith } from './images.service.ts';
import { fileOf } from './publication.service.ts';

export { ContentProblem } from '#api/content/blog/articles.service.ts';

/** Files that a pull or push changes, and files or texts that it would overwrite; paths begin with content/. */
export interface Transfer {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Pull: files with changes that are not in the database. Push: texts that were edited in the browser. */
  readonly conflicts: readonly string[];
  /** Pull: drafts, which files can't be. */
  readonly left: readonly string[];
}

interface TransferOptions {
  readonly db: Database;
  readonly folder?: string;
  /** The folder that a service loads when it starts; another one in tests. */
  readonly ownFolder?: string;
  /** Overwrite what conflicts. */
  readonly force?: boolean;
  /** Only return what would be done. */
  readonly dryRun?: boolean;
}

/** Whether the folder isn’t the one that a service loads: its files say nothing about those. */
const isForeign = ({ folder = contentFolder, ownFolder = contentFolder }: TransferOptions) =>
  resolve(folder) !== resolve(ownFolder);

/** Writes the published texts to files, and deletes the files of articles that are not published any more. Changes nothing if there are conflicts. */
export async function pullContent(options: TransferOptions): Promise<Transfer> {
  const { db, folder = contentFolder, force = false, dryRun = false } = options;
  const pathOf = (key: EntryKey) => join(folder, key.folder, `${key.name}.md`);
  const rows = await entryRows(db);
  const seen = await Promise.all(rows.map(async (row) => ({ row, file: await textIn(pathOf(row)) })));
  const write = seen.filter(({ row, file }) => row.live !== null && file !== row.live);
  const remove = seen.filter(({ row, file }) => row.withdrawn_at !== null && file !== null);
  const changed = [...write, ...remove].filter(({ row, file }) => file !== null && file !== row.file_source);
  const isNew = await Promise.all(
    // What was pulled into another folder earlier is a version.
    changed.map(async ({ row, file }) => !isForeign(options) || !(await hasVersion(db, row.id, file!))),
  );
  const unknown = changed.filter((_, place) => isNew[place]);
  const transfer: Transfer = {
    written: write.map(({ row }) => fileOf(row)),
    deleted: remove.map(({ row }) => fileOf(row)),
    conflicts: unknown.map(({ row }) => fileOf(row)),
    left: rows.filter(isDraft).map(fileOf),
  };
  if (dryRun || (unknown.length > 0 && !force)) return transfer;
  for (const { row } of write) {
    for (const name of new Set(imagesIn(row.live!))) {
      const image = await imageWith(db, name);
      if (image !== null) await writeWhole(join(folder, imagesFolder, `${name}${imageEnding}`), image);
    }
    await writeWhole(pathOf(row), row.live!);
  }
  for (const { row } of remove) await rm(pathOf(row));
  if (isForeign(options)) return transfer;
  await db.transaction(async (trx) => {
    for (const { row } of write) await updateEntry(trx, row, { file_source: row.live, newer_file: null });
    for (const { row } of remove) await updateEntry(trx, row, { file_source: null, newer_file: null });
  });
  return transfer;
}

/**
 * Loads files as a running service does, but changes nothing if a file was changed whose text was edited in the browser.
 * From another folder than that of the service, articles without a file stay, and texts count as edited. Throws a ContentProblem for an invalid file.
 */
export async function pushContent(given: TransferOptions & Pick<LoadOptions, 'clock'>): Promise<Transfer> {
  const options = { ...given, isForeign: isForeign(given) };
  const { force = false, dryRun = false } = options;
  const unforced = await planOfFiles({ ...options, force: false });
  const edited = unforced.offered.filter(({ newer }) => newer !== null).map(({ row }) => row);
  // What a running service has offered before conflicts as well.
  const offered = (await entryRows(options.db)).filter(({ newer_file }) => newer_file !== null);
  const conflicts = [...new Set([...edited, ...offered].map(fileOf))];
  const { added, replaced, dropped } = force ? await planOfFiles(options) : unforced;
  const transfer: Transfer = {
    written: [...added, ...replaced.map(({ row }) => row)].map(fileOf),
    deleted: dropped.map(fileOf),
    conflicts,
    left: [],
  };
  if (!dryRun && (conflicts.length === 0 || force)) await loadContent(options);
  return transfer;
}

const isDraft = ({ live, withdrawn_at }: EntryRow) => live === null && withdrawn_at === null;

async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, content);
}
