import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, toBase64 } from '#domain/verification/bytes.ts';
import { verifierKey } from '#domain/verification/note.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { recount } from '#domain/verification/recount.ts';
import type { RecountResult } from '#domain/verification/recount.ts';
import { download } from './download.ts';
import { supportsEd25519, verifyEd25519 } from './ed25519.ts';
import { hasNewerVotes, loadEvidence, problemsOfLogs, promisedVotes, savedSite } from './load-evidence.ts';
import type { NothingToRecount, SavedPoll, SavedPromise, SiteMemory } from './load-evidence.ts';

/** What the page asks for. */
export interface RecountRequest {
  readonly poll: string;
  readonly memories: readonly SiteMemory[];
  /** The reader’s receipt for this poll; it stays in this browser. */
  readonly receipt: SavedPromise | null;
}

/** A recount that came to a verdict. */
export interface RecountReport {
  readonly kind: 'report';
  readonly result: RecountResult;
  readonly question: string;
  /** What the site itself says about its result not matching the log. */
  readonly admitted: string | null;
  /** By their number. */
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly checkpoints: number;
  readonly isPublic: boolean;
  /** The verifier key of the site-wide log, or of the poll’s if it isn’t in there. */
  readonly key: string | null;
  /** What to remember; null if nothing may be. */
  readonly memory: SiteMemory | null;
  /** The checkpoint of the site-wide log as it is now. */
  readonly siteNote: string | null;
  readonly saved: SavedPoll;
}

/** What the worker answers, any number of `progress` before one of the others. */
export type RecountMessage =
  | { readonly kind: 'progress'; readonly fraction: number }
  | {
      readonly kind: 'nothing';
      readonly why: NothingToRecount | 'unreachable' | 'unsupported';
      /** Something is wrong with the log. */
      readonly isProblem?: boolean;
    }
  | RecountReport;

const answer = (message: RecountMessage) => postMessage(message);

/** Whether this module’s SHA-256 agrees with the browser’s, on random bytes of several lengths. */
async function hashesAgree(): Promise<boolean> {
  for (const length of [0, 52, 65, 1_000]) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    if (!equalBytes(sha256(bytes), new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))) return false;
  }
  return true;
}

async function run({ poll, memories, receipt }: RecountRequest): Promise<RecountMessage> {
  if (!(await supportsEd25519()) || !(await hashesAgree())) return { kind: 'nothing', why: 'unsupported' };
  const loaded = await loadEvidence(poll, memories, download);
  if (typeof loaded === 'string') return { kind: 'nothing', why: loaded, isProblem: problemsOfLogs.has(loaded) };
  const { evidence, expected, log, options } = loaded;
  const decoded = receipt === null ? null : decodeReceipt(receipt.receipt);
  const result = await recount(evidence, expected, verifyEd25519, {
    receipts: decoded ? [decoded] : [],
    promised: promisedVotes(poll, [receipt]),
    onProgress: (fraction) => answer({ kind: 'progress', fraction }),
  });
  if (hasNewerVotes(loaded, result)) return { kind: 'nothing', why: 'reopened' };
  const { site, paper, checkpoints } = evidence;
  const origin = log.siteOrigin ?? log.origin;
  const [firstKey] = result.keys;
  return {
    kind: 'report',
    result,
    question: paper.question,
    admitted: expected.admitted ?? null,
    options,
    checkpoints: result.header?.batches.length ?? 0,
    isPublic: site !== null,
    key: firstKey ? verifierKey(origin, firstKey) : null,
    memory:
      site && result.siteHead && log.siteOrigin !== null
        ? { origin: log.siteOrigin, note: site.note, keys: result.keys.map(toBase64) }
        : null,
    siteNote: site?.note ?? null,
    saved: {
      format: 'weathervane poll 1',
      poll,
      siteOrigin: expected.siteOrigin,
      keys: expected.keys.map((publicKey) => verifierKey(origin, publicKey)),
      paper,
      file: new TextDecoder().decode(evidence.file),
      checkpoints,
      site: site && savedSite(site),
      ...(receipt && result.verdict === 'broken-promise' && { promised: [receipt] }),
    },
  };
}

addEventListener('message', ({ data }: MessageEvent<RecountRequest>) => {
  run(data)
    .catch((): RecountMessage => ({ kind: 'nothing', why: 'unreachable' }))
    .then(answer, () => undefined);
});
