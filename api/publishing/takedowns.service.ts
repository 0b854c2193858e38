import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fileOf, releaseFiles } from '#contract/publishing.ts';
import type { ChangedAddress, ReleaseRecord, StoredFile, TreeHead } from '#contract/publishing.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { insertTakedowns, recordChanges } from './changes.service.ts';
import { namesIn } from './disk.ts';
import { encode } from './encode.ts';
import type { Job } from './job.service.ts';
import { holdJob } from './job.service.ts';
import { Manifest } from './manifest.ts';
import { readable, recover } from './publish.service.ts';
import { stateOf } from './releases.ts';
import { forgetContents } from './retire.ts';
import {
  currentTree,
  headFile,
  inReleases,
  move,
  objectPath,
  readHead,
  readRecords,
  replaceFile,
  setAllNames,
  storeObjects,
  writeRecord,
} from './store.ts';
import { listsPolls, withoutPolls } from './taken-down.ts';
import { pinnedReleaseId } from './jobs.queries.ts';
import { deleteTakedowns, hasTakedowns, missingPolls, takedownIds } from './takedowns.queries.ts';

interface TakedownContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
}

/**
 * Removes deleted polls from every kept release: their pages and pictures are deleted, and lists, feeds, and related
 * polls lose their entries. Returns false, without any change, while another process publishes. An interrupted takedown is
 * repeated from the start.
 */
export async function applyTakedowns(context: TakedownContext): Promise<boolean> {
  if (!(await hasTakedowns(context.db))) return true;
  const job = await holdJob(context, publishingTexts.reasons.takedown);
  if (job === null) return false;
  try {
    // A move that is completed later would restore what is removed now.
    await recover(context, job);
    await removePolls(context, job);
    await job.finish({ release: null }, () => undefined);
    return true;
  } catch (error) {
    await job.fail(error as Error).catch(() => undefined);
    throw error;
  } finally {
    await job.release();
  }
}

/** Requests takedowns of polls that a release has but the database doesn’t: nobody recorded their deletion. */
export async function takeDownMissingPolls({ db, clock, dataDir }: TakedownContext, id: string): Promise<void> {
  const state = stateOf(dataDir, id);
  if (state === null) return;
  // In the served tree only what returns can be wrong.
  const isServed = currentTree(dataDir) === state.record.tree;
  const addresses = isServed
    ? [...state.names].filter(([, file]) => file !== null).map(([address]) => address)
    : [...state.manifest.entries()].map(([address]) => address);
  const ids = addresses.flatMap((address) => /^\/poll\/([\w-]+)$/.exec(address)?.[1] ?? []);
  await insertTakedowns(db, await missingPolls(db, ids), clock.now());
}

/** The same as {@link applyTakedowns}, as a part of a job. */
export async function removePolls({ db, clock, dataDir }: TakedownContext, job: Job): Promise<void> {
  const polls = new Set(await takedownIds(db));
  if (polls.size === 0) return;
  const cut = new Cutter(dataDir, polls);
  const served = currentTree(dataDir);
  // The served tree first.
  const trees = namesIn(inReleases(dataDir, releaseFiles.trees)).sort(
    (a, b) => Number(b === served) - Number(a === served),
  );
  const records = readRecords(dataDir);
  cut.includeReports(trees, records);
  // Other reports of the newest release are rendered again in portions; reading all of them would hold up other changes.
  const rendersReports = (await pinnedReleaseId(db)) === null;
  for (const tree of trees) {
    const head = readHead(dataDir, tree);
    const withReports = !rendersReports || tree !== served || head?.release !== records[0]?.id;
    const isDone = head !== null && (await removeFromTree(dataDir, head, { cut, job, withReports }).catch(() => false));
    if (isDone) continue;
    // A damaged tree: web servers serve its names all the same.
    const own = [...cut.ownAddresses()].map((address) => ({ address, file: null }));
    await setAllNames(dataDir, tree, own, job.portion);
    if (tree === served) await recordChanges(db, clock.now(), [{ kind: 'site', key: publishingTexts.reasons.damaged }]);
  }
  for (const record of records) {
    const changes: ChangedAddress[] = [];
    for (const { address, before, after } of record.changes) {
      await breathe(changes.length, job);
      changes.push({ address, before: await cut.file(address, before), after: await cut.file(address, after) });
    }
    const isSame = changes.every(
      ({ before, after }, place) => before === record.changes[place]!.before && after === record.changes[place]!.after,
    );
    if (isSame) continue;
    await writeRecord(dataDir, { ...record, changes }, job.portion);
  }
  // What was removed counts in no release anymore.
  for (const { id, pages, bytes } of records) {
    await nextTurn();
    const left = readable(() => stateOf(dataDir, id))?.record;
    if (left && (left.pages !== pages || left.bytes !== bytes)) await writeRecord(dataDir, left, job.portion);
  }
  await forgetContents(dataDir, cut.replaced, job.portion);
  await deleteTakedowns(db, [...polls]);
}

async function removeFromTree(
  dataDir: string,
  head: TreeHead,
  { cut, job, withReports }: { readonly cut: Cutter; readonly job: Job; readonly withReports: boolean },
): Promise<boolean> {
  const manifest = new Manifest(dataDir, head.shards, head);
  const names: { address: string; file: StoredFile | null }[] = [];
  for (const [place, [address, file]] of [...manifest.entries()].entries()) {
    await breathe(place, job);
    const left = await cut.file(address, file, withReports);
    if (left !== file) names.push({ address, file: left });
  }
  if (names.length === 0) return true;
  for (const { address, file } of names) manifest.set(address, file);
  const { shards } = await manifest.save(true);
  const next = { ...head, ...manifest.counts, shards };
  if (head.tree === currentTree(dataDir)) {
    await move(dataDir, { head: next, names }, { portion: job.portion, finish: job.portion });
    return true;
  }
  // Nobody is served by this tree: after a crash it is done again from the start.
  await setAllNames(dataDir, head.tree, names, job.portion);
  await replaceFile(dataDir, headFile(dataDir, head.tree), JSON.stringify(next));
  return true;
}

/** Lets heartbeats and signals run now and then, because files are read synchronously; throws if the job was lost. */
async function breathe(place: number, job: Job): Promise<void> {
  if (place % 64 !== 63) return;
  await nextTurn();
  job.signal.throwIfAborted();
}

/** Reasons why a file can’t be read now that don’t last. */
const shortages: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The addresses of a takedown: of a poll by its id, of an article by its address, or of one picture. */
function addressesOf(id: string): string[] {
  if (!id.startsWith('/')) return [`/poll/${id}`, `/poll/${id}.png`];
  return id.startsWith('/blog/') ? [id, `${id}.png`] : [id];
}

/** Cuts polls and articles out of contents. */
class Cutter {
  readonly replaced: ChangedAddress[] = [];
  readonly #dataDir: string;
  readonly #polls: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;
  readonly #cuts = new Map<string, Promise<StoredFile | null>>();
  #hasReports = false;

  constructor(dataDir: string, polls: ReadonlySet<string>) {
    this.#dataDir = dataDir;
    this.#polls = polls;
    this.#own = new Set([...polls].flatMap(addressesOf));
  }

  ownAddresses(): Iterable<string> {
    return this.#own;
  }

  /** Members’ polls and articles are on no report, so only lists have to be read for them. */
  includeReports(trees: readonly string[], records: readonly ReleaseRecord[]): void {
    const polls = new Set([...this.#own].filter((address) => address.startsWith('/poll/')));
    if (polls.size === 0) return;
    const has = (manifest: Manifest) => [...polls].some((address) => manifest.get(address) !== null);
    this.#hasReports =
      records.some(({ changes }) => changes.some(({ address }) => polls.has(address))) ||
      trees.some((tree) => {
        try {
          const head = readHead(this.#dataDir, tree);
          return head !== null && has(new Manifest(this.#dataDir, head.shards));
        } catch {
          return true;
        }
      });
  }

  /** The file without the polls, stored; the same file if it shows none of them, null for their own pages. */
  async file(address: string, file: StoredFile | null, withReports = true): Promise<StoredFile | null> {
    if (file === null || !this.#own.has(address)) {
      const isReport = address.startsWith('/poll/');
      if (file === null || (isReport && !(withReports && this.#hasReports)) || !listsPolls(fileOf(address)))
        return file;
      const key = `${address} ${file.hash}`;
      let left = this.#cuts.get(key);
      if (left === undefined) this.#cuts.set(key, (left = this.#cut(address, file)));
      return left;
    }
    this.replaced.push({ address, before: file, after: null });
    return null;
  }

  async #cut(address: string, file: StoredFile): Promise<StoredFile | null> {
    let text: string;
    try {
      text = contentOf(this.#dataDir, address, file).toString('utf8');
    } catch (error) {
      if (shortages.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      // Nobody can read it, so it shows no poll; the other files must not wait for it.
      return file;
    }
    const left = withoutPolls(fileOf(address), text, this.#polls);
    if (left === text) return file;
    const encoded = await encode(address, Buffer.from(left));
    await storeObjects(this.#dataDir, address, encoded, { durable: true });
    this.replaced.push({ address, before: file, after: encoded.file });
    return encoded.file;
  }
}

/** The uncompressed content of a stored file. */
export function contentOf(dataDir: string, address: string, { hash, plain, gz, br }: StoredFile): Buffer {
  const read = (ending: '' | '.br' | '.gz') => readFileSync(objectPath(dataDir, address, hash, ending));
  if (plain) return read('');
  if (gz !== null) return gunzipSync(read('.gz'));
  return br === null ? Buffer.alloc(0) : brotliDecompressSync(read('.br'));
}
