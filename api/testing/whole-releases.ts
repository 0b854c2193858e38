import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { releaseFiles } from '#contract/publishing.ts';
import type { StoredFile } from '#contract/publishing.ts';
import { checkCurrentRelease } from '#api/publishing/check.service.ts';
import { filesBelow, namesIn } from '#api/publishing/disk.ts';
import { digestOf, endings, storedSizes } from '#api/publishing/encode.ts';
import { Manifest } from '#api/publishing/manifest.ts';
import { contentOf, currentHead, inReleases, objectPath, readRecords } from '#api/publishing/store.ts';

const decoders = { '': (content: Buffer) => content, '.br': brotliDecompressSync, '.gz': gunzipSync };

/** The problems of the served release; empty if every content is complete. */
export function brokenReleases(dataDir: string): string[] {
  const check = checkCurrentRelease(dataDir);
  if (check === null) return [];
  const head = currentHead(dataDir);
  if (head === null) return ['served, but no release'];
  const files = [...new Manifest(dataDir, head.shards).entries()];
  const broken = files.filter(([address, file]) => !isWhole(dataDir, address, file)).map(([address]) => address);
  return [...check.missing, ...check.otherSize, ...broken];
}

function isWhole(dataDir: string, address: string, file: StoredFile): boolean {
  const sizes = storedSizes(file);
  return endings.every((ending) => {
    if (sizes[ending] === null) return true;
    try {
      const content = readFileSync(objectPath(dataDir, address, file.hash, ending));
      return content.length === sizes[ending] && digestOf(decoders[ending](content)) === file.hash;
    } catch {
      return false;
    }
  });
}

/** Served names whose file is not whole. */
export function damagedNames(dataDir: string): string[] {
  const client = inReleases(dataDir, releaseFiles.current, releaseFiles.client);
  const files = filesBelow(client);
  const damaged = files.filter((file) => {
    try {
      const ending = endings.find((one) => one !== '' && file.endsWith(one)) ?? '';
      return decoders[ending](readFileSync(join(client, file))).length === 0;
    } catch {
      return true;
    }
  });
  return files.length === 0 ? [client] : damaged;
}

/** What a publisher that died has left: drafts, a redo record, and trees of no release. */
export function leftovers(dataDir: string): string[] {
  const trees = new Set(readRecords(dataDir).map(({ tree }) => tree));
  return [
    ...namesIn(inReleases(dataDir, releaseFiles.drafts)),
    ...(existsSync(inReleases(dataDir, releaseFiles.pending)) ? [releaseFiles.pending] : []),
    ...namesIn(inReleases(dataDir, releaseFiles.trees)).filter((tree) => !trees.has(tree)),
  ];
}

/** Addresses of the site whose name or content has this word. */
export function filesWith(dataDir: string, word: string): string[] {
  const names = filesBelow(inReleases(dataDir, releaseFiles.current, releaseFiles.client));
  const contents = [...new Manifest(dataDir, currentHead(dataDir)!.shards).entries()];
  return [
    ...names.filter((name) => name.includes(word)),
    ...contents
      .filter(([address, file]) => address.includes(word) || contentOf(dataDir, address, file).includes(word))
      .map(([address]) => address),
  ];
}
