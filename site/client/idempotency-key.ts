import { ApiError } from './api.ts';

/** A new Idempotency-Key, for a new draft: 128 random bits in base 16. Works on plain HTTP, unlike `randomUUID`. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Whether a draft that was refused needs a new key. What the key stands for was made from other contents (422) or was
 * deleted since (404). After every other failure the request may have been carried out, and is repeated with its key.
 */
export function needsNewKey(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 422 || error.status === 404);
}
