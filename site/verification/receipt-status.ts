import type { LeafInclusion, PollLog } from '#api/integrity/log/integrity-log.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { findReceipt, parseBallots } from '#domain/verification/ballots-file.ts';
import { fromBase64, toHex } from '#domain/verification/bytes.ts';
import { verifyInclusion } from '#domain/verification/merkle.ts';
import { openCheckpoint } from '#domain/verification/note.ts';
import type { Verify } from '#domain/verification/note.ts';
import { isWritten, numbersOf } from '#domain/verification/paper.ts';
import type { Paper } from '#domain/verification/paper.ts';
import { checkPromise, leafOfVote } from '#domain/verification/promise.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { foundAt } from '#domain/verification/recount.ts';
import type { FoundBallot } from '#domain/verification/recount.ts';
import { receiptStatusTexts as texts } from '#texts/verification.ts';
import type { StoredReceipt } from '#site/polls/voting/receipts.ts';
import { isOverdue, keysOf, loadPollLog, promisedVotes } from './load-evidence.ts';
import type { Download } from './load-evidence.ts';

/** A sentence about a receipt, and whether it reports a problem. */
export interface ReceiptStatus {
  readonly text: string;
  readonly isProblem: boolean;
}

const fine = (text: string): ReceiptStatus => ({ text, isProblem: false });
const problem = (text: string): ReceiptStatus => ({ text, isProblem: true });

type ListedPaper = Pick<Paper, 'options' | 'choice'>;

const isSame = (
  found: NonNullable<FoundBallot>,
  stored: Pick<StoredReceipt, 'optionId' | 'further'>,
  paper: ListedPaper,
) => numbersOf(paper, stored)?.join() === found.options.join();

/** What a ballots file says about a receipt. `isBroken`: a promise is. */
export function statusInFile(
  found: FoundBallot,
  stored: Pick<StoredReceipt, 'optionId' | 'further' | 'option'>,
  paper: ListedPaper,
  isBroken = false,
): ReceiptStatus {
  if (isBroken) return problem(texts.broken);
  if (found === null) return problem(texts.missing);
  const labels = found.options.map((option) => paper.options[option]!.label).join(', ');
  if (!isSame(found, stored, paper)) return problem(texts.otherOption(labels));
  if (found.status === 'counted')
    return fine(isWritten(stored.optionId) ? texts.countedWritten(stored.option) : texts.counted(labels));
  return fine(found.status === 'held' ? texts.held(found.reason ?? '') : texts.setAside(found.reason ?? ''));
}

/** What the site’s promise about a vote shows by itself; null without one, or if there is nothing to add. */
async function promiseStatus(
  stored: StoredReceipt,
  paper: Paper,
  keys: readonly Uint8Array[],
  verify: Verify,
): Promise<ReceiptStatus | null> {
  const [vote] = promisedVotes(stored.poll, [stored]);
  if (vote === undefined) return null;
  if ((await checkPromise(paper, vote, keys, verify)) !== 'ok') return problem(texts.badPromise);
  if (stored.nonce === undefined) return fine(`${texts.promised} ${texts.foreignNonce}`);
  return stored.nonce === vote.promise.nonce ? fine(texts.promised) : problem(texts.otherNonce);
}

/**
 * Looks a receipt up in what its poll has published. The receipt itself is never sent: while the poll is open, the site
 * is asked for a proof by leaf hash, which doesn’t reveal it. Rejects if the site can’t be reached.
 */
export async function receiptStatus(
  stored: StoredReceipt,
  download: Download,
  verify: Verify,
  now = Date.now(),
): Promise<ReceiptStatus> {
  const loaded = await loadPollLog(stored.poll, download);
  if (typeof loaded === 'string') return loaded === 'differs' ? problem(texts.logGone) : fine(texts.noLog);
  const { log } = loaded;
  const promise = await promiseStatus(stored, log.paper, keysOf(log.verifierKeys), verify);
  if (promise?.isProblem === true) return promise;
  const isPromised = promise !== null;
  if (isPromised && isOverdue(loaded, now)) return problem(texts.overdue);
  const status = await statusInLog(stored, log, isPromised, download, verify);
  return promise === null || log.closed ? status : { ...status, text: `${status.text} ${promise.text}` };
}

async function statusInLog(
  stored: StoredReceipt,
  log: PollLog,
  isPromised: boolean,
  download: Download,
  verify: Verify,
): Promise<ReceiptStatus> {
  const { poll, promise } = stored;
  const receipt = decodeReceipt(stored.receipt);
  if (!receipt) return problem(texts.missing);
  const { paper } = log;
  if (log.closed && log.publishesBallots) {
    const version = Math.max(...log.results.map((result) => result.version));
    const file = await download(pathOf('pollBallots', { id: poll, version: String(version) }));
    if (file === null) return fine(texts.notPublished);
    const ballots = parseBallots(file);
    const found = foundAt(ballots, findReceipt(ballots, receipt));
    const isThere = found !== null && isSame(found, stored, paper);
    const isBroken = isPromised && !isThere && version >= promise!.result;
    return statusInFile(found, stored, paper, isBroken);
  }
  const leaf = leafOfVote(paper, { ...stored, receipt });
  if (leaf === null) return problem(texts.missing);
  const bytes = await download(pathOf('pollInclusion', { id: poll }, { leaf: toHex(leaf) }));
  if (bytes === null) return fine(log.closed ? texts.notPublished : texts.waiting);
  const { inclusion, checkpoint } = JSON.parse(new TextDecoder().decode(bytes)) as LeafInclusion;
  if (inclusion === null) return log.closed ? problem(texts.missing) : fine(texts.waiting);
  const head = await openCheckpoint(checkpoint, keysOf(log.verifierKeys), verify);
  const proof = inclusion.proof.flatMap((hash) => fromBase64(hash) ?? []);
  if (typeof head === 'string' || head.origin !== paper.origin) return problem(texts.badProof);
  return verifyInclusion({ ...head, leaf, index: inclusion.index }, proof)
    ? fine(texts.logged)
    : problem(texts.badProof);
}
