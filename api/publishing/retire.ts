import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { releaseFiles, shardOf } from '#contract/publishing.ts';
import type { ReleaseRecord, TreeHead } from '#contract/publishing.ts';
import { compileCache } from '#platform/config.ts';
import { namesIn } from './disk.ts';
import { Manifest, shardFile } from './manifest.ts';
import { currentTree, inReleases, readHead, readRecords, recordFile, releaseIds } from './store.ts';
import type { Obsolete } from './store.ts';

/**
 * What only releases older than the newest `keep` needed: objects, parts of manifests, trees, code builds, and records.
 * `next` is the release that is about to be served, with the head that its tree will get. Undefined if there is nothing. Takes
 * as long as the retired releases have changes.
 */
export async function retired(
  dataDir: string,
  keep: number,
  next: { readonly record: ReleaseRecord; readonly head: TreeHead },
): Promise<Obsolete | undefined> {
  // Reading them takes long: each may list thousands of changes.
  if (new Set([next.record.id, ...releaseIds(dataDir)]).size <= keep) return undefined;
  const records = [next.record, ...readRecords(dataDir).filter(({ id }) => id !== next.record.id)];
  const recent = records.slice(0, keep);
  const served = currentTree(dataDir);
  const others = new Set([...recent.map(({ tree }) => tree), ...(served === null ? [] : [served])]);
  // What the head of the same tree has and the next one does not is in the record of a new release.
  if (!releaseIds(dataDir).includes(next.record.id)) others.delete(next.head.tree);
  const heads = [...others]
    .map((tree) => readHead(dataDir, tree))
    .filter((head) => head !== null)
    .concat(next.head);
  // A tree that shows an earlier release leads to its later ones by the records in between.
  const isBetween = ({ id, tree }: ReleaseRecord) => heads.some((head) => head.tree === tree && head.release < id);
  const old = records.slice(keep).filter((record) => !isBetween(record));
  const kept = records.filter((record) => !old.includes(record));
  const trees = new Set(heads.map(({ tree }) => tree));
  const dropped = new Set(old.map(({ tree }) => tree).filter((tree) => !trees.has(tree)));
  const used = new Used(dataDir, heads, kept);

  // Also what a release replaced that was amended, and what a publish wrote that died.
  const shards = new Set(old.flatMap(({ changes }) => changes.map(({ address }) => shardOf(address))));
  if (dropped.size > 0) for (const shard of namesIn(inReleases(dataDir, releaseFiles.objects))) shards.add(shard);
  const parts = old.flatMap(({ replaced }) => replaced);
  const folders: string[] = [];
  for (const tree of dropped) {
    parts.push(...Object.values(readHead(dataDir, tree)?.shards ?? {}));
    folders.push(inReleases(dataDir, releaseFiles.trees, tree));
  }
  if (dropped.size > 0) {
    const codes = new Set(heads.map(({ code }) => code));
    const unused = new Set(old.map(({ code }) => code).filter((code) => !codes.has(code)));
    for (const code of unused) folders.push(inReleases(dataDir, releaseFiles.code, code));
    // Node never deletes what it has compiled of them, and compiles the rest again.
    if (unused.size > 0) folders.push(compileCache(dataDir));
  }
  return {
    files: [...(await used.unusedObjects(shards)), ...used.unusedParts(parts)],
    folders,
    records: old.map(({ id }) => recordFile(dataDir, id)),
  };
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
