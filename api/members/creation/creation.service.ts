import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import type { KeyedRequest } from '#platform/idempotency.ts';

/** Days for which the network that a poll or comment was created from is kept, as a digest. */
const originDays = 30;

/** The digest of the network around an address, with a salt of its week. */
export type NetworkDigest = (address: string) => Promise<number>;

/** How something was created: with an idempotency key, and from a network. */
export interface Creation {
  readonly request?: KeyedRequest | null;
  /** A digest of the network; null: not from a request. */
  readonly network?: number | null;
}

/** Records the network that a poll or comment was created from, in the transaction that creates it. */
export async function recordOrigin(
  trx: Database,
  origin: {
    readonly kind: 'poll' | 'comment';
    readonly subject: string;
    readonly userId: string;
    readonly network: number | null;
    readonly at: number;
  },
): Promise<void> {
  const { kind, subject, userId: user_id, network, at: created_at } = origin;
  if (network !== null) await trx('content_origins').insert({ kind, subject, user_id, network, created_at });
}

/** The networks that a member’s polls and comments were created from, for the export. */
export async function originsOf(
  db: Database,
  userId: string,
): Promise<{ kind: 'poll' | 'comment'; id: string; network: number; createdAt: string }[]> {
  const rows = await db('content_origins').where({ user_id: userId }).orderBy(['created_at', 'subject']).select('*');
  return rows.map(({ kind, subject: id, network, created_at }) => ({ kind, id, network, createdAt: iso(created_at) }));
}

/** Deletes digests of networks that are no longer kept. */
export async function sweepOrigins(db: Database, now: number): Promise<void> {
  const sorted = { table: 'content_origins', key: 'subject', column: 'created_at' };
  await removeExpired(db, sorted, now - originDays * 86_400_000);
}
