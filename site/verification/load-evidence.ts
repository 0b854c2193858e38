import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type {
  LogConsistency,
  PollIntegrity,
  PollLog,
  PollSiteEntries,
} from '#api/integrity/log/integrity-log.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { pathOf } from '#domain/path-of.ts';
import { fromBase64, toBase64, utf8 } from '#domain/verification/bytes.ts';
import { totalsOnPage, votesById } from '#domain/verification/comparison.ts';
import type { Merged, Totals } from '#domain/verification/comparison.ts';
import { verifyConsistency } from '#domain/verification/merkle.ts';
import type { TreeHead } from '#domain/verification/merkle.ts';
import { isRanked, isWritten } from '#domain/verification/paper.ts';
import { parseCheckpoint, parseVerifierKey } from '#domain/verification/note.ts';
import { isVotePromise, promisedSeconds } from '#domain/verification/promise.ts';
import type { PromisedVote, VotePromise } from '#domain/verification/promise.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import type {
  CosignedCheckpoint,
  Evidence,
  Expectations,
  KeyHandover,
  ProvenEntry,
  RecountResult,
  RememberedHead,
  SiteEvidence,
} from '#domain/verification/recount.ts';

/** Downloads a path of the site, decompressed; null for 401, 403, and 404; rejects if the site doesn’t answer. */
export type Download = (path: string) => Promise<Uint8Array | null>;

/** What a reader remembers of a site-wide log. */
export interface SiteMemory {
  readonly origin: string;
  /** The signed checkpoint that was seen last. */
  readonly note: string;
  /** Trusted keys, 32 bytes each in base64. */
  readonly keys: readonly string[];
}

/** Why a poll has nothing to recount. */
export type NothingToRecount =
  | ('open' | 'reopened' | 'overdue' | 'no-log' | 'not-published' | 'few-rankings' | 'not-found')
  | ('differs' | 'history-rewritten');

/** Those of them that are a problem. */
export const problemsOfLogs: ReadonlySet<NothingToRecount> = new Set(['overdue', 'differs', 'history-rewritten']);

/** Everything that a recount needs, with proofs against one checkpoint of the site-wide log. */
export interface LoadedEvidence {
  readonly evidence: Evidence;
  readonly expected: Expectations;
  readonly log: PollLog;
  readonly options: ShownPoll['options'];
  /** The poll is open again; its log is, too, once a new vote is in it. */
  readonly isReopened: boolean;
}

/** Whether a poll that was reopened merely has newer votes than its log, and passes otherwise. */
export const hasNewerVotes = (
  { isReopened }: Pick<LoadedEvidence, 'isReopened'>,
  { verdict, differences }: Pick<RecountResult, 'verdict' | 'differences'>,
): boolean =>
  isReopened &&
  verdict === 'tally-mismatch' &&
  differences.length > 0 &&
  differences.every(({ votes, logged }) => votes > logged);

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

const provenEntry = ({ proof, ...entry }: SavedEntry): ProvenEntry => ({ ...entry, proof: proofOf(proof) });

const provenNote = ({ note, proof }: SavedNote): CosignedCheckpoint => ({ note, proof: proofOf(proof) });

/** The log of a poll with all its checkpoints, when the poll closed, and what the site says about its result not matching it. */
interface LoadedLog {
  readonly log: PollLog;
  readonly closedAt: string | null;
  readonly admitted: string | null;
  readonly isReopened: boolean;
}

/** Whether a poll closed so long ago that its log must be closed, too. */
export const isOverdue = ({ log, closedAt }: Pick<LoadedLog, 'log' | 'closedAt'>, now: number): boolean =>
  !log.closed && closedAt !== null && now > Date.parse(closedAt) + promisedSeconds * 1_000;

/** The log of a poll; a reason if it has none. */
export async function loadPollLog(
  poll: string,
  download: Download,
): Promise<LoadedLog | 'no-log' | 'not-found' | 'differs'> {
  const bytes = await download(pathOf('pollIntegrity', { id: poll }));
  if (bytes === null) return 'not-found';
  const { log, ...site } = JSON.parse(new TextDecoder().decode(bytes)) as PollIntegrity;
  // Missing if a server of the previous release answers.
  const { difference: admitted = null, closedAt = null } = site as Partial<PollIntegrity>;
  if (log === null) return admitted === null ? 'no-log' : 'differs';
  const checkpoints = [...log.checkpoints];
  while (checkpoints.length < log.checkpointCount) {
    const from = String(log.firstCheckpoint + checkpoints.length);
    const next = (await downloadJson(download, pathOf('pollIntegrity', { id: poll }, { from }))) as PollIntegrity;
    if (!next.log?.checkpoints.length) {
      if (admitted !== null) return 'differs';
      throw new Error('The list of checkpoints is incomplete.');
    }
    checkpoints.push(...next.log.checkpoints);
  }
  const isReopened = log.closed && (site as Partial<PollIntegrity>).closedAt === null;
  return { log: { ...log, checkpoints }, closedAt, admitted, isReopened };
}

/** What the site shows of a poll besides its log. */
interface ShownPoll {
  /** The votes per option on the poll’s page, and those that the API has; a page of the poll may be a form yet. */
  readonly totals: Totals;
  readonly merged: Merged;
  /** The paper with these options; undefined where voters write none, or if they can’t be read. */
  readonly wording: Expectations['wording'];
  /** The rounds that the API has. */
  readonly runoff: Expectations['runoff'];
  /** The options of the paper; written answers have their current texts. */
  readonly options: PollLog['paper']['options'];
}

async function loadShown(paper: PollLog['paper'], download: Download): Promise<ShownPoll> {
  const { poll, options } = paper;
  const params = { id: poll };
  const ids = options.map(({ id }) => id);
  const textOf = async (path: string) => {
    const bytes = await download(path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  };
  const page = (await textOf(`/poll/${poll}`)) ?? (await textOf(`/community-polls/${poll}`));
  const answer = (await textOf(pathOf('poll', params))) ?? (await textOf(pathOf('communityPoll', params)));
  const counted = answer === null ? null : (JSON.parse(answer) as (Poll & { runoff?: undefined }) | CommunityPoll);
  const shownOptions = counted?.options ?? [];
  const votes = votesById(new Map(shownOptions.flatMap(({ id, votes }) => (votes === null ? [] : [[id, votes]]))), ids);
  const shown = page === null ? undefined : totalsOnPage(page, ids);
  const under = new Map(
    shownOptions.flatMap((option) =>
      [option.id, ...(('merged' in option ? option.merged : undefined) ?? [])].map((id) => [id, option]),
    ),
  );
  const numberOf = (id: string) => options.findIndex((option) => option.id === id);
  const current = options.map(({ id, label }) => ({
    id,
    label: (isWritten(id) ? under.get(id)?.text : undefined) ?? label,
  }));
  const isWrittenOn = counted !== null && options.some(({ id }) => isWritten(id));
  return {
    runoff: counted?.runoff,
    totals: { ...(votes && { api: votes }), ...(shown && { page: shown }) },
    merged: new Map([...under].flatMap(([id, into]) => (id === into.id ? [] : [[numberOf(id), numberOf(into.id)]]))),
    wording: isWrittenOn ? { ...paper, options: current } : undefined,
    options: current,
  };
}

/** The keys of a log’s verifier keys; those that aren’t valid are left out. */
export const keysOf = (verifierKeys: readonly string[]): Uint8Array[] =>
  verifierKeys.flatMap((text) => parseVerifierKey(text)?.publicKey ?? []);

/** The place of a site-wide log among those that continue each other: `…/log` is 1, `…/log/2` is 2. */
const placeOf = (origin: string): number => Number(/\/log(?:\/(\d+))?$/.exec(origin)?.[1] ?? 1);

/** What is remembered of a log, or of the newest one before it; null if only later ones are. */
function memoryOf(memories: readonly SiteMemory[], siteOrigin: string): SiteMemory | null {
  const place = placeOf(siteOrigin);
  const earlier = memories.filter(({ origin }) => placeOf(origin) < place);
  return (
    memories.find(({ origin }) => origin === siteOrigin) ??
    earlier.sort((a, b) => placeOf(b.origin) - placeOf(a.origin))[0] ??
    null
  );
}

/** The memories with a new one, which replaces that of the same log. */
export const withMemory = (memories: readonly SiteMemory[], memory: SiteMemory): SiteMemory[] => [
  memory,
  ...memories.filter(({ origin }) => origin !== memory.origin),
];

/** The memories in a stored value; those with another shape are left out. */
export function memoriesIn(stored: unknown): SiteMemory[] {
  if (!Array.isArray(stored)) return [];
  return (stored as (Partial<SiteMemory> | null)[]).filter(
    (memory): memory is SiteMemory =>
      typeof memory?.origin === 'string' && typeof memory.note === 'string' && Array.isArray(memory.keys),
  );
}

/** The proof that the remembered log still begins with what was seen of it; null if it is gone, or smaller than it was. */
async function consistencyWith(
  { origin }: SiteMemory,
  { size }: TreeHead,
  siteOrigin: string,
  download: Download,
): Promise<LogConsistency | null> {
  const query = { from: String(size), ...(origin !== siteOrigin && { origin }) };
  const bytes = await download(pathOf('siteConsistency', undefined, query));
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as LogConsistency);
}

async function loadSite(
  poll: string,
  siteOrigin: string,
  memory: SiteMemory | null,
  download: Download,
): Promise<SiteEvidence & { remembered: RememberedHead | undefined }> {
  const entries: ProvenEntry[] = [];
  const handovers: KeyHandover[] = [];
  const cosigned: CosignedCheckpoint[] = [];
  let witnesses: readonly string[] = [];
  let note: string | undefined;
  for (let from: number | null = 0; from !== null;) {
    const path: string = pathOf('pollSiteEntries', { id: poll }, { from: String(from) });
    const page = (await downloadJson(download, path)) as PollSiteEntries;
    note ??= page.checkpoint;
    if (page.checkpoint !== note) throw new Outdated();
    entries.push(...page.entries.map(provenEntry));
    // Missing if a server of the previous release answers.
    const some = (page as Partial<PollSiteEntries>).handovers ?? [];
    handovers.push(...some.map((handover) => ({ ...handover, entry: provenEntry(handover.entry) })));
    // So are these.
    witnesses = (page as Partial<PollSiteEntries>).witnesses ?? [];
    cosigned.push(...((page as Partial<PollSiteEntries>).cosigned ?? []).map(provenNote));
    from = page.next;
  }
  const site = { note: note!, entries, handovers, witnesses, cosigned };
  const head = memory && parseCheckpoint(memory.note);
  if (!memory || !head) return { ...site, remembered: undefined };
  const isContinued = memory.origin !== siteOrigin;
  const consistency = await consistencyWith(memory, head, siteOrigin, download);
  // That is for the recount to report.
  if (consistency === null) return { ...site, remembered: { head, proof: [] } };
  const continued = isContinued ? consistency.checkpoint : undefined;
  if (!isContinued && consistency.checkpoint !== note) throw new Outdated();
  return { ...site, remembered: { head, proof: proofOf(consistency.proof), continued } };
}

/** Whether the site-wide log still begins with what a reader remembers of it; also where a poll has nothing to recount. */
async function keepsHistory(memories: readonly SiteMemory[], download: Download): Promise<boolean> {
  const key = await download('/integrity/key');
  const current = key && parseVerifierKey(new TextDecoder().decode(key).split('\n')[0]!)?.name;
  const memory = current ? memoryOf(memories, current) : null;
  const head = memory && parseCheckpoint(memory.note);
  if (!memory || !head) return true;
  const consistency = await consistencyWith(memory, head, current!, download);
  if (consistency === null) return false;
  const later = parseCheckpoint(consistency.checkpoint);
  return later !== null && verifyConsistency(head, later, proofOf(consistency.proof));
}

async function loadOnce(
  poll: string,
  memories: readonly SiteMemory[],
  download: Download,
  now: number,
): Promise<LoadedEvidence | NothingToRecount> {
  const loaded = await loadPollLog(poll, download);
  if (typeof loaded === 'string') return loaded;
  const { log, admitted } = loaded;
  if (isOverdue(loaded, now)) return 'overdue';
  if (!log.closed) return admitted === null ? 'open' : 'differs';
  if (!log.publishesBallots)
    return isRanked(log.paper) && !mayListBallots(log.size, { method: 'ranked' }) ? 'few-rankings' : 'not-published';
  try {
    return await loadPublished(poll, loaded, memories, download);
  } catch (error) {
    if (error instanceof Outdated || admitted === null) throw error;
    // What can’t be downloaded is what the site says itself.
    return 'differs';
  }
}

/** The published ballots of a closed poll, and what they are compared with. */
async function loadPublished(
  poll: string,
  { log, admitted, isReopened }: LoadedLog,
  memories: readonly SiteMemory[],
  download: Download,
): Promise<LoadedEvidence | NothingToRecount> {
  const version = Math.max(...log.results.map((result) => result.version));
  const file = await download(pathOf('pollBallots', { id: poll, version: String(version) }));
  if (file === null) return admitted === null ? 'not-published' : 'differs';
  const { siteOrigin } = log;
  const site = siteOrigin === null ? null : await loadSite(poll, siteOrigin, memoryOf(memories, siteOrigin), download);
  const { options, ...shown } = await loadShown(log.paper, download);
  const trusted = [...new Set(memories.flatMap(({ keys }) => keys))].flatMap((key) => fromBase64(key) ?? []);
  return {
    evidence: { file, paper: log.paper, checkpoints: log.checkpoints, site },
    expected: {
      poll,
      siteOrigin: siteOrigin ?? '',
      keys: trusted.length > 0 ? trusted : keysOf(log.verifierKeys),
      remembered: site?.remembered,
      ...shown,
      admitted,
    },
    ...{ log, options, isReopened },
  };
}

/**
 * Downloads what a closed poll has published. Without memories the site’s own keys are trusted, which shows nothing about a
 * swapped key. Rejects if a download fails or has an unexpected shape.
 */
export async function loadEvidence(
  poll: string,
  memories: readonly SiteMemory[],
  download: Download,
  now = Date.now(),
): Promise<LoadedEvidence | NothingToRecount> {
  for (let attempt = 1; ; attempt++) {
    try {
      const loaded = await loadOnce(poll, memories, download, now);
      if (typeof loaded !== 'string' || (await keepsHistory(memories, download))) return loaded;
      return 'history-rewritten';
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
    readonly entries: readonly (string | SavedEntry)[];
    /** Missing in earlier files. */
    readonly handovers?: readonly { readonly note: string; readonly entry: SavedEntry }[];
    readonly witnesses?: readonly string[];
    readonly cosigned?: readonly SavedNote[];
  } | null;
  /** Votes that were promised and are missing: whoever has the file sees what they chose. */
  readonly promised?: readonly SavedPromise[];
}

/** A promised vote as JSON; a stored receipt is one. */
export interface SavedPromise {
  readonly poll: string;
  /** 28 characters in groups of four. */
  readonly receipt: string;
  readonly optionId: string;
  readonly further?: readonly string[];
  readonly promise?: VotePromise;
}

/** The promises among such values; those with another shape are left out, as are those without a promise. */
export function promisedVotes(poll: string, values: readonly unknown[]): PromisedVote[] {
  return (values as readonly (Partial<SavedPromise> | null)[]).flatMap((value) => {
    if (value?.poll !== poll || typeof value.receipt !== 'string' || typeof value.optionId !== 'string') return [];
    const receipt = decodeReceipt(value.receipt);
    const { optionId, further, promise } = value;
    const isList = further === undefined || (Array.isArray(further) && further.every((id) => typeof id === 'string'));
    return receipt && isList && isVotePromise(promise) ? [{ receipt, optionId, further, promise }] : [];
  });
}

/** A proven entry as JSON, with its proof in base64. */
type SavedEntry = PollSiteEntries['entries'][number];

/** A cosigned checkpoint as JSON. */
type SavedNote = PollSiteEntries['cosigned'][number];

/** The site-wide log in a saved poll. */
export const savedSite = ({
  note,
  entries,
  handovers = [],
  witnesses = [],
  cosigned = [],
}: SiteEvidence): NonNullable<SavedPoll['site']> => ({
  note,
  entries: entries.map((entry) => (typeof entry === 'string' ? entry : savedEntry(entry))),
  handovers: handovers.map((handover) => ({ ...handover, entry: savedEntry(handover.entry) })),
  witnesses,
  cosigned: cosigned.map((one) => ({ note: one.note, proof: one.proof.map(toBase64) })),
});

const savedEntry = ({ proof, ...entry }: ProvenEntry): SavedEntry => ({ ...entry, proof: proof.map(toBase64) });

/** The evidence in a saved poll; null if it isn’t one. */
export function evidenceOf(
  saved: unknown,
): { saved: SavedPoll; evidence: Evidence; promised: readonly PromisedVote[] } | null {
  const poll = saved as Partial<SavedPoll> | null;
  if (poll?.format !== 'weathervane poll 1' || typeof poll.file !== 'string' || !Array.isArray(poll.checkpoints))
    return null;
  const { file, paper, checkpoints, site, promised = [] } = poll as SavedPoll;
  if (!Array.isArray(paper?.options) || site === undefined) return null;
  const entries = site?.entries.map((entry) => (typeof entry === 'string' ? entry : provenEntry(entry)));
  const handovers = site?.handovers?.map(({ note, entry }) => ({ note, entry: provenEntry(entry) })) ?? [];
  const { witnesses = [], cosigned = [] } = site ?? {};
  return {
    saved: poll as SavedPoll,
    promised: promisedVotes((poll as SavedPoll).poll, promised),
    evidence: {
      file: utf8(file),
      paper,
      checkpoints,
      site: site && {
        note: site.note,
        entries: entries as string[] | ProvenEntry[],
        ...{ handovers, witnesses, cosigned: cosigned.map(provenNote) },
      },
    },
  };
}
