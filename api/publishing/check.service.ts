import { join } from 'node:path';
import { fileOf, releaseFiles } from '#contract/publishing.ts';
import { Manifest } from './manifest.ts';
import { endings, storedSizes } from './encode.ts';
import { currentTree, inReleases, namePath, objectPath, readHead, sizeOf } from './store.ts';

/** The current release and the problems with its files. */
export interface ReleaseCheck {
  readonly id: string;
  readonly files: number;
  /** Files that are missing, and those of another size than in the manifest. */
  readonly missing: readonly string[];
  readonly otherSize: readonly string[];
}

/** Compares the files of the current release with its manifest; null if there is no release. */
export function checkCurrentRelease(dataDir: string): ReleaseCheck | null {
  const tree = currentTree(dataDir);
  if (tree === null) return null;
  const head = readHead(dataDir, tree);
  if (head === null) return { id: tree, files: 0, missing: [releaseFiles.head], otherSize: [] };
  const missing: string[] = [];
  const otherSize: string[] = [];
  const entry = join(releaseFiles.code, head.code, releaseFiles.server, releaseFiles.serverEntry);
  if (sizeOf(inReleases(dataDir, entry)) === null) missing.push(entry);
  let files = 0;
  // A damaged part must not hide the others.
  for (const shard of Object.entries(head.shards)) {
    try {
      for (const [address, file] of new Manifest(dataDir, Object.fromEntries([shard])).entries()) {
        const sizes = storedSizes(file);
        for (const ending of endings.filter((one) => sizes[one] !== null)) {
          files += 1;
          for (const path of [
            namePath(dataDir, tree, address, ending),
            objectPath(dataDir, address, file.hash, ending),
          ]) {
            const size = sizeOf(path);
            if (size === sizes[ending]) continue;
            (size === null ? missing : otherSize).push(`${fileOf(address)}${ending}`);
            break;
          }
        }
      }
    } catch {
      missing.push(join(releaseFiles.manifests, `${shard[1]}.json`));
    }
  }
  return { id: head.release, files, missing: missing.sort(), otherSize: otherSize.sort() };
}
