import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { digestOf } from '#api/publishing/compress.ts';
import {
  currentReleaseId,
  listReleases,
  readManifest,
  releaseFolder,
  releasesFolder,
} from '#api/publishing/releases.ts';

/** What is broken in what is served or could be: an empty list when every release is whole, file by file. */
export async function brokenReleases(dataDir: string): Promise<string[]> {
  const broken: string[] = [];
  const current = await currentReleaseId(dataDir);
  const releases = await listReleases(dataDir);
  if (current !== null && !releases.some(({ id }) => id === current)) broken.push(`served, but no release: ${current}`);
  for (const { id, serverFrom } of releases) {
    const client = join(releaseFolder(dataDir, id), releaseFiles.client);
    const manifest = await readManifest(dataDir, id);
    if (manifest === null) broken.push(`${id} has no manifest`);
    for (const [path, { hash, br, gz }] of Object.entries(manifest?.files ?? {})) {
      const file = await readFile(join(client, path)).catch(() => null);
      if (file === null || digestOf(file) !== hash) broken.push(`${id}: ${path}`);
      for (const [ending, size] of [
        ['br', br],
        ['gz', gz],
      ] as const) {
        const copy = size === null ? null : await readFile(join(client, `${path}.${ending}`)).catch(() => null);
        if (size !== null && copy?.length !== size) broken.push(`${id}: ${path}.${ending}`);
      }
    }
    const server = join(releaseFolder(dataDir, serverFrom), releaseFiles.server, releaseFiles.serverEntry);
    await readFile(server).catch(() => broken.push(`${id}: the code from ${serverFrom}`));
  }
  return broken;
}

/** What lies among the releases and is none: half-built folders, folders on their way out, drafts of links. */
export async function leftOvers(dataDir: string): Promise<string[]> {
  const releases = await listReleases(dataDir);
  const known = new Set<string>(releases.flatMap(({ id, serverFrom }) => [id, serverFrom]));
  for (const link of [releaseFiles.current, 'node_modules'])
    if (await readlink(join(releasesFolder(dataDir), link)).catch(() => null)) known.add(link);
  return (await readdir(releasesFolder(dataDir))).filter((name) => !known.has(name));
}
