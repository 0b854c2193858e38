import { deviceIdPattern } from '#contract/vocabulary.ts';

const pattern = new RegExp(deviceIdPattern);

/** Random bytes in a new device id: 128 bits, so that ids don’t collide and can’t be guessed. */
export const deviceIdRandomBytes = 16;

/** Whether a value is a device id that the server accepts. */
export function isDeviceId(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** 53-bit hash in base 36, always 11 characters; not cryptographic, the random part provides the secrecy. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36).padStart(11, '0');
}

/**
 * A new device id: `device_` and 36 base-36 characters, 11 of them a hash of the browser's traits (user agent,
 * screen, timezone offset, drawing) and 25 of them the random bytes.
 */
export function assembleDeviceId(traits: readonly string[], random: Uint8Array): string {
  if (random.length !== deviceIdRandomBytes)
    throw new Error(`A device id needs ${deviceIdRandomBytes} random bytes, but got ${random.length}.`);
  let number = 0n;
  for (const byte of random) number = (number << 8n) | BigInt(byte);
  return `device_${hash(traits.join('\u0000'))}${number.toString(36).padStart(25, '0')}`;
}
