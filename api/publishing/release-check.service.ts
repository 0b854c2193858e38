import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { currentReleaseId, readFacts, readManifest, releaseFolder } from './releases.ts';

/** The release that is served, and what is wrong with its files. */
export interface ReleaseCheck {
  readonly id: string;
  readonly files: number;
  /** Paths inside the release that are not there, and those of another size than their build wrote. */
  readonly missing: readonly string[];
  readonly otherSize: readonly string[];
}

/** Files that are looked at together. */
const atOnce = 64;

/** Compares the files of the current release with its manifest; null when there is no release. */
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
