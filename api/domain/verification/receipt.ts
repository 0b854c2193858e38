import { sha256 } from '@noble/hashes/sha2.js';
import { utf8 } from './bytes.ts';
import type { Sha256 } from './bytes.ts';

export const receiptBytes = 16;
/** Characters of a code without separators: 128 bits of the receipt and 12 check bits, five per character. */
export const codeLength = 28;

/** Crockford’s base32: no I, L, O, and U; the order of characters is that of their values. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const valueOf = new Int8Array(256).fill(-1);
for (let value = 0; value < alphabet.length; value++) valueOf[alphabet.charCodeAt(value)] = value;

/** The two characters of ten bits: receipts are encoded while votes wait. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!);

const checkPrefix = utf8('weathervane/receipt-check/v1\0');
const checkInput = new Uint8Array(checkPrefix.length + receiptBytes);
checkInput.set(checkPrefix);

/** The 12 check bits of a receipt. */
function checkBits(receipt: Uint8Array, hash: Sha256): number {
  checkInput.set(receipt, checkPrefix.length);
  const digest = hash(checkInput);
  return (digest[0]! << 4) | (digest[1]! >> 4);
}

/** The code of a 16-byte receipt: 28 characters without separators. The order of codes is that of receipts. */
export function encodeReceipt(receipt: Uint8Array, hash: Sha256 = sha256): string {
  if (receipt.length !== receiptBytes)
    throw new RangeError(`A receipt has ${receiptBytes} bytes, not ${receipt.length}.`);
  const check = checkBits(receipt, hash);
  let code = '';
  let pending = 0;
  let bits = 0;
  for (const byte of receipt) {
    pending = (pending << 8) | byte;
    bits += 8;
    if (bits >= 10) {
      bits -= 10;
      code += pairs[pending >> bits]!;
      pending &= (1 << bits) - 1;
    }
  }
  // Eight bits of the receipt are left: with the check bits they make two pairs.
  const last = (pending << 12) | check;
  return code + pairs[last >> 10]! + pairs[last & 1023]!;
}

/**
 * Reads the 28 characters of a code (ASCII, capitals, no separators) from `at` on, and writes its receipt to 16 bytes of
 * `out`. Returns whether it is a code with the right check bits.
 */
export function readCode(text: Uint8Array, at: number, out: Uint8Array, outAt: number, hash: Sha256 = sha256): boolean {
  let pending = 0;
  let bits = 0;
  let byte = outAt;
  for (let i = 0; i < codeLength; i++) {
    const value = valueOf[text[at + i] ?? 0]!;
    if (value < 0) return false;
    pending = (pending << 5) | value;
    bits += 5;
    if (bits >= 8 && byte < outAt + receiptBytes) {
      bits -= 8;
      out[byte++] = pending >> bits;
      pending &= (1 << bits) - 1;
    }
  }
  return checkBits(out.subarray(outAt, outAt + receiptBytes), hash) === pending;
}

/** The receipt of a code that a person typed, in any case and grouping, with I and L for 1 and O for 0; null if mistyped. */
export function decodeReceipt(typed: string, hash: Sha256 = sha256): Uint8Array | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  const receipt = new Uint8Array(receiptBytes);
  return code.length === codeLength && readCode(utf8(code), 0, receipt, 0, hash) ? receipt : null;
}

const partsPrefix = utf8('weathervane/receipt/v2\0');
const partsInput = new Uint8Array(partsPrefix.length + 2 * receiptBytes);
partsInput.set(partsPrefix);

/**
 * The receipt that the server’s part and the browser’s nonce make, 16 bytes each: one block of SHA-256. Browsers have nonces
 * of their own, so that no two of them can be given one receipt.
 */
export function receiptOfParts(part: Uint8Array, nonce: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  partsInput.set(part, partsPrefix.length);
  partsInput.set(nonce, partsPrefix.length + receiptBytes);
  return hash(partsInput).subarray(0, receiptBytes);
}

/** A code in seven groups of four, such as “C56H-HBCY-4091-4C6G-TRGC-E606-WTNB”. */
export function groupCode(code: string): string {
  let groups = code.slice(0, 4);
  // A regular expression would cost each vote more.
  for (let at = 4; at < code.length; at += 4) groups += `-${code.slice(at, at + 4)}`;
  return groups;
}
