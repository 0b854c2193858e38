import { hash, randomBytes } from 'node:crypto';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { encodeReceipt, groupCode, receiptBytes, receiptOfParts } from '#domain/verification/receipt.ts';
import type { Database } from '#platform/database.ts';
import { hmacSha256 } from '#platform/hmac.ts';
import type { Tally } from './vote-batch.ts';

/**
 * The receipt of a vote, 16 bytes, by what its row has in hexadecimal digits: the digest of the device, and the browser’s
 * nonce, which votes of earlier releases don’t have.
 */
export type ReceiptOf = (device: string, nonce: string | null) => Buffer;

/** Ballots whose secrets are kept ready. */
const secretsCached = 500;
const sha256 = (bytes: Uint8Array) => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');

/** The server’s part of a receipt, 16 bytes, which alone was the receipt in earlier releases. */
type PartOf = (device: string) => Buffer;

function createPartOf(secret: string): PartOf {
  const hmac = hmacSha256(Buffer.from(secret, 'base64'), 'weathervane/receipt/v1\0');
  return (device) => Buffer.from(hmac(device, { message: 'hex', digest: 'binary' }).slice(0, receiptBytes), 'latin1');
}

const known = new Map<string, PartOf>();

function partOfSecret(secret: string): PartOf {
  let partOf = known.get(secret);
  if (!partOf) {
    partOf = createPartOf(secret);
    if (known.size >= secretsCached) known.clear();
    known.set(secret, partOf);
  }
  return partOf;
}

/** The receipt of a vote, and the server’s part of it. */
interface MadeReceipt {
  readonly part: Buffer;
  readonly receipt: Buffer;
  /** As people read it: 28 characters in groups of four. */
  readonly code: string;
}

const completed = (part: Buffer, nonce: string | null): Buffer =>
  nonce === null ? part : (receiptOfParts(part, Buffer.from(nonce, 'hex'), sha256) as Buffer);

/** Makes the receipt of a vote; null once the ballot’s secret is deleted. */
export function makeReceipt(secret: string | null, device: string, nonce: string | null): MadeReceipt | null {
  if (secret === null) return null;
  const part = partOfSecret(secret)(device);
  const receipt = completed(part, nonce);
  return { part, receipt, code: groupCode(encodeReceipt(receipt, sha256)) };
}

/** Computes receipts of a ballot; null if it has no secret: nobody has voted since there are receipts, or it is deleted. */
export async function receiptsOf(db: Database, ballotKey: number): Promise<ReceiptOf | null> {
  const row = await db('ballot_secrets').where({ ballot_key: ballotKey }).first('secret');
  if (row === undefined) return null;
  const partOf = createPartOf(row.secret);
  return (device, nonce) => completed(partOf(device), nonce);
}

/** Milliseconds for which a secret is taken to exist. It is deleted 30 days after the end, which such a ballot has not reached. */
const knownMs = 60 * 60_000;

/** Offers secrets for the ballots of a batch that may have none; the batch stores those that are missing. */
export class NewSecrets {
  readonly #known = new Set<string>();
  #since = -Infinity;

  /** Pairs of ballot id and secret, as JSON. */
  offer(ballotIds: readonly string[], now: number): string {
    if (Math.abs(now - this.#since) > knownMs) {
      this.#known.clear();
      this.#since = now;
    }
    const missing = ballotIds.filter((id) => !this.#known.has(id));
    return JSON.stringify(missing.map((id) => [id, randomBytes(32).toString('base64')]));
  }

  /** Remembers the open ballots that have one. */
  learn(tallies: ReadonlyMap<string, Tally>, now: number): void {
    for (const tally of tallies.values())
      if (tally.secret !== null && phaseOf(tally, now) === 'open') this.#known.add(tally.ballotId);
  }
}
