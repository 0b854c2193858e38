import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { releaseFiles, shardOf } from '#contract/publishing.ts';
import type { ChangedAddress, ReleaseRecord, TreeHead } from '#contract/publishing.ts';
import { compileCache } from '#platform/config.ts';
import { disk, namesIn } from './disk.ts';
import { Manifest, shardFile } from './manifest.ts';
import { currentTree, draftPath, inReleases, readHead, readRecords, recordFile, releaseIds } from './store.ts';
import type { MoveGuard } from './store.ts';

/** Files that are deleted in one portion of the job. */
const deletedAtOnce = 64;

/**
 * Deletes what only releases older than the newest `keep` needed: objects, parts of manifests, trees, code builds, and
 * their records last, so that an interrupted call is continued by the next one. `next` is the head that a tree is about to
 * get. Takes as long as the retired releases have changes. `portion` confirms the job.
 */
export async function retire(
  dataDir: string,
  keep: number,
  next: TreeHead,
  portion: MoveGuard['portion'],
): Promise<void> {
  // Reading them takes long: each may list thousands of changes.
  if (releaseIds(dataDir).length <= keep) return;
  const records = readRecords(dataDir);
  const [kept, retired] = [records.slice(0, keep), records.slice(keep)];
  if (retired.length === 0) return;
  const served = currentTree(dataDir);
  const heads = [...new Set([...kept.map(({ tree }) => tree), ...(served === null ? [] : [served])])]
    .map((tree) => readHead(dataDir, tree))
    .filter((head) => head !== null)
    .concat(next);
  const trees = new Set(heads.map(({ tree }) => tree));
  const dropped = new Set(retired.map(({ tree }) => tree).filter((tree) => !trees.has(tree)));
  const used = new Used(dataDir, heads, kept);

  // Also what a release replaced that was amended, and what a publish wrote that died.
  const shards = new Set(retired.flatMap(({ changes }) => changes.map(({ address }) => shardOf(address))));
  if (dropped.size > 0) for (const shard of namesIn(inReleases(dataDir, releaseFiles.objects))) shards.add(shard);
  const parts = retired.flatMap(({ replaced }) => replaced);
  const folders: string[] = [];
  for (const tree of dropped) {
    parts.push(...Object.values(readHead(dataDir, tree)?.shards ?? {}));
    folders.push(inReleases(dataDir, releaseFiles.trees, tree));
  }
  if (dropped.size > 0) {
    const codes = new Set(heads.map(({ code }) => code));
    const unused = new Set(retired.map(({ code }) => code).filter((code) => !codes.has(code)));
    for (const code of unused) folders.push(inReleases(dataDir, releaseFiles.code, code));
    // Node never deletes what it has compiled of them, and compiles the rest again.
    if (unused.size > 0) folders.push(compileCache(dataDir));
  }
  await deleteAll([...(await used.unusedObjects(shards)), ...used.unusedParts(parts)], portion);
  for (const folder of folders) {
    const draft = draftPath(dataDir);
    await portion(() => {
      if (namesIn(folder).length > 0) disk.rename(folder, draft);
    });
    await disk.removeFolder(draft);
  }
  await deleteAll(
    retired.map(({ id }) => recordFile(dataDir, id)),
    portion,
  );
}

/** Deletes contents that were taken out of all releases at once. */
export async function forgetContents(
  dataDir: string,
  changes: readonly ChangedAddress[],
  portion: MoveGuard['portion'],
): Promise<void> {
  const trees = namesIn(inReleases(dataDir, releaseFiles.trees));
  const heads = trees.map((tree) => readHead(dataDir, tree)).filter((head) => head !== null);
  const used = new Used(dataDir, heads, readRecords(dataDir));
  const shards = new Set(changes.map(({ address }) => shardOf(address)));
  await deleteAll(await used.unusedObjects(shards), portion);
}

async function deleteAll(paths: readonly string[], portion: MoveGuard['portion']): Promise<void> {
  for (let from = 0; from < paths.length; from += deletedAtOnce)
    await portion(() => {
      for (const path of paths.slice(from, from + deletedAtOnce)) disk.remove(path);
    });
}

/** What kept releases need. */
class Used {
  readonly #dataDir: string;
  readonly #manifests: readonly Manifest[];
  readonly #parts: ReadonlySet<string>;
  /** Digests of contents in kept records. */
  readonly #recorded = new Set<string>();
  readonly #byShard = new Map<string, ReadonlySet<string> | null>();

  constructor(dataDir: string, heads: readonly TreeHead[], records: readonly ReleaseRecord[]) {
    this.#dataDir = dataDir;
    this.#manifests = heads.map(({ shards }) => new Manifest(dataDir, shards));
    this.#parts = new Set([
      ...heads.flatMap(({ shards }) => Object.values(shards)),
      ...records.flatMap(({ replaced }) => replaced),
    ]);
    for (const { before, after } of records.flatMap(({ changes }) => changes))
      for (const file of [before, after]) if (file) this.#recorded.add(file.hash);
  }

  /** The files of those parts of manifests that are not needed. */
  unusedParts(digests: readonly string[]): string[] {
    return digests.filter((digest) => !this.#parts.has(digest)).map((digest) => shardFile(this.#dataDir, digest));
  }

  /** The objects of shards that are not needed. */
  async unusedObjects(shards: Iterable<string>): Promise<string[]> {
    const unused: string[] = [];
    for (const shard of shards) {
      // Reading is synchronous; this lets heartbeats and signals run.
      await nextTurn();
      const folder = inReleases(this.#dataDir, releaseFiles.objects, shard);
      for (const name of namesIn(folder)) {
        const hash = name.split('.')[0]!;
        const isUsed = this.#recorded.has(hash) || this.#inManifests(shard)?.has(hash) !== false;
        if (!isUsed) unused.push(join(folder, name));
      }
    }
    return unused;
  }

  /** The contents of a shard in all trees; null if a manifest is damaged, so that nothing is deleted. */
  #inManifests(shard: string): ReadonlySet<string> | null {
    let hashes = this.#byShard.get(shard);
    if (hashes === undefined) {
      try {
        hashes = new Set(this.#manifests.flatMap((one) => [...one.shard(shard).values()].map(({ hash }) => hash)));
      } catch {
        hashes = null;
      }
      this.#byShard.set(shard, hashes);
    }
    return hashes;
  }
}
