import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, readdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { releaseFactsSchema, releaseFiles, releaseManifestSchema } from '#contract/publishing.ts';
import type { ReleaseFacts, ReleaseManifest } from '#contract/publishing.ts';
import { compileSchema } from '#platform/validation.ts';

/** The folder of all releases. */
export const releasesFolder = (dataDir: string) => join(dataDir, releaseFiles.folder);

/** The folder of one release. */
export const releaseFolder = (dataDir: string, id: string) => join(dataDir, releaseFiles.folder, id);

/**
 * Lets the server code of releases find the project’s packages wherever the data folder is: they are not bundled, and
 * Node searches the folders above a module.
 */
export async function linkPackages(dataDir: string, project: string): Promise<void> {
  const link = join(releasesFolder(dataDir), 'node_modules');
  const target = join(project, 'node_modules');
  await mkdir(releasesFolder(dataDir), { recursive: true });
  if ((await readlink(link).catch(() => null)) === target) return;
  const draft = `${link}-${randomBytes(4).toString('hex')}`;
  await symlink(target, draft, 'dir');
  await rename(draft, link);
}

/** A new id: the time in UTC, so that ids sort by age, and a random suffix of four letters. */
export function newReleaseId(now: number): string {
  const moment = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${moment}-${randomBytes(2).toString('hex')}`;
}

/** The id that the `current` link names, or null before the first release. */
export async function currentReleaseId(dataDir: string): Promise<string | null> {
  try {
    return basename(await readlink(join(releasesFolder(dataDir), releaseFiles.current)));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The facts file of a release; null if the release is unfinished, damaged, or gone. */
export async function readFacts(dataDir: string, id: string): Promise<ReleaseFacts | null> {
  try {
    const facts: unknown = JSON.parse(await readFile(join(releaseFolder(dataDir, id), releaseFiles.facts), 'utf8'));
    return isReleaseFacts(facts) ? facts : null;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The manifest of a release; null if it can’t be read. */
export async function readManifest(dataDir: string, id: string): Promise<ReleaseManifest | null> {
  try {
    const path = join(releaseFolder(dataDir, id), releaseFiles.manifest);
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isReleaseManifest(manifest) ? manifest : null;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The digests of a release’s reports by id; empty if they can’t be read. */
export async function readReportDigests(dataDir: string, id: string): Promise<ReadonlyMap<string, string>> {
  try {
    const text = await readFile(join(releaseFolder(dataDir, id), releaseFiles.reports), 'utf8');
    return new Map(JSON.parse(text) as [string, string][]);
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return new Map();
    throw error;
  }
}

/** The number of pages of a release and the total size of its uncompressed files. */
export function totalsOf(files: ReleaseManifest['files']): Pick<ReleaseFacts, 'pages' | 'bytes'> {
  const entries = Object.entries(files);
  return {
    pages: entries.filter(([path]) => path.endsWith('.html')).length,
    bytes: entries.reduce((sum, [, { size }]) => sum + size, 0),
  };
}

/** Writes a release’s manifest and the digests of its reports. */
export async function writeManifest(
  dataDir: string,
  id: string,
  manifest: ReleaseManifest,
  reports: ReadonlyMap<string, string>,
): Promise<void> {
  const folder = releaseFolder(dataDir, id);
  await writeWhole(join(folder, releaseFiles.reports), JSON.stringify([...reports]));
  await writeWhole(join(folder, releaseFiles.manifest), JSON.stringify(manifest));
}

/** Finishes a release. The facts file is written last and atomically: only with it is a folder a release. */
export async function writeFacts(
  dataDir: string,
  facts: ReleaseFacts,
  manifest: ReleaseManifest,
  reports: ReadonlyMap<string, string>,
): Promise<void> {
  await writeManifest(dataDir, facts.id, manifest, reports);
  await writeWhole(join(releaseFolder(dataDir, facts.id), releaseFiles.facts), `${JSON.stringify(facts, null, 2)}\n`);
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.draft`, text);
  await rename(`${path}.draft`, path);
}

/** All finished releases, newest first. */
export async function listReleases(dataDir: string): Promise<ReleaseFacts[]> {
  const facts = await Promise.all((await folderNames(dataDir)).map((id) => readFacts(dataDir, id)));
  return facts.filter((one) => one !== null).sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Makes a release the current one by atomically replacing the link. */
export async function switchTo(dataDir: string, id: string): Promise<void> {
  const folder = releasesFolder(dataDir);
  const draft = join(folder, `.${releaseFiles.current}-${randomBytes(4).toString('hex')}`);
  await symlink(id, draft, 'dir');
  await rename(draft, join(folder, releaseFiles.current));
}

/**
 * Deletes what dead builders left. `building` returns the release of the active builder; it is called after the folders
 * are listed, so that a builder that starts meanwhile is safe.
 */
export async function removeLeftovers(dataDir: string, building: () => Promise<string | null>): Promise<void> {
  const names = await folderNames(dataDir);
  const busy = await building();
  const releases = await listReleases(dataDir);
  const whole = new Set(releases.map(({ id }) => id));
  await discard(
    dataDir,
    names.filter((name) => name !== busy && !whole.has(name)),
    releases,
  );
  await emptyTrash(dataDir);
}

/**
 * Retires all releases but the newest `keep`, each in one step; `served` always stays. A release whose server code is
 * used by a kept one keeps that code and its error pages. Returns the ids of the kept releases.
 */
export async function retireReleases(dataDir: string, keep: number, served: readonly string[]): Promise<string[]> {
  const releases = await listReleases(dataDir);
  const kept = releases.filter(({ id }, place) => place < keep || served.includes(id));
  const ids = kept.map(({ id }) => id);
  await discard(
    dataDir,
    releases.map(({ id }) => id).filter((id) => !ids.includes(id)),
    kept,
  );
  return ids;
}

/** Deletes retired releases and unfinished links for good. */
export async function emptyTrash(dataDir: string): Promise<void> {
  const folder = releasesFolder(dataDir);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(trash)) await rm(path, { recursive: true, force: true });
    else if (linkDraft.test(name)) {
      // A temporary link exists for a millisecond; an old one was left by a process that died.
      const at = await lstat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      );
      if (Date.now() - at > 60_000) await rm(path, { force: true });
    }
  }
}

const trash = '.removed-';
const linkDraft = /^(\.current|node_modules)-[0-9a-f]{8}$/;

/** Renames a folder before it is deleted, so that no process sees half of it or writes to it. */
async function discard(dataDir: string, names: readonly string[], kept: readonly ReleaseFacts[]): Promise<void> {
  const servers = new Set(kept.map(({ serverFrom }) => serverFrom));
  for (const name of names) {
    const folder = releaseFolder(dataDir, name);
    if (servers.has(name)) await keepServerOnly(folder);
    else
      await rename(folder, join(releasesFolder(dataDir), `${trash}${name}-${randomBytes(4).toString('hex')}`)).catch(
        (error: unknown) => {
          if (!isMissing(error)) throw error;
        },
      );
  }
}

async function keepServerOnly(folder: string): Promise<void> {
  // Without its facts file the folder is no longer a release, and its pages are not served.
  await rm(join(folder, releaseFiles.facts), { force: true });
  await rm(join(folder, releaseFiles.manifest), { force: true });
  await rm(join(folder, releaseFiles.reports), { force: true });
  const client = join(folder, releaseFiles.client);
  for (const name of await readdir(client).catch(() => [])) {
    if (name !== '404.html' && name !== '500.html') await rm(join(client, name), { recursive: true, force: true });
  }
}

async function folderNames(dataDir: string): Promise<string[]> {
  await mkdir(releasesFolder(dataDir), { recursive: true });
  const entries = await readdir(releasesFolder(dataDir), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

const isReleaseFacts = compileSchema<ReleaseFacts>(releaseFactsSchema, 'json');
const isReleaseManifest = compileSchema<ReleaseManifest>(releaseManifestSchema, 'json');
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The current release and the problems with its files. */
export interface ReleaseCheck {
  readonly id: string;
  readonly files: number;
  /** Files that are missing, and those of another size than in the manifest. */
  readonly missing: readonly string[];
  readonly otherSize: readonly string[];
}

/** The number of files that are checked concurrently. */
const atOnce = 64;

/** Compares the files of the current release with its manifest; null if there is no release. */
export async function checkCurrentRelease(dataDir: string): Promise<ReleaseCheck | null> {
  const id = await currentReleaseId(dataDir);
  if (id === null) return null;
  const folder = releaseFolder(dataDir, id);
  const [facts, manifest] = [await readFacts(dataDir, id), await readManifest(dataDir, id)];
  const missing: string[] = [
    ...(facts === null ? [releaseFiles.facts] : []),
    ...(manifest === null ? [releaseFiles.manifest] : []),
  ];
  const otherSize: string[] = [];
  const entry = join(releaseFiles.server, releaseFiles.serverEntry);
  if (facts !== null && (await sizeOf(join(releaseFolder(dataDir, facts.serverFrom), entry))) === null)
    missing.push(join(facts.serverFrom, entry));
  const files = Object.entries(manifest?.files ?? {}).flatMap(([path, { size, br, gz }]) => [
    { path, size },
    ...(br === null ? [] : [{ path: `${path}.br`, size: br }]),
    ...(gz === null ? [] : [{ path: `${path}.gz`, size: gz }]),
  ]);
  for (let from = 0; from < files.length; from += atOnce)
    await Promise.all(
      files.slice(from, from + atOnce).map(async ({ path, size }) => {
        const there = await sizeOf(join(folder, releaseFiles.client, path));
        if (there === null) missing.push(path);
        else if (there !== size) otherSize.push(path);
      }),
    );
  return { id, files: files.length, missing: missing.sort(), otherSize: otherSize.sort() };
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
