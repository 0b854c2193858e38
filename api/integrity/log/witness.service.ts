import { toBase64, fromBase64 } from '#domain/verification/bytes.ts';
import { checkSignatures, parseCheckpoint, parseVerifierKey, signedNote, textOf } from '#domain/verification/note.ts';
import type { NamedKey } from '#domain/verification/note.ts';
import { cosignatureLine, parseAddCheckpoint, reviewGrowth, witnessKey } from '#domain/verification/witness.ts';
import type { Clock } from '#platform/clock.ts';
import type { WitnessedLog } from '#platform/config.ts';
import type { Database, Row } from '#platform/database.ts';
import { witnessSuffix } from '#platform/restored-mark.ts';
import { sha256, verifySignature } from './signing.ts';
import type { LogKey } from './signing.ts';
import { emptyHead } from './site-log.service.ts';
import { partsOf, siteLog } from './vote-log.queries.ts';

/** Seconds for which the cosignature of a checkpoint is repeated: anyone can send a published checkpoint again. */
const repeatedSeconds = 60;

export interface WitnessContext {
  readonly db: Database;
  readonly clock: Clock;
  /** Logs that this site cosigns. */
  readonly logs: readonly WitnessedLog[];
  readonly key: LogKey;
}

/** The newest checkpoint of a log that was cosigned. */
type WitnessedRow = Row<'witnessed_logs'>;

/** What a log gets for its request, as C2SP tlog-witness says; `size`: the one that it must begin with. */
export type WitnessAnswer =
  | { readonly status: 200; readonly lines: string }
  | { readonly status: 409; readonly size: number }
  | { readonly status: 400 | 403 | 404 | 422 };

/**
 * Cosigns a checkpoint of a configured log if it continues what this witness knows of that log. What it knows is stored
 * before it signs, in one statement that changes nothing if another process was faster: no two histories are ever signed.
 */
export async function addCheckpoint(context: WitnessContext, body: string): Promise<WitnessAnswer> {
  const { db, clock, logs } = context;
  const request = parseAddCheckpoint(body);
  const next = request && parseCheckpoint(request.note, { extended: true });
  if (!request || !next) return { status: 400 };
  const { origin } = next;
  const keys = logs.filter((log) => log.origin === origin).map(({ key }) => parseVerifierKey(key)!);
  const cosigner = await namedKey(context);
  if (keys.length === 0 || cosigner === null) return { status: 404 };
  if ((await checkSignatures(request.note, keys, verifySignature)) !== 'ok') return { status: 403 };

  const root = toBase64(next.root);
  const none = { origin, size: 0, root: toBase64(emptyHead.root), cosigned_at: 0 };
  for (;;) {
    const row = await db('witnessed_logs').where({ origin }).first();
    const known = row ?? none;
    const review = reviewGrowth({ size: known.size, root: fromBase64(known.root)! }, request, next);
    if (review === 'stale') return { status: 409, size: known.size };
    if (review !== 'ok') return { status: review === 'bad-proof' ? 422 : 400 };
    // A clock that was set back must not make a larger log look older than a smaller one.
    const now = Math.max(Math.floor(clock.now() / 1_000), known.cosigned_at);
    if (row?.note != null && row.size === next.size && now - row.cosigned_at < repeatedSeconds)
      return { status: 200, lines: cosignatureOf({ ...row, note: row.note }, cosigner, context.key) };
    if (row === undefined) await db('witnessed_logs').insert(none).onConflict('origin').ignore();
    const note = noteBy(keys, request.note);
    const stored = await db('witnessed_logs')
      .where({ origin, size: known.size, root: known.root })
      .update({ size: next.size, root, note, cosigned_at: now });
    if (stored === 1) return { status: 200, lines: cosignatureOf({ note, cosigned_at: now }, cosigner, context.key) };
  }
}

/** The newest cosigned checkpoint of the log whose origin has this SHA-256, in hexadecimal; null if there is none. */
export async function witnessedCheckpoint(context: WitnessContext, originHash: string): Promise<string | null> {
  const log = context.logs.find(({ origin }) => sha256(Buffer.from(origin)).toString('hex') === originHash);
  const row =
    log && (await context.db('witnessed_logs').where({ origin: log.origin }).first<WitnessedRow | undefined>());
  const cosigner = await namedKey(context);
  if (row?.note == null || cosigner === null) return null;
  return row.note + cosignatureOf({ ...row, note: row.note }, cosigner, context.key);
}

/** The verifier key of this witness; null before the site has its first start behind it. */
export async function ownWitnessKey(context: Pick<WitnessContext, 'db' | 'key'>): Promise<string | null> {
  const named = await namedKey(context);
  return named && witnessKey(named.name, named.publicKey);
}

/**
 * The key with its name, which begins like the origin of this site’s log. After a restore of a backup it is another
 * name: what was cosigned since the backup is forgotten, and a witness of the name before must never contradict itself.
 */
async function namedKey({ db, key }: Pick<WitnessContext, 'db' | 'key'>): Promise<NamedKey | null> {
  const site = await siteLog(db);
  if (site === undefined) return null;
  const suffix = await witnessSuffix(db);
  const name = `${partsOf(site.origin).base}/witness${suffix === null ? '' : `/${suffix}`}`;
  return { name, publicKey: key.publicKey };
}

/** Ed25519 gives the same signature again, so only its time is stored. */
const cosignatureOf = ({ note, cosigned_at }: { note: string; cosigned_at: number }, cosigner: NamedKey, key: LogKey) =>
  cosignatureLine(textOf(note), cosigner, key.sign, cosigned_at);

/** A note with the lines of these keys only, which were verified. */
function noteBy(keys: readonly NamedKey[], note: string): string {
  const lines = note.slice(textOf(note).length + 1).split(/(?<=\n)/);
  return signedNote(textOf(note), ...lines.filter((line) => keys.some(({ name }) => line.split(' ')[1] === name)));
}
