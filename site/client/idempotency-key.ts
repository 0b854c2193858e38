import { ApiError } from './api.ts';

/** A new Idempotency-Key for a new draft: 128 random bits as hex. Works on plain HTTP, unlike `randomUUID`. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Whether a refused draft needs a new key: the key was used with other content (422), or what it created has since
 * been deleted (404). After any other failure the request may have succeeded and is repeated with the same key.
 */
export function needsNewKey(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 422 || error.status === 404);
}
