import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  fileOf,
  pendingMoveSchema,
  releaseFiles,
  releaseRecordSchema,
  shardOf,
  treeHeadSchema,
} from '#contract/publishing.ts';
import type { PendingMove, ReleaseRecord, StoredFile, TreeHead } from '#contract/publishing.ts';
import { compileSchema } from '#platform/validation.ts';
import { allWritten, disk, isMissing, namesIn } from './disk.ts';
import { endings, storedSizes } from './encode.ts';
import type { Encoded, Ending } from './encode.ts';

/** A path in `DATA_DIR/releases`. */
export const inReleases = (dataDir: string, ...names: readonly string[]) =>
  join(dataDir, releaseFiles.folder, ...names);

/** The file of a tree’s head. */
export const headFile = (dataDir: string, tree: string) =>
  inReleases(dataDir, releaseFiles.trees, tree, releaseFiles.head);

/** A path of its own for a file that is moved to its place when it is complete. */
export const draftPath = (dataDir: string) => inReleases(dataDir, releaseFiles.drafts, randomBytes(8).toString('hex'));

/** Replaces a file atomically; `durable`: returns when its content would survive a power cut. */
export async function replaceFile(
  dataDir: string,
  path: string,
  content: Buffer | string,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<void> {
  const draft = draftPath(dataDir);
  await disk.write(draft, content, { durable });
  disk.rename(draft, path);
}

/** The path of a file’s content in one encoding. */
export const objectPath = (dataDir: string, address: string, hash: string, ending: Ending) =>
  inReleases(dataDir, releaseFiles.objects, shardOf(address), `${hash}${ending}`);

/** The path of the name under which web servers find an address in one encoding. */
export const namePath = (dataDir: string, tree: string, address: string, ending: Ending) =>
  inReleases(dataDir, releaseFiles.trees, tree, releaseFiles.client, `${fileOf(address)}${ending}`);

/** The id of the tree that is served, or null before the first release. */
export function currentTree(dataDir: string): string | null {
  try {
    return basename(readlinkSync(inReleases(dataDir, releaseFiles.current)));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

let latestHead: { readonly path: string; readonly version: string; readonly head: TreeHead | null } | null = null;

/** The head of a tree; null if it is missing or damaged. A publish asks several times: the last file is not read again. */
export function readHead(dataDir: string, tree: string): TreeHead | null {
  const path = headFile(dataDir, tree);
  const file = statSync(path, { throwIfNoEntry: false });
  const version = [file?.ino, file?.size, file?.mtimeMs, file?.ctimeMs].join();
  if (latestHead?.path !== path || latestHead.version !== version)
    latestHead = { path, version, head: readJson(path, isHead) };
  return latestHead.head;
}

/** The head of the tree that is served; null before the first release, or if it is damaged. */
export function currentHead(dataDir: string): TreeHead | null {
  const tree = currentTree(dataDir);
  return tree === null ? null : readHead(dataDir, tree);
}

/** The ids of all releases, newest first: those that are stored, and of earlier ones that were being deleted. */
export function releaseIds(dataDir: string): string[] {
  return namesIn(inReleases(dataDir, releaseFiles.records))
    .filter((name) => /^[^.].*\.json$/.test(name))
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
    .reverse();
}

/** The record of a release. */
export const recordFile = (dataDir: string, id: string) => inReleases(dataDir, releaseFiles.records, `${id}.json`);

/** The record of a release; null if it is missing or damaged. */
export const readRecord = (dataDir: string, id: string): ReleaseRecord | null =>
  readJson(recordFile(dataDir, id), isRecord);

/** All readable records, newest first. */
export function readRecords(dataDir: string): ReleaseRecord[] {
  return releaseIds(dataDir)
    .map((id) => readRecord(dataDir, id))
    .filter((record) => record !== null);
}

/** A new id after every existing one: the time in UTC, and a random suffix, because machines may share a data folder. */
export function newReleaseId(now: number, newest: string | undefined): string {
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:.]/g, '');
  const last = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(newest ?? '');
  const [, year, month, day, hour, minute, second, ms] = (last ?? []).map(Number);
  const previous = last === null ? 0 : Date.UTC(year!, month! - 1, day, hour, minute, second, ms);
  // The clock may have been set back.
  return `${stamp(Math.max(now, previous + 1))}-${randomBytes(2).toString('hex')}`;
}

/** How contents are stored. */
export interface Storing {
  /** Returns when they would survive a power cut. */
  readonly durable: boolean;
  /** Also if copies of the same size are stored already. */
  readonly anew?: boolean;
}

/** Stores the contents of an address unless copies of the same size are stored already. */
export async function storeObjects(
  dataDir: string,
  address: string,
  { file, copies }: Encoded,
  { durable, anew = false }: Storing,
): Promise<void> {
  if (copies === null) return;
  const sizes = storedSizes(file);
  await allWritten(
    endings.map(async (ending) => {
      const copy = copies[ending];
      if (copy === null) return;
      const path = objectPath(dataDir, address, file.hash, ending);
      if (anew || sizeOf(path) !== sizes[ending]) await replaceFile(dataDir, path, copy, { durable });
    }),
  );
}

/** Whether every stored copy of a content is there, with its size. */
export function isStored(dataDir: string, address: string, file: StoredFile): boolean {
  const sizes = storedSizes(file);
  return endings.every(
    (ending) => sizes[ending] === null || sizeOf(objectPath(dataDir, address, file.hash, ending)) === sizes[ending],
  );
}

/**
 * Gives an address its names in a tree: links to its objects, each moved into place atomically. `file` null removes
 * them. Repeating it is harmless.
 */
function setNames(dataDir: string, tree: string, address: string, file: StoredFile | null): void {
  const sizes = file && storedSizes(file);
  // The plain file last when it is added and first when it is removed: web servers look for it to see whether a page
  // exists.
  const order = file === null ? endings : endings.toReversed();
  for (const ending of order) {
    const name = namePath(dataDir, tree, address, ending);
    if (file === null || sizes?.[ending] === null) {
      disk.remove(name);
      continue;
    }
    const draft = draftPath(dataDir);
    disk.link(objectPath(dataDir, address, file.hash, ending), draft);
    disk.rename(draft, name);
    // Renaming a link over another link to the same file does nothing and leaves both.
    disk.remove(draft);
  }
}

/** Creates an address’s names in a tree that has none for it yet and is not served. */
export function addNames(dataDir: string, tree: string, address: string, file: StoredFile): void {
  const sizes = storedSizes(file);
  for (const ending of endings)
    if (sizes[ending] !== null)
      disk.link(objectPath(dataDir, address, file.hash, ending), namePath(dataDir, tree, address, ending));
}

/** Names that one transaction moves, and files that it deletes: a few milliseconds on a fast disk. On SQLite, votes wait for it. */
const atOnce = 64;

/** What moving names needs of the job: each portion must be impossible once another process has taken the job. */
export interface MoveGuard {
  /** Runs a portion of the work while the job certainly belongs to this process; throws if it was lost. */
  readonly portion: (work: () => void) => Promise<void>;
  /** Runs the last portion together with the end of the job. */
  readonly finish: (work: () => void) => Promise<void>;
}

/** Paths that nothing needs anymore. */
export interface Obsolete {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Deleted last, so that an interrupted deletion is continued by the next publish. */
  readonly records: readonly string[];
}

/**
 * Makes a tree show another release: writes the redo record, moves the names, deletes what is obsolete, replaces the head,
 * and makes the tree the one that is served. If these are few, it does all of that with the end of the job. After a crash,
 * {@link repeatPending} does it again. `record` is that of a new release, which exists from the same moment as the redo
 * record.
 */
export async function move(
  dataDir: string,
  { head, names }: PendingMove,
  guard: MoveGuard,
  { record, obsolete }: { readonly record?: ReleaseRecord | undefined; readonly obsolete?: Obsolete | undefined } = {},
): Promise<void> {
  const drafts = { record: draftPath(dataDir), pending: draftPath(dataDir), head: draftPath(dataDir) };
  const text = JSON.stringify(head);
  const written = [
    disk.write(drafts.head, text, { durable: true }),
    disk.write(drafts.pending, `{"head":${text},"names":${JSON.stringify(names)}}`, { durable: true }),
  ];
  if (record) written.push(disk.write(drafts.record, JSON.stringify(record), { durable: true }));
  await allWritten(written);
  const begin = () => {
    if (record) disk.rename(drafts.record, recordFile(dataDir, record.id));
    disk.rename(drafts.pending, inReleases(dataDir, releaseFiles.pending));
  };
  // A name that has moved without a durable redo record could not be completed.
  const sync = () => {
    if (record) disk.syncFolder(inReleases(dataDir, releaseFiles.records));
    disk.syncFolder(inReleases(dataDir));
  };
  await finishMove(dataDir, { head, names }, guard, { draft: drafts.head, begin, sync, obsolete });
}

/**
 * Completes a move that a process did not survive. If contents are gone, it can’t be completed: `onLost` is called and the
 * move forgotten.
 */
export async function repeatPending(dataDir: string, guard: MoveGuard, onLost: () => Promise<void>): Promise<void> {
  const file = inReleases(dataDir, releaseFiles.pending);
  const pending = readJson(file, isPending);
  if (pending === null) return;
  if (pending.names.some(({ address, file }) => file !== null && !isStored(dataDir, address, file))) {
    await onLost();
    await guard.portion(() => disk.remove(file));
    return;
  }
  const draft = draftPath(dataDir);
  await disk.write(draft, JSON.stringify(pending.head), { durable: true });
  await finishMove(dataDir, pending, guard, { draft });
}

/** Gives many addresses their names in a tree, in portions. */
async function setAllNames(
  dataDir: string,
  tree: string,
  names: PendingMove['names'],
  portion: MoveGuard['portion'],
): Promise<void> {
  await inPortions(names, portion, ({ address, file }) => setNames(dataDir, tree, address, file));
}

/** Deletes files, in portions. */
const deleteAll = (paths: readonly string[], portion: MoveGuard['portion']): Promise<void> =>
  inPortions(paths, portion, (path) => disk.remove(path));

async function inPortions<T>(all: readonly T[], portion: MoveGuard['portion'], work: (one: T) => void): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce)
    await portion(() => all.slice(from, from + atOnce).forEach(work));
}

/** Deletes everything obsolete. */
async function deleteObsolete(
  dataDir: string,
  { files, folders, records }: Obsolete,
  portion: MoveGuard['portion'],
): Promise<void> {
  await deleteAll(files, portion);
  for (const folder of folders) {
    const draft = draftPath(dataDir);
    await portion(() => {
      if (namesIn(folder).length > 0) disk.rename(folder, draft);
    });
    await disk.removeFolder(draft);
  }
  await deleteAll(records, portion);
}

async function finishMove(
  dataDir: string,
  { head: { tree }, names }: PendingMove,
  guard: MoveGuard,
  {
    draft,
    begin = () => undefined,
    sync = () => undefined,
    obsolete = { files: [], folders: [], records: [] },
  }: {
    readonly draft: string;
    readonly begin?: () => void;
    readonly sync?: () => void;
    readonly obsolete?: Obsolete | undefined;
  },
): Promise<void> {
  const { files, folders, records } = obsolete;
  const deleted = [...files, ...records];
  const isSmall = names.length + deleted.length <= atOnce && folders.length === 0;
  if (!isSmall) {
    await guard.portion(begin);
    sync();
    await setAllNames(dataDir, tree, names, guard.portion);
    await deleteObsolete(dataDir, obsolete, guard.portion);
  }
  const link = draftPath(dataDir);
  await guard.finish(() => {
    if (isSmall) {
      begin();
      sync();
      for (const { address, file } of names) setNames(dataDir, tree, address, file);
      for (const path of deleted) disk.remove(path);
    }
    disk.rename(draft, headFile(dataDir, tree));
    // The database must not name a release that a power cut can undo.
    disk.syncFolder(inReleases(dataDir, releaseFiles.trees, tree));
    if (currentTree(dataDir) !== tree) {
      disk.symlink(join(releaseFiles.trees, tree), link);
      disk.rename(link, inReleases(dataDir, releaseFiles.current));
      disk.syncFolder(inReleases(dataDir));
    }
    // Not after the job: nobody would look for it until the next one.
    disk.remove(inReleases(dataDir, releaseFiles.pending));
  });
}

/** The uncompressed content of a stored file. */
export function contentOf(dataDir: string, address: string, { hash, plain, gz, br }: StoredFile): Buffer {
  const read = (ending: Ending) => readFileSync(objectPath(dataDir, address, hash, ending));
  if (plain) return read('');
  if (gz !== null) return gunzipSync(read('.gz'));
  return br === null ? Buffer.alloc(0) : brotliDecompressSync(read('.br'));
}

/** The size of a file in bytes; null if it doesn’t exist. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

function readJson<T>(path: string, isValid: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isValid(value) ? value : null;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

const isHead = compileSchema<TreeHead>(treeHeadSchema, 'json');
const isRecord = compileSchema<ReleaseRecord>(releaseRecordSchema, 'json');
const isPending = compileSchema<PendingMove>(pendingMoveSchema, 'json');
