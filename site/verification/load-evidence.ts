import type { LogConsistency, PollIntegrity, PollLog, PollSiteEntries } from '#contract/integrity-log.ts';
import { pathOf } from '#contract/routes.ts';
import { fromBase64, utf8 } from '#domain/verification/bytes.ts';
import { parseCheckpoint, parseVerifierKey } from '#domain/verification/note.ts';
import type { Evidence, Expectations, ProvenEntry, RememberedHead } from '#domain/verification/recount.ts';

/** Downloads a path of the site, decompressed; null for 401, 403, and 404; rejects if the site doesn’t answer. */
export type Download = (path: string) => Promise<Uint8Array | null>;

/** What a reader remembers of the site-wide log. */
export interface SiteMemory {
  readonly origin: string;
  /** The signed checkpoint that was seen last. */
  readonly note: string;
  /** Trusted keys, 32 bytes each in base64. */
  readonly keys: readonly string[];
}

/** Why a poll has nothing to recount. */
export type NothingToRecount = 'open' | 'no-log' | 'not-published' | 'not-found';

/** Everything that a recount needs, with proofs against one checkpoint of the site-wide log. */
export interface LoadedEvidence {
  readonly evidence: Evidence;
  /** Without the totals that the site shows. */
  readonly expected: Expectations;
  readonly log: PollLog;
}

/** The site signed a new checkpoint between two downloads. */
class Outdated extends Error {}

/** How often downloads begin again because of new checkpoints, which are hourly. */
const attempts = 3;

async function downloadJson(download: Download, path: string): Promise<unknown> {
  const bytes = await download(path);
  if (bytes === null) throw new Error(`Not found: ${path}`);
  return JSON.parse(new TextDecoder().decode(bytes));
}

const proofOf = (hashes: readonly string[]): Uint8Array[] =>
  hashes.map((hash) => {
    const bytes = fromBase64(hash);
    if (!bytes) throw new Error('A proof has a hash that isn’t base64.');
    return bytes;
  });

/** The log of a poll with all its checkpoints; a reason if it has none. */
export async function loadPollLog(poll: string, download: Download): Promise<PollLog | 'no-log' | 'not-found'> {
  const bytes = await download(pathOf('pollIntegrity', { id: poll }));
  if (bytes === null) return 'not-found';
  const { log } = JSON.parse(new TextDecoder().decode(bytes)) as PollIntegrity;
  if (log === null) return 'no-log';
  const checkpoints = [...log.checkpoints];
  while (checkpoints.length < log.checkpointCount) {
    const from = String(log.firstCheckpoint + checkpoints.length);
    const next = (await downloadJson(download, pathOf('pollIntegrity', { id: poll }, { from }))) as PollIntegrity;
    if (!next.log?.checkpoints.length) throw new Error('The list of checkpoints is incomplete.');
    checkpoints.push(...next.log.checkpoints);
  }
  return { ...log, checkpoints };
}

/** The keys of a log’s verifier keys; those that aren’t valid are left out. */
export const keysOf = (verifierKeys: readonly string[]): Uint8Array[] =>
  verifierKeys.flatMap((text) => parseVerifierKey(text)?.publicKey ?? []);

async function loadSite(
  poll: string,
  siteOrigin: string,
  memory: SiteMemory | null,
  download: Download,
): Promise<{ note: string; entries: ProvenEntry[]; remembered: RememberedHead | undefined }> {
  const entries: ProvenEntry[] = [];
  let note: string | undefined;
  for (let from: number | null = 0; from !== null;) {
    const path: string = pathOf('pollSiteEntries', { id: poll }, { from: String(from) });
    const page = (await downloadJson(download, path)) as PollSiteEntries;
    note ??= page.checkpoint;
    if (page.checkpoint !== note) throw new Outdated();
    for (const { index, text, proof } of page.entries) entries.push({ index, text, proof: proofOf(proof) });
    from = page.next;
  }
  const head = memory && parseCheckpoint(memory.note);
  if (!memory || !head) return { note: note!, entries, remembered: undefined };
  const isContinued = memory.origin !== siteOrigin;
  const query = { from: String(head.size), ...(isContinued && { origin: memory.origin }) };
  // A log that is smaller than it was has no proof: that is for the recount to report.
  const bytes = await download(pathOf('siteConsistency', undefined, query));
  if (bytes === null) return { note: note!, entries, remembered: { head, proof: [] } };
  const consistency = JSON.parse(new TextDecoder().decode(bytes)) as LogConsistency;
  const continued = isContinued ? consistency.checkpoint : undefined;
  if (!isContinued && consistency.checkpoint !== note) throw new Outdated();
  return { note: note!, entries, remembered: { head, proof: proofOf(consistency.proof), continued } };
}

async function loadOnce(
  poll: string,
  memory: SiteMemory | null,
  download: Download,
): Promise<LoadedEvidence | NothingToRecount> {
  const log = await loadPollLog(poll, download);
  if (typeof log === 'string') return log;
  if (!log.closed) return 'open';
  if (!log.publishesBallots) return 'not-published';
  const version = Math.max(...log.results.map((result) => result.version));
  const file = await download(pathOf('pollBallots', { id: poll, version: String(version) }));
  if (file === null) return 'not-published';
  const { siteOrigin } = log;
  const site = siteOrigin === null ? null : await loadSite(poll, siteOrigin, memory, download);
  const remembered = memory?.keys.flatMap((key) => fromBase64(key) ?? []);
  return {
    evidence: { file, paper: log.paper, checkpoints: log.checkpoints, site },
    expected: {
      poll,
      siteOrigin: siteOrigin ?? '',
      keys: remembered ?? keysOf(log.verifierKeys),
      remembered: site?.remembered,
    },
    log,
  };
}

/**
 * Downloads what a closed poll has published. Without a memory the site’s own keys are trusted, which shows nothing about a
 * swapped key. Rejects if a download fails or has an unexpected shape.
 */
export async function loadEvidence(
  poll: string,
  memory: SiteMemory | null,
  download: Download,
): Promise<LoadedEvidence | NothingToRecount> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await loadOnce(poll, memory, download);
    } catch (error) {
      if (!(error instanceof Outdated) || attempt === attempts) throw error;
    }
  }
}

/** Everything of a poll in one file, for the offline verifier; `file` is the ballots file’s text. */
export interface SavedPoll {
  readonly format: 'weathervane poll 1';
  readonly poll: string;
  readonly siteOrigin: string;
  readonly keys: readonly string[];
  readonly paper: Evidence['paper'];
  readonly file: string;
  readonly checkpoints: readonly string[];
  readonly site: {
    readonly note: string;
    readonly entries: readonly (string | { index: number; text: string; proof: string[] })[];
  } | null;
}

/** The evidence in a saved poll; null if it isn’t one. */
export function evidenceOf(saved: unknown): { saved: SavedPoll; evidence: Evidence } | null {
  const poll = saved as Partial<SavedPoll> | null;
  if (poll?.format !== 'weathervane poll 1' || typeof poll.file !== 'string' || !Array.isArray(poll.checkpoints))
    return null;
  const { file, paper, checkpoints, site } = poll as SavedPoll;
  if (!Array.isArray(paper?.options) || site === undefined) return null;
  const entries = site?.entries.map((entry) =>
    typeof entry === 'string' ? entry : { ...entry, proof: proofOf(entry.proof) },
  );
  return {
    saved: poll as SavedPoll,
    evidence: {
      file: utf8(file),
      paper,
      checkpoints,
      site: site && { note: site.note, entries: entries as string[] | ProvenEntry[] },
    },
  };
}
