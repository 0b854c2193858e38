import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { idempotencyKeyHeader, idempotencyKeyPattern } from '#contract/vocabulary.ts';
import { idempotencyKeyText } from '#texts/errors.ts';
import { isUniqueViolation, removeExpired } from './database.ts';
import type { Database } from './database.ts';
import { errors } from './errors.ts';

/** A request that its sender may repeat: the key, whose it is, and a digest that tells it from other requests. */
export interface KeyedRequest {
  readonly userId: string;
  readonly key: string;
  readonly digest: string;
}

/** A draft waits in a browser tab, and a tab seldom lasts longer than this after a lost response. */
const keptMs = 7 * 86_400_000;

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
 * Answers with `make`, or with `again` what an earlier request with the same key has made (its id). `make` must call
 * {@link recordKey} in its transaction. Throws IDEMPOTENCY_KEY_REUSED when the earlier request was another one.
 */
export async function firstOrNew<Result>(
  db: Database,
  request: KeyedRequest | null,
  { again, make }: { readonly again: (entityId: string) => Promise<Result>; readonly make: () => Promise<Result> },
): Promise<Result> {
  if (request === null) return make();
  const first = await madeBy(db, request);
  if (first !== null) return again(first);
  try {
    return await make();
  } catch (error) {
    // A parallel request with the same key was committed first: the primary key decided.
    const winner = isUniqueViolation(error) ? await madeBy(db, request) : null;
    if (winner === null) throw error;
    return again(winner);
  }
}

/** Records what a request has made, in the transaction that makes it. */
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
    expires_at: now + keptMs,
  });
}

/** Removes keys whose time is over. */
export async function sweepIdempotencyKeys(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'idempotency_keys', key: 'key', column: 'expires_at' }, now);
}

async function madeBy(db: Database, { userId, key, digest }: KeyedRequest): Promise<string | null> {
  const row = await db('idempotency_keys')
    .where({ user_id: userId, key })
    .first<{ request: string; entity_id: string } | undefined>('request', 'entity_id');
  if (!row) return null;
  if (row.request !== digest) throw errors.idempotencyKeyReused();
  return row.entity_id;
}
