import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildFiles, fileOf } from '#domain/build-files.ts';
import { allWritten, disk, filesBelow, isMissing, namesIn } from './disk.ts';
import { decoded, endings, endingsOf } from './encode.ts';
import type { Copies, Ending } from './encode.ts';

/** Builds before the served one that stay: their assets for open pages, their code as the way back. */
const earlierBuildsStored = 2;

/** What the folder of a build says about its code. */
export interface BuildFacts {
  /** Digest of code, texts, and settings. */
  readonly id: string;
  /** Addresses of the pages that exist whatever the database has. */
  readonly fixedAddresses: readonly string[];
  /** Its own files below the folder, with their sizes in bytes: all others in `client` are pages. */
  readonly files: Readonly<Record<string, number>>;
  /** The newest migration that its code knows. */
  readonly schema: string;
}

/** A path in `DATA_DIR/builds`. */
export const inBuilds = (dataDir: string, ...names: readonly string[]) => join(dataDir, buildFiles.folder, ...names);

/** The folder of what web servers serve of a build. */
export const clientOf = (dataDir: string, build: string) => inBuilds(dataDir, build, buildFiles.client);

/** The id of the build that is served, or null before the first publish. */
export function servedBuild(dataDir: string): string | null {
  try {
    return basename(readlinkSync(inBuilds(dataDir, buildFiles.current)));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A path of its own for a file that is moved to its place when it is complete. */
export const draftPath = (dataDir: string) => inBuilds(dataDir, buildFiles.drafts, randomBytes(8).toString('hex'));

/** A page that is written but not at its address yet: the path of its uncompressed copy, and the endings of its copies. */
export interface PageDraft {
  readonly path: string;
  readonly endings: readonly Ending[];
}

/** Writes the copies of a page as drafts; `durable`: returns when they would survive a power cut. */
export async function writeDraft(dataDir: string, copies: Copies, durable: boolean): Promise<PageDraft> {
  const path = draftPath(dataDir);
  await allWritten([...copies].map(([ending, copy]) => disk.write(path + ending, copy, { durable })));
  return { path, endings: [...copies.keys()] };
}

/** Gives a page its place in a folder, one copy after the other; null removes it. Repeating a removal is harmless. */
export function placePage(client: string, address: string, draft: PageDraft | null): void {
  const file = join(client, fileOf(address));
  // The plain file last when it is added and first when it is removed: web servers look for it to see whether a page
  // exists.
  for (const ending of draft === null ? endings : endings.toReversed())
    if (draft?.endings.includes(ending)) {
      makeNewer(draft.path + ending, file + ending);
      disk.rename(draft.path + ending, file + ending);
    } else disk.remove(file + ending);
}

/** Gives a file a later second than the one that it replaces: nginx’s ETag is the second and the size. */
function makeNewer(draft: string, replaced: string): void {
  const before = statSync(replaced, { throwIfNoEntry: false });
  if (!before) return;
  const next = Math.floor(before.mtimeMs / 1_000) + 1;
  if (statSync(draft).mtimeMs < next * 1_000) utimesSync(draft, next, next);
}

/** Returns when the places of pages would survive a power cut. */
export function syncPlaces(client: string, addresses: readonly string[]): void {
  for (const folder of new Set(addresses.map((address) => dirname(join(client, fileOf(address))))))
    if (statSync(folder, { throwIfNoEntry: false })) disk.syncFolder(folder);
}

/** The uncompressed content of a page; null if there is none, or if it is damaged. */
export function readPage(client: string, address: string): Buffer | null {
  const file = join(client, fileOf(address));
  for (const ending of endings) {
    const content = readCopy(file, ending);
    if (content !== null) return content;
  }
  return null;
}

/** Whether every copy of a page that should be stored is there and has this content. */
export function isStored(client: string, address: string, content: Buffer): boolean {
  const file = join(client, fileOf(address));
  return endingsOf(address, content.length).every((ending) => readCopy(file, ending)?.equals(content) === true);
}

/** Whether there is a file at an address. */
export const hasPage = (client: string, address: string): boolean =>
  endings.some((ending) => sizeOf(join(client, fileOf(address)) + ending) !== null);

function readCopy(file: string, ending: Ending): Buffer | null {
  try {
    return decoded[ending](readFileSync(file + ending));
  } catch {
    // Missing, or damaged.
    return null;
  }
}

/** The ids of all builds, also of incomplete ones. */
export const buildIds = (dataDir: string): string[] =>
  namesIn(inBuilds(dataDir)).filter((name) => isFolder(inBuilds(dataDir, name)) && !reserved.has(name));

const reserved: ReadonlySet<string> = new Set([buildFiles.current, buildFiles.drafts, 'node_modules']);

/** The builds that were served before, the last one first, and until when in milliseconds. */
export function earlierBuilds(dataDir: string): { readonly id: string; readonly servedUntil: number }[] {
  const served = servedBuild(dataDir);
  return buildIds(dataDir)
    .filter((id) => id !== served)
    .flatMap((id) => {
      const fill = statSync(inBuilds(dataDir, id, buildFiles.fill), { throwIfNoEntry: false });
      return fill ? [{ id, servedUntil: fill.mtimeMs }] : [];
    })
    .sort((a, b) => b.servedUntil - a.servedUntil);
}

/** Makes a build the one that is served; returns when that would survive a power cut. */
export function serveBuild(dataDir: string, id: string, now: number): void {
  const before = servedBuild(dataDir);
  if (before === id) return;
  const fill = before === null ? null : inBuilds(dataDir, before, buildFiles.fill);
  if (fill !== null && sizeOf(fill) !== null) utimesSync(fill, now / 1_000, now / 1_000);
  const link = draftPath(dataDir);
  disk.symlink(id, link);
  disk.rename(link, inBuilds(dataDir, buildFiles.current));
  disk.syncFolder(inBuilds(dataDir));
}

/** The paths of a build’s pages in `client`: all files but those of its code. */
export const pageFiles = (dataDir: string, { id, files }: Pick<BuildFacts, 'id' | 'files'>): string[] =>
  filesBelow(clientOf(dataDir, id)).filter((file) => !(`${buildFiles.client}/${file}` in files));

/** The addresses of the pages that a build has. */
export const pageAddresses = (dataDir: string, code: Pick<BuildFacts, 'id' | 'files'>): string[] => [
  ...new Set(
    pageFiles(dataDir, code).map((file) =>
      `/${file.replace(/\.(br|gz)$/, '')}`.replace(/^\/index\.html$/, '/').replace(/\.html$/, ''),
    ),
  ),
];

/**
 * Deletes the builds that nobody goes back to; returns whether there were any. Call it while no other process publishes.
 */
export async function removeOldBuilds(dataDir: string): Promise<boolean> {
  const earlier = earlierBuilds(dataDir).slice(0, earlierBuildsStored);
  const stay = new Set([servedBuild(dataDir), ...earlier.map(({ id }) => id)]);
  const old = buildIds(dataDir).filter((id) => !stay.has(id));
  for (const id of old) await disk.removeFolder(inBuilds(dataDir, id));
  return old.length > 0;
}

/** The size of a file in bytes; null if it doesn’t exist. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
