import { equalBytes, fromBase64 } from '#domain/verification/bytes.ts';
import { AppendTree, rootAt } from '#domain/verification/merkle.ts';
import type { TreeHead } from '#domain/verification/merkle.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import type { Checkpoint } from '#domain/verification/note.ts';
import { entryLeaf, hourOf, keyEntry, orderEntries, restoreEntry } from '#domain/verification/site-log.ts';
import { nodesFromTiles } from '#domain/verification/tiles.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import type { Clock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { markLogDifference } from '#api/voting/ballots.service.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { restoredMark } from '#platform/restored-mark.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import type { CheckpointCopy } from './checkpoint-copy.service.ts';
import type { Lease } from '#platform/jobs/lease.service.ts';
import { logKeyOf, publicKeyText, sha256, signedCheckpoint, verifierKeysOf } from './signing.ts';
import type { LogKey } from './signing.ts';
import { growTree } from './tree.ts';
import { putTiles, tilesOf } from './tiles.queries.ts';
import { announcedKeys, logNumber, newestNote, partsOf, siteLog } from './vote-log.queries.ts';
import type { LogRow, OriginParts } from './vote-log.queries.ts';

/** Milliseconds for which a replaced key signs beside the new one. */
const bothKeysSignMs = 30 * 86_400_000;
/** Entries per statement. */
const entriesAtOnce = 100;

/** What everything that writes the log needs. */
export interface LogContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keys that this process has, newest first. */
  readonly keys: readonly LogKey[];
  readonly lease: Lease;
  readonly copy: CheckpointCopy;
  readonly publicUrl: string;
  /** Votes that a batch has at least, unless the poll has fewer. */
  readonly minimumBatch: number;
}

/** An entry for the site-wide log; `logKey`: of the poll’s log that it is about. */
export interface SiteEntry {
  readonly text: string;
  readonly logKey: number | null;
}

/** The root of the tree without leaves. */
export const emptyHead: TreeHead = { size: 0, root: new AppendTree({ hash: sha256 }).root() };

/**
 * Runs `work` in a transaction of the process with the lease, and appends its entries to the site-wide log in the same one.
 * What is signed can be read by others only after the commit.
 */
export async function commit(
  context: LogContext,
  work: (trx: Database) => Promise<readonly SiteEntry[]>,
): Promise<void> {
  const { db, clock, lease, copy } = context;
  const note = await db.transaction(async (trx) => {
    await lease.confirm(trx, clock.now());
    const entries = await work(trx);
    return entries.length === 0 ? null : appendEntries(context, trx, entries);
  });
  if (note !== null) await copy.append(note);
}

async function appendEntries(
  { clock, keys }: LogContext,
  trx: Database,
  entries: readonly SiteEntry[],
): Promise<string> {
  const site = await siteLog(trx);
  if (site === undefined) throw new Error('There is no site-wide log yet.');
  const logOf = new Map(entries.map(({ text, logKey }) => [text, logKey]));
  const ordered = orderEntries(entries.map(({ text }) => text));
  const leaves = Buffer.concat(ordered.map((text) => entryLeaf(text, sha256)));
  const { head, tiles } = await growTree(tilesOf(trx, site.key), site.size, leaves);
  const rows = ordered.map((text, place) => ({
    ...{ log_key: site.key, number: site.size + place },
    ...{ poll_log_key: logOf.get(text) ?? null, text },
  }));
  for (let from = 0; from < rows.length; from += entriesAtOnce)
    await trx('vote_log_entries').insert(rows.slice(from, from + entriesAtOnce));
  await putTiles(trx, site.key, tiles);
  const signers = signersAt(await announcedKeys(trx), keys, clock.now());
  const note = signedCheckpoint(site.origin, head, signers);
  if (signers.length > 1)
    await trx('vote_log_keys')
      .where({ public_key: publicKeyText(signers[0]!) })
      .whereNull('handover')
      .update({ handover: note });
  await trx('vote_log_checkpoints')
    .insert({ log_key: site.key, number: 0, size: head.size, note })
    .onConflict(['log_key', 'number'])
    .merge(['size', 'note']);
  await trx('vote_logs').where({ key: site.key }).update({ size: head.size });
  return note;
}

/** The keys that sign at a moment: the newest announced one, and those that it replaced less than 30 days ago. */
export function signersAt(
  announced: Awaited<ReturnType<typeof announcedKeys>>,
  keys: readonly LogKey[],
  now: number,
): LogKey[] {
  const newest = announced[0];
  if (newest === undefined) throw new Error('The vote log has announced no key yet.');
  const current = now - newest.announcedAt < bothKeysSignMs ? announced : [newest];
  const signers = current.flatMap(({ publicKey }) => keys.find((key) => publicKeyText(key) === publicKey) ?? []);
  if (signers[0] === undefined || publicKeyText(signers[0]) !== newest.publicKey) throw new ConfigError(texts.otherKey);
  return signers;
}

/** Throws a {@link ConfigError} when the log was signed with a key that none of these seeds produces. */
export async function assertLogKeys(db: Database, seeds: readonly string[], now: number): Promise<void> {
  const announced = await announcedKeys(db);
  if (announced.length > 0) signersAt(announced, seeds.map(logKeyOf), now);
}

/**
 * Begins the site-wide log, announces a new key, and continues under another origin where the database is older than what
 * was published. Everything else in the log requires this to have been called.
 */
export async function prepareSite(context: LogContext): Promise<void> {
  const { db, keys, clock, log } = context;
  const site = await siteLog(db);
  const next = await nextGeneration(context, site);
  if (next !== null) {
    if (next.generation > 1)
      log.error({ origin: siteOrigin(next), last: next.last }, 'the vote log continues elsewhere');
    await beginSite(context, next);
    return;
  }
  if (await restoredMark.isSet(db)) await restoredMark.clear(db);
  const [newest] = keys;
  const announced = await announcedKeys(db);
  if (newest === undefined || announced.some(({ publicKey }) => publicKey === publicKeyText(newest))) return;
  signersAt(announced, keys, clock.now());
  await commit(context, (trx) => announce(context, trx, site!.origin, newest));
}

/** The log to begin, and the newest checkpoint that is known of the log before; null if there is none. */
interface Generation extends OriginParts {
  readonly last: string | null;
}

const siteOrigin = ({ base, generation }: OriginParts): string =>
  `${base}/log${generation === 1 ? '' : `/${generation}`}`;

/** Whether the site-wide log in the database is the one whose newest checkpoint is kept outside of it, or continues it. */
export async function continuesCopy(context: CopyContext, site?: LogRow): Promise<boolean> {
  if ((await context.copy.newest()) === null || (await restoredMark.isSet(context.db))) return true;
  return (await nextGeneration(context, site)) === null;
}

type CopyContext = Pick<LogContext, 'db' | 'copy' | 'publicUrl'>;

/** The log to begin now; null if the one in the database can be continued. */
async function nextGeneration({ db, copy, publicUrl }: CopyContext, site?: LogRow): Promise<Generation | null> {
  const kept = await copy.newest();
  const seen = kept === null ? null : parseCheckpoint(kept);
  const restored = await restoredMark.isSet(db);
  if (site === undefined) {
    if (seen) return { ...after(seen), last: kept };
    const { host, pathname } = new URL(publicUrl);
    const base = `${host}${pathname.replace(/\/+$/, '')}/integrity`;
    // What was restored may have had a log that is not in the backup, and votes were collected for one that is gone.
    return { base, generation: restored || (await hasCollected(db)) ? 2 : 1, last: null };
  }
  const note = await newestNote(db, site);
  if (kept === note) return null;
  const own = partsOf(site.origin);
  if (seen === null) return restored ? { ...own, generation: own.generation + 1, last: note } : null;
  const continues = !restored && (await isPrefix(db, site, seen));
  return continues ? null : { ...after(later(seen, site)), last: seen.size > site.size ? kept : note };
}

/** Whether votes were collected for a log. */
async function hasCollected(db: Database): Promise<boolean> {
  return (await logNumber(db, 'watermark')) > (await logNumber(db, 'since'));
}

const after = ({ origin }: { readonly origin: string }) => {
  const { base, generation } = partsOf(origin);
  return { base, generation: generation + 1 };
};

/** Of two origins, that of the later log. */
const later = <One extends { origin: string }, Other extends { origin: string }>(a: One, b: Other): One | Other =>
  partsOf(a.origin).generation > partsOf(b.origin).generation ? a : b;

/** Whether a log begins with what a checkpoint says, or has itself replaced the log of that checkpoint. */
async function isPrefix(db: Database, site: LogRow, seen: Checkpoint): Promise<boolean> {
  if (seen.origin !== site.origin) return partsOf(seen.origin).generation < partsOf(site.origin).generation;
  if (seen.size > site.size) return false;
  const root = await rootAt(nodesFromTiles(tilesOf(db, site.key), sha256), seen.size, sha256);
  return equalBytes(root, seen.root);
}

/**
 * Begins a site-wide log. Logs of polls that are open begin again under it with all their votes: what was published after
 * the backup must not be signed differently.
 */
async function beginSite(context: LogContext, next: Generation): Promise<void> {
  const { clock, keys } = context;
  const [newest] = keys;
  if (newest === undefined) throw new ConfigError(texts.otherKey);
  const origin = siteOrigin(next);
  await commit(context, async (trx) => {
    const now = clock.now();
    await trx('vote_logs').insert({ origin, is_public: true, opened_at: now, published_at: now, checked_at: now });
    const open = () => trx('vote_logs').whereNotNull('ballot_key').whereNull('closed_at');
    const first = await open().min('first_id as id').first<{ id: number | null }>();
    const watermark = await logNumber(trx, 'watermark');
    if (first.id !== null)
      await trx('installation')
        .where({ name: 'integrity.watermark' })
        .update({ value: String(Math.min(watermark, first.id - 1)) });
    // After a restore this is in order; otherwise somebody has changed the log.
    if (next.generation > 1 && !(await restoredMark.isSet(trx))) await noteRestarted(trx, now);
    await open().update({ ballot_key: null, problem: null });
    await trx('ballot_papers').del();
    // Restarted logs need the earlier decisions.
    await trx('installation').where({ name: 'integrity.actions' }).del();
    await restoredMark.clear(trx);
    const restore = next.last === null ? [] : [restoreEntry(origin, next.last, hourOf(now))];
    return [...(await announce(context, trx, origin, newest)), ...restore.map((text) => ({ text, logKey: null }))];
  });
}

/** Notes polls with votes whose logs are missing, or not closed: what was published about them is gone. */
async function noteRestarted(trx: Database, now: number): Promise<void> {
  const lost = await trx('ballots as b')
    .whereRaw(
      `b.total_votes + b.set_aside_votes > b.base_votes + (
        select coalesce(sum(e.votes), 0) from vote_log_earlier e
        join ballot_options o on o.key = e.option_key where o.ballot_id = b.id
      )`,
    )
    .whereNotExists(
      trx('vote_logs as l').whereRaw('l.ballot_key = b.key').whereNotNull('l.closed_at').select(trx.raw('1')),
    )
    .select<{ key: number; id: string; kind: string }[]>('b.key', 'b.id', 'b.kind');
  for (const ballot of lost) await noteRestart(trx, ballot, now);
}

/** Notes on a poll that its log began again although nobody has restored a backup. */
export async function noteRestart(
  trx: Database,
  { key, id, kind }: { readonly key: number; readonly id: string; readonly kind: string },
  now: number,
): Promise<void> {
  await markLogDifference(trx, key, texts.differences.restarted);
  await recordChanges(trx, now, [{ kind: kind === 'poll' ? 'report' : 'community', key: id }]);
}

/** Announces a key in the site-wide log; the checkpoint with its entry is signed by the keys before, too. */
async function announce({ clock }: LogContext, trx: Database, origin: string, key: LogKey): Promise<SiteEntry[]> {
  await trx('vote_log_keys')
    .insert({ public_key: publicKeyText(key), announced_at: clock.now() })
    .onConflict('public_key')
    .ignore();
  const [verifierKey] = verifierKeysOf(origin, [key.publicKey]);
  return [{ text: keyEntry(verifierKey!, hourOf(clock.now())), logKey: null }];
}

/** The verifier keys that have signed under an origin since a moment, newest first. */
export async function verifierKeysSince(db: Database, origin: string, since: number): Promise<string[]> {
  const announced = await announcedKeys(db);
  const signing = announced.filter(
    (_, place) => place === 0 || since - announced[place - 1]!.announcedAt < bothKeysSignMs,
  );
  return verifierKeysOf(
    origin,
    signing.map(({ publicKey }) => fromBase64(publicKey)!),
  );
}
