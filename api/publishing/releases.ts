import { setImmediate as nextTurn } from 'node:timers/promises';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleaseRecord, StoredFile, TreeHead } from '#contract/publishing.ts';
import { iso } from '#platform/clock.ts';
import { disk, namesIn, syncAll } from './disk.ts';
import { Manifest } from './manifest.ts';
import {
  addNames,
  currentTree,
  headFile,
  inReleases,
  move,
  newReleaseId,
  readHead,
  readRecord,
  readRecords,
  releaseIds,
  replaceFile,
} from './store.ts';
import type { MoveGuard } from './store.ts';
import { retired } from './retire.ts';

/** The release that is served, and the one before it: a reader may be in the middle of it. */
const releasesKept = 2;

/** The new file of an address, whose contents are stored already; null removes the address. */
export interface FileChange {
  readonly address: string;
  readonly file: StoredFile | null;
}

/** The newest release’s files. */
export interface ReleaseState {
  readonly record: ReleaseRecord;
  readonly manifest: Manifest;
  /** The names that its tree doesn’t show yet. */
  readonly names: ReadonlyMap<string, StoredFile | null>;
}

/** The newest release, which a publish that died may not have served; null if there is none that is readable. */
export function newestState(dataDir: string): ReleaseState | null {
  const record = newestRelease(dataDir);
  const head = record && readHead(dataDir, record.tree);
  if (head === null) return null;
  const isServed = head.release === record!.id;
  const names = new Map(isServed ? [] : record!.changes.map(({ address, after }) => [address, after]));
  const manifest = new Manifest(dataDir, head.shards, head);
  for (const [address, file] of names) manifest.set(address, file);
  return { record: record!, names, manifest };
}

interface NewRelease {
  readonly now: number;
  /** When the publish began. */
  readonly startedAt: number;
  readonly reason: string;
  readonly guard: (record: ReleaseRecord) => MoveGuard;
  /** Aborts when the job was lost. */
  readonly signal?: AbortSignal;
}

/**
 * Publishes changed files as a release after the newest one, in the order given. Returns null, without having written
 * anything, if the newest release has exactly these files and is served.
 */
export async function addRelease(
  dataDir: string,
  { record: newest, manifest, names: missing }: ReleaseState,
  changes: readonly FileChange[],
  { now, startedAt, reason, guard }: NewRelease,
): Promise<ReleaseRecord | null> {
  const effective = changes
    .map(({ address, file }) => ({ address, before: manifest.get(address), after: file }))
    .filter(({ before, after }) => before?.hash !== after?.hash);
  if (effective.length === 0 && missing.size === 0 && currentTree(dataDir) === newest.tree) return null;

  const names = new Map(missing);
  for (const { address, after } of effective) {
    names.delete(address);
    names.set(address, after);
    manifest.set(address, after);
  }
  const { shards, replaced } = await manifest.save(true);
  const { tree, code } = newest;
  const record: ReleaseRecord =
    effective.length === 0
      ? newest
      : {
          id: newReleaseId(now, newest.id),
          createdAt: iso(now),
          ...{ tree, code, reason, ...manifest.counts, replaced },
          milliseconds: Math.max(0, now - startedAt),
          changes: effective,
        };
  const files = [...names].map(([address, file]) => ({ address, file }));
  const head = headOf(record, shards);
  await move(dataDir, { head, names: files }, guard(record), {
    record: record === newest ? undefined : record,
    obsolete: await retired(dataDir, releasesKept, { record, head }),
  });
  return record;
}

/** Publishes a complete site of a code build as a tree of its own; `manifest` has every address and is not written yet. */
export async function addTree(
  dataDir: string,
  code: string,
  manifest: Manifest,
  { now, startedAt, reason, guard, signal }: NewRelease,
): Promise<ReleaseRecord> {
  const id = newReleaseId(now, releaseIds(dataDir)[0]);
  let count = 0;
  for (const [address, file] of manifest.entries()) {
    addNames(dataDir, id, address, file);
    count += 1;
    // Linking is synchronous; this lets heartbeats and signals run.
    if (count % 64 !== 0) continue;
    await nextTurn();
    signal?.throwIfAborted();
  }
  const { shards } = await manifest.save(false);
  await syncAll(inReleases(dataDir));
  const record: ReleaseRecord = {
    ...{ id, createdAt: iso(now), tree: id, code, reason },
    milliseconds: Math.max(0, now - startedAt),
    ...manifest.counts,
    changes: [],
    replaced: [],
  };
  const head = headOf(record, shards);
  // Before the record: a record without its tree would be a release that can’t be served.
  await replaceFile(dataDir, headFile(dataDir, id), JSON.stringify(head));
  const obsolete = await retired(dataDir, releasesKept, { record, head });
  await move(dataDir, { head, names: [] }, guard(record), { record, obsolete });
  return record;
}

/** The record of the newest release; null if there is none that is readable. */
export function newestRelease(dataDir: string): ReleaseRecord | null {
  const [newest] = releaseIds(dataDir);
  return newest === undefined ? null : readRecord(dataDir, newest);
}

/** Deletes drafts and trees of publishes that died before their release existed. */
export async function removeLeftovers(dataDir: string, portion: MoveGuard['portion']): Promise<void> {
  const find = () => {
    const served = currentTree(dataDir);
    const below = (folder: string) => namesIn(inReleases(dataDir, folder)).map((name) => ({ folder, name }));
    const others = below(releaseFiles.trees).filter(({ name }) => name !== served);
    const trees = new Set(others.length > 0 ? readRecords(dataDir).map(({ tree }) => tree) : []);
    return [...below(releaseFiles.drafts), ...others.filter(({ name }) => !trees.has(name))].map(({ folder, name }) =>
      inReleases(dataDir, folder, name),
    );
  };
  let leftovers = find();
  if (leftovers.length === 0) return;
  // Read while the job certainly belongs to this process: later, another one may have drafts and trees of its own.
  await portion(() => {
    leftovers = find();
  });
  for (const path of leftovers) await disk.removeFolder(path);
}

/** Deletes releases of earlier versions, which were folders of their own, once one of this version is served. */
export async function removeEarlierReleases(dataDir: string): Promise<void> {
  const served = currentTree(dataDir);
  if (served === null || readHead(dataDir, served) === null) return;
  for (const name of namesIn(inReleases(dataDir)))
    if (/^\.?(removed-)?\d{8}T\d{6}Z-/.test(name)) await disk.removeFolder(inReleases(dataDir, name));
}

function headOf({ id, createdAt, tree, code, pages, bytes }: ReleaseRecord, shards: TreeHead['shards']): TreeHead {
  return { release: id, createdAt, tree, code, pages, bytes, shards };
}
