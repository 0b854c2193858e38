import { watch } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { releaseFiles, shardOf } from '#contract/publishing.ts';
import type { ManifestShard, ReleaseRecord, StoredFile, TreeHead } from '#contract/publishing.ts';
import { digestOf } from '#site/etag.ts';
import { readEarlierRelease } from './earlier-release.ts';
import { ServedFile } from './served-file.ts';
import type { ServedRelease } from './served-file.ts';

/** Milliseconds between checks for a new release. */
const releasePollMs = 1_000;

/** A part of a manifest in memory. */
interface Part {
  readonly files: ReadonlyMap<string, StoredFile>;
  /** Files that were requested. */
  readonly served: Map<string, ServedFile>;
}

interface Files {
  readonly releases: string;
  readonly alwaysHeaders: readonly string[];
}

/** The parts of manifests that were read, by digest, so that a new release keeps unchanged parts. */
class Parts {
  readonly #read = new Map<string, Part>();
  /** Also the parts that could not be read. */
  readonly #reading = new Map<string, Promise<Part>>();
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  /** `onError` is called once per part that can’t be read. */
  constructor(releases: string, onError: (error: unknown) => void = () => undefined) {
    this.#folder = join(releases, releaseFiles.manifests);
    this.#onError = onError;
  }

  /** The part if it was read. */
  get(digest: string): Part | undefined {
    return this.#read.get(digest);
  }

  /**
   * Rejects if the part is missing or damaged, also later, until {@link keep} is called; after any other failure it is read
   * again.
   */
  read(digest: string): Promise<Part> {
    let reading = this.#reading.get(digest);
    if (reading === undefined) {
      reading = this.#load(digest);
      this.#reading.set(digest, reading);
      reading.then(
        (part) => {
          // A later release may not have the part.
          if (this.#reading.delete(digest)) this.#read.set(digest, part);
        },
        (error: unknown) => {
          this.#onError(error);
          const { code } = error as NodeJS.ErrnoException;
          // Anything but a missing or damaged part may pass, such as too many open files.
          if (code !== undefined && code !== 'ENOENT' && this.#reading.get(digest) === reading)
            this.#reading.delete(digest);
        },
      );
    }
    return reading;
  }

  /** Forgets all other parts, and failures. */
  keep(digests: ReadonlySet<string>): void {
    for (const digest of this.#read.keys()) if (!digests.has(digest)) this.#read.delete(digest);
    this.#reading.clear();
  }

  async #load(digest: string): Promise<Part> {
    const text = await readFile(join(this.#folder, `${digest}.json`), 'utf8');
    if (digestOf(text) !== digest) throw new Error(`The manifest’s part ${digest} is damaged.`);
    return { files: new Map(Object.entries(JSON.parse(text) as ManifestShard)), served: new Map() };
  }
}

/** A release whose manifest is read part by part, when an address is first requested. */
class TreeRelease implements ServedRelease {
  readonly head: TreeHead;
  readonly serverEntry: string;
  readonly #files: Files;
  readonly #parts: Parts;
  #older: Promise<{ readonly records: readonly ReleaseRecord[]; readonly trees: readonly TreeRelease[] }> | undefined;

  constructor(head: TreeHead, files: Files, parts: Parts) {
    this.head = head;
    this.#files = files;
    this.#parts = parts;
    const { code, server, serverEntry } = releaseFiles;
    this.serverEntry = join(files.releases, code, head.code, server, serverEntry);
  }

  known(address: string): ServedFile | null | undefined {
    const shard = shardOf(address);
    const digest = this.head.shards[shard];
    if (digest === undefined) return null;
    const part = this.#parts.get(digest);
    return part && this.#inPart(part, shard, address);
  }

  async find(address: string): Promise<ServedFile | null> {
    const shard = shardOf(address);
    const digest = this.head.shards[shard];
    return digest === undefined ? null : this.#inPart(await this.#parts.read(digest), shard, address);
  }

  async *older(address: string): AsyncGenerator<ServedFile> {
    // Read once, because every request for a damaged page needs them.
    this.#older ??= this.#readOlder();
    const { records, trees } = await this.#older;
    const shard = shardOf(address);
    const seen = new Set<string>();
    for (const { changes } of records)
      for (const change of changes) {
        if (change.address !== address) continue;
        // Removed, which a damaged part of the manifest can’t tell.
        if (change.after === null && seen.size === 0) return;
        for (const file of [change.after, change.before]) {
          if (file === null || seen.has(file.hash)) continue;
          seen.add(file.hash);
          yield this.#served(shard, address, file);
        }
      }
    for (const tree of trees) {
      const served = await tree.find(address).catch(() => null);
      if (served && !seen.has(served.file.hash)) yield served;
    }
  }

  async #readOlder() {
    const { releases } = this.#files;
    const folder = join(releases, releaseFiles.records);
    const records: ReleaseRecord[] = [];
    for (const name of (await namesIn(folder)).filter((one) => one.endsWith('.json')).reverse()) {
      const record = await readJson<ReleaseRecord>(join(folder, name)).catch(() => null);
      if (Array.isArray(record?.changes)) records.push(record);
    }
    const trees = await Array.fromAsync(otherTrees(this.#files, this.head.tree));
    return { records, trees };
  }

  #inPart({ files, served }: Part, shard: string, address: string): ServedFile | null {
    const known = served.get(address);
    if (known !== undefined) return known;
    const file = files.get(address);
    if (file === undefined) return null;
    const made = this.#served(shard, address, file);
    served.set(address, made);
    return made;
  }

  #served(shard: string, address: string, file: StoredFile): ServedFile {
    const { releases, alwaysHeaders } = this.#files;
    return new ServedFile(address, file, `${releases}/${releaseFiles.objects}/${shard}/${file.hash}`, alwaysHeaders);
  }
}

/** Knows the current release and notices when it changes. */
export interface ReleaseWatch {
  current(): ServedRelease | null;
  /** Resolves when a release that is current now is known. */
  check(): Promise<void>;
  stop(): void;
}

interface WatchOptions extends Files {
  readonly onSwitch: (release: ServedRelease) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Reads the head of the current release, if any, and of every later one; a damaged one leaves the previous in place. If
 * the first is damaged, the newest other tree is served instead.
 */
export async function watchReleases(options: WatchOptions): Promise<ReleaseWatch> {
  const { releases, onSwitch, onError } = options;
  await mkdir(releases, { recursive: true });
  const parts = new Parts(releases, onError);
  let current: ServedRelease | null = null;
  let stamp: string | null = null;
  let failed: string | null = null;
  let running: Promise<void> | null = null;
  let isStale = false;

  const checkRelease = async () => {
    const tree = await readlink(join(releases, releaseFiles.current)).catch(() => null);
    if (tree === null) return;
    // Each publish replaces the file.
    const file = join(releases, tree, releaseFiles.head);
    const facts = await stat(file).catch(() => null);
    const next = `${tree} ${facts?.ino} ${facts?.mtimeMs}`;
    if (next === stamp) return;
    try {
      if (basename(dirname(tree)) === releaseFiles.trees) {
        const head = await readHead(file);
        current = new TreeRelease(head, options, parts);
        parts.keep(new Set(Object.values(head.shards)));
      } else current = await readEarlierRelease(join(releases, tree), options.alwaysHeaders);
      stamp = next;
    } catch (error) {
      if (failed !== next) onError(error);
      failed = next;
      if (current !== null) return;
      for await (const other of otherTrees(options, null)) {
        current = other;
        break;
      }
    }
    if (current !== null) onSwitch(current);
  };
  const check = () => {
    isStale = true;
    running ??= (async () => {
      while (isStale) {
        isStale = false;
        await checkRelease();
      }
      running = null;
    })();
    return running;
  };

  await check();
  // The watcher notices a switch immediately, because a publish deletes its redo record when it is complete; the timer is
  // for file systems without notifications (network volumes).
  const timer = setInterval(() => void check(), releasePollMs);
  const watcher = watch(releases, () => void check()).on('error', onError);
  return {
    current: () => current,
    check,
    stop() {
      clearInterval(timer);
      watcher.close();
    },
  };
}

/** The heads of all readable trees except one, newest first. */
async function* otherTrees(files: Files, tree: string | null): AsyncGenerator<TreeRelease> {
  const folder = join(files.releases, releaseFiles.trees);
  for (const name of (await namesIn(folder)).reverse()) {
    if (name === tree) continue;
    const head = await readHead(join(folder, name, releaseFiles.head)).catch(() => null);
    if (head) yield new TreeRelease(head, files, new Parts(files.releases));
  }
}

async function readHead(file: string): Promise<TreeHead> {
  const head = await readJson<Partial<TreeHead> | null>(file);
  const { release, code, shards } = head ?? {};
  if (typeof release !== 'string' || typeof code !== 'string' || typeof shards !== 'object')
    throw new Error(`${file} is not the head of a release.`);
  return head as TreeHead;
}

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();
