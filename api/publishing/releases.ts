import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { releaseFactsSchema, releaseFiles, releaseManifestSchema } from '#contract/publishing.ts';
import type { ReleaseFacts, ReleaseManifest } from '#contract/publishing.ts';
import { compileSchema } from '#platform/validation.ts';

/** Where the releases of an installation are. */
export const releasesFolder = (dataDir: string) => join(dataDir, releaseFiles.folder);

/** Where one release is. */
export const releaseFolder = (dataDir: string, id: string) => join(dataDir, releaseFiles.folder, id);

/**
 * Lets the server code of releases find the project's packages wherever the data folder is: it is not bundled with
 * them, and Node looks for packages in the folders above a module.
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

/** A new id: the moment in UTC, so that ids sort by age, and four letters of chance. */
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

/** What a release says about itself; null when it is half built, damaged or gone. */
export async function readFacts(dataDir: string, id: string): Promise<ReleaseFacts | null> {
  try {
    const facts: unknown = JSON.parse(await readFile(join(releaseFolder(dataDir, id), releaseFiles.facts), 'utf8'));
    return isReleaseFacts(facts) ? facts : null;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The files of a release; null when it has no readable manifest. */
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

/** Digests of the reports of a release, by id; empty when they cannot be read. */
export async function readReportDigests(dataDir: string, id: string): Promise<ReadonlyMap<string, string>> {
  try {
    const text = await readFile(join(releaseFolder(dataDir, id), releaseFiles.reports), 'utf8');
    return new Map(JSON.parse(text) as [string, string][]);
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return new Map();
    throw error;
  }
}

/** How many pages a release has, and the bytes of its uncompressed files. */
export function totalsOf(files: ReleaseManifest['files']): Pick<ReleaseFacts, 'pages' | 'bytes'> {
  const entries = Object.entries(files);
  return {
    pages: entries.filter(([path]) => path.endsWith('.html')).length,
    bytes: entries.reduce((sum, [, { size }]) => sum + size, 0),
  };
}

/** Writes what is in a release: its files, and the digests of its reports. */
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

/** Finishes a release. The facts come last and in one step: they are what makes a folder a release. */
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

/** Makes a release the one that is served. A link is renamed over the old one, so there is no moment without. */
export async function switchTo(dataDir: string, id: string): Promise<void> {
  const folder = releasesFolder(dataDir);
  const draft = join(folder, `.${releaseFiles.current}-${randomBytes(4).toString('hex')}`);
  await symlink(id, draft, 'dir');
  await rename(draft, join(folder, releaseFiles.current));
}

/**
 * Removes what builders that died have left. `building` answers the release of the builder that is at work; it is asked
 * after the folders are listed, so that one that begins just now is not among them.
 */
export async function removeLeftOvers(dataDir: string, building: () => Promise<string | null>): Promise<void> {
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
 * Takes releases beyond the newest `keep` out of sight, at once and each in one step; `served` always stays. A release
 * whose server code a kept one uses keeps that code and its error pages. Answers the ids of the kept releases.
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

/** Removes for good what is out of sight, and links that nobody finished. */
export async function emptyTrash(dataDir: string): Promise<void> {
  const folder = releasesFolder(dataDir);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(trash)) await rm(path, { recursive: true, force: true });
    else if (linkDraft.test(name)) {
      // A draft lives for a millisecond; one that is old was left by a process that died.
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

/** One name for a folder that is removed, so that nobody meets half of it and nobody writes into it any more. */
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
  // Without its facts the folder is no release any more and nobody serves pages from it.
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
