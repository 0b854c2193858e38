import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, manifestShardSchema, releaseFiles, shardOf } from '#contract/publishing.ts';
import type { ManifestShard, StoredFile, TreeHead } from '#contract/publishing.ts';
import { compileSchema } from '#platform/validation.ts';
import { digestOf } from './encode.ts';
import { allWritten } from './disk.ts';
import { replaceFile } from './store.ts';

type Shards = Readonly<Record<string, string>>;
type Counts = Pick<TreeHead, 'pages' | 'bytes'>;

const isShard = compileSchema<ManifestShard>(manifestShardSchema, 'json');

/** The file of a manifest’s part. */
export const shardFile = (dataDir: string, digest: string) =>
  join(dataDir, releaseFiles.folder, releaseFiles.manifests, `${digest}.json`);

/** One part of a manifest; throws if it is missing or damaged. */
function readShard(dataDir: string, digest: string): ManifestShard {
  const shard: unknown = JSON.parse(readFileSync(shardFile(dataDir, digest), 'utf8'));
  if (!isShard(shard)) throw new Error(`The manifest’s part ${digest} doesn’t match the contract.`);
  return shard;
}

/** A tree’s files by address. Parts are read when they are first needed, and only changed ones are written. */
export class Manifest {
  readonly #dataDir: string;
  readonly #shards: Shards;
  readonly #read = new Map<string, Map<string, StoredFile>>();
  readonly #changed = new Set<string>();
  #pages: number;
  #bytes: number;

  /** `counts`: of the files in these parts. */
  constructor(dataDir: string, shards: Shards, counts: Counts = { pages: 0, bytes: 0 }) {
    this.#dataDir = dataDir;
    this.#shards = shards;
    this.#pages = counts.pages;
    this.#bytes = counts.bytes;
  }

  /** The number of pages, without feeds, pictures, and assets, and the bytes of all files. */
  get counts(): Counts {
    return { pages: this.#pages, bytes: this.#bytes };
  }

  /** The file at an address, or null. */
  get(address: string): StoredFile | null {
    return this.#part(shardOf(address)).get(address) ?? null;
  }

  /** Sets or deletes the file at an address. */
  set(address: string, file: StoredFile | null): void {
    const shard = shardOf(address);
    const before = this.get(address);
    if (fileOf(address).endsWith('.html')) this.#pages += Number(file !== null) - Number(before !== null);
    this.#bytes += (file?.size ?? 0) - (before?.size ?? 0);
    this.#changed.add(shard);
    if (file === null) this.#part(shard).delete(address);
    else this.#part(shard).set(address, file);
  }

  /** Every address with its file, part by part. */
  *entries(): Generator<[address: string, file: StoredFile]> {
    for (const shard of this.#names()) yield* this.#part(shard);
  }

  /** The addresses and files of one part. */
  shard(name: string): ReadonlyMap<string, StoredFile> {
    return this.#part(name);
  }

  /** The names of all parts that may have files, in order. */
  #names(): string[] {
    return [...new Set([...Object.keys(this.#shards), ...this.#changed])].sort();
  }

  /** Writes the changed parts; returns the digests of all, and of those that they replace. */
  async save(durable: boolean): Promise<{ shards: Shards; replaced: string[] }> {
    const shards = new Map(Object.entries(this.#shards));
    const replaced: string[] = [];
    await allWritten(
      [...this.#changed].map(async (name) => {
        const before = this.#shards[name];
        shards.delete(name);
        const part = this.#part(name);
        if (part.size > 0) {
          // In order, so that equal parts have equal digests.
          const sorted = [...part].sort(([a], [b]) => (a < b ? -1 : 1));
          const text = JSON.stringify(Object.fromEntries(sorted));
          const digest = digestOf(text);
          shards.set(name, digest);
          if (digest !== before) await replaceFile(this.#dataDir, shardFile(this.#dataDir, digest), text, { durable });
        }
        if (before !== undefined && before !== shards.get(name)) replaced.push(before);
      }),
    );
    return { shards: Object.fromEntries([...shards].sort(([a], [b]) => (a < b ? -1 : 1))), replaced };
  }

  #part(name: string): Map<string, StoredFile> {
    let part = this.#read.get(name);
    if (part === undefined) {
      const digest = this.#shards[name];
      part = new Map(digest === undefined ? [] : Object.entries(readShard(this.#dataDir, digest)));
      this.#read.set(name, part);
    }
    return part;
  }
}
