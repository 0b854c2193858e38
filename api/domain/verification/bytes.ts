/**
 * SHA-256 of an input, 32 bytes. Without another one, functions use one in JavaScript: WebCrypto’s needs a promise per input,
 * which is several times slower for 100,000 small inputs, and doesn’t exist on pages without HTTPS. A server may pass a
 * faster one.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** All parts in one array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A number as four bytes, big-endian. */
export const uint32 = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

/** Below zero, zero, or above zero, by the first bytes that differ. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && compareBytes(a, b) === 0;

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of lowercase hexadecimal digits; null if it isn’t that. */
export function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** Standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));

/** The bytes of standard base64 with padding; null if the text is anything else, such as another spelling of these bytes. */
export function fromBase64(text: string): Uint8Array | null {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}
