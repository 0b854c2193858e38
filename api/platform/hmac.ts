import { hash } from 'node:crypto';

/** Bytes of a block of SHA-256. */
const block = 64;

/** The HMAC of a message under one key; `message` is the encoding of the text, `digest` that of the result. */
export type Hmac = (
  text: string,
  encodings: { readonly message: 'utf8' | 'hex'; readonly digest: 'hex' | 'binary' },
) => string;

/**
 * HMAC-SHA-256 under a key, of a prefix and a message, as two hashes with prepared pads: every vote computes several, and
 * `createHmac` costs twice as much.
 */
export function hmacSha256(key: Uint8Array, prefix = ''): Hmac {
  const short = key.length > block ? hash('sha256', key, 'buffer') : key;
  const pad = (byte: number) => Buffer.alloc(block, byte).map((value, at) => value ^ (short[at] ?? 0));
  const beginning = Buffer.concat([pad(0x36), Buffer.from(prefix)]);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(32)]);
  let inner = beginning;
  return (text, { message, digest }) => {
    const end = beginning.length + Buffer.byteLength(text, message);
    // The buffers are used again by the next message.
    if (inner.length < end) inner = Buffer.concat([beginning], end);
    inner.write(text, beginning.length, message);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), block, 'latin1');
    return hash('sha256', outer, digest);
  };
}
