import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { idempotencyKeyHeader, idempotencyKeyPattern } from '#contract/vocabulary.ts';
import { idempotencyKeyText } from '#texts/errors.ts';
import { isUniqueViolation, removeExpired } from './database.ts';
import type { Database } from './database.ts';
import { errors } from './errors.ts';

/** A request with an idempotency key: the user, the key, and a digest that distinguishes it from other requests. */
export interface KeyedRequest {
  readonly userId: string;
  readonly key: string;
  readonly digest: string;
}

/** Keys live with a draft in a browser tab; few tabs stay open longer than this after a lost response. */
const lifetimeMs = 7 * 86_400_000;

const wellFormed = new RegExp(idempotencyKeyPattern);

/**
 * The request with its Idempotency-Key, or null when it has none; `content` is all that its result depends on. Throws
 * BAD_REQUEST for a malformed key.
 */
export function keyedRequest(ctx: Context, userId: string, content: readonly unknown[]): KeyedRequest | null {
  const key = ctx.get(idempotencyKeyHeader);
  if (key === '') return null;
  if (!wellFormed.test(key)) throw errors.badRequest(idempotencyKeyText);
  return { userId, key, digest: hash('sha256', JSON.stringify(content), 'base64url') };
}

/**
 * Returns the result of `make`, or of `again` with the id that an earlier request with the same key created. `make` must
 * call {@link recordKey} in its transaction. Throws IDEMPOTENCY_KEY_REUSED when the earlier request was a different one.
 */
export async function firstOrNew<Result>(
  db: Database,
  request: KeyedRequest | null,
  { again, make }: { readonly again: (entityId: string) => Promise<Result>; readonly make: () => Promise<Result> },
): Promise<Result> {
  if (request === null) return make();
  const first = await createdBy(db, request);
  if (first !== null) return again(first);
  try {
    return await make();
  } catch (error) {
    // A concurrent request with the same key was committed first.
    const winner = isUniqueViolation(error) ? await createdBy(db, request) : null;
    if (winner === null) throw error;
    return again(winner);
  }
}

/** Records what a request creates, in the transaction that creates it. */
export async function recordKey(
  trx: Database,
  request: KeyedRequest | null,
  entityId: string,
  now: number,
): Promise<void> {
  if (request === null) return;
  const { userId: user_id, key, digest } = request;
  await trx('idempotency_keys').insert({
    user_id,
    key,
    request: digest,
    entity_id: entityId,
    expires_at: now + lifetimeMs,
  });
}

/** Deletes expired keys. */
export async function sweepIdempotencyKeys(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'idempotency_keys', key: 'key', column: 'expires_at' }, now);
}

async function createdBy(db: Database, { userId, key, digest }: KeyedRequest): Promise<string | null> {
  const row = await db('idempotency_keys').where({ user_id: userId, key }).first('request', 'entity_id');
  if (!row) return null;
  if (row.request !== digest) throw errors.idempotencyKeyReused();
  return row.entity_id;
}
