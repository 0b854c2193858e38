import { join } from 'node:path';
import { releaseFiles, shardOf } from '#contract/publishing.ts';
import type { ChangedAddress, ReleaseRecord, TreeHead } from '#contract/publishing.ts';
import { disk, namesIn } from './disk.ts';
import { Manifest, shardFile } from './manifest.ts';
import { currentTree, inReleases, readHead, readRecords } from './store.ts';

/**
 * Deletes what only releases older than the newest `keep` needed: objects, parts of manifests, trees, code builds, and
 * their records last, so that an interrupted call is continued by the next one. `next` is the head that a tree is about to
 * get. Takes as long as the retired releases have changes.
 */
export function retire(dataDir: string, keep: number, next: TreeHead): void {
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
  for (const shard of new Set(retired.flatMap(({ changes }) => changes.map(({ address }) => shardOf(address)))))
    used.sweepObjects(shard);
  for (const { replaced } of retired) {
    for (const digest of replaced) used.sweepPart(digest);
  }
  for (const tree of dropped) {
    for (const digest of Object.values(readHead(dataDir, tree)?.shards ?? {})) used.sweepPart(digest);
    disk.removeFolder(inReleases(dataDir, releaseFiles.trees, tree));
  }
  if (dropped.size > 0) {
    for (const shard of namesIn(inReleases(dataDir, releaseFiles.objects))) used.sweepObjects(shard);
    const codes = new Set(heads.map(({ code }) => code));
    for (const { code } of retired)
      if (!codes.has(code)) disk.removeFolder(inReleases(dataDir, releaseFiles.code, code));
  }
  for (const { id } of retired) disk.remove(inReleases(dataDir, releaseFiles.records, `${id}.json`));
}

/** Deletes contents that were taken out of all releases at once. */
export function forgetContents(dataDir: string, changes: readonly ChangedAddress[]): void {
  const trees = namesIn(inReleases(dataDir, releaseFiles.trees));
  const heads = trees.map((tree) => readHead(dataDir, tree)).filter((head) => head !== null);
  const used = new Used(dataDir, heads, readRecords(dataDir));
  for (const shard of new Set(changes.map(({ address }) => shardOf(address)))) used.sweepObjects(shard);
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

  /** Deletes a part of a manifest unless it is needed. */
  sweepPart(digest: string): void {
    if (!this.#parts.has(digest)) disk.remove(shardFile(this.#dataDir, digest));
  }

  /** Deletes the objects of a shard that are not needed. */
  sweepObjects(shard: string): void {
    const folder = inReleases(this.#dataDir, releaseFiles.objects, shard);
    for (const name of namesIn(folder)) {
      const hash = name.split('.')[0]!;
      if (!this.#recorded.has(hash) && this.#inManifests(shard)?.has(hash) === false) disk.remove(join(folder, name));
    }
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
