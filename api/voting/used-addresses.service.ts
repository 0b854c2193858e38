import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { addressesScope } from './network-digests.ts';

/** Deletes the digests of the addresses that were used on these ballots, and their salts. */
export async function deleteAddresses(trx: Database, ballotKeys: readonly number[]): Promise<void> {
  await trx('digest_salts').whereIn('scope', ballotKeys.map(addressesScope)).del();
  for (const table of ['used_addresses', 'vote_codes']) await trx(table).whereIn('ballot_key', ballotKeys).del();
}

/**
 * Rewrites the used addresses of each ballot in one transaction and by digest. PostgreSQL stores rows in the order in which
 * they were inserted, each with its transaction, which would tell which vote came right after which address; SQLite stores
 * this table by digest.
 */
export async function mixAddresses(db: Database): Promise<void> {
  if (isSqlite(db)) return;
  const written = await db('used_addresses')
    .groupBy('ballot_key')
    .havingRaw('count(distinct xmin::text) > 1')
    .pluck('ballot_key');
  for (const ballotKey of written)
    await db.transaction(async (trx) => {
      // Nobody adds or removes one meanwhile.
      await trx.raw('lock table used_addresses in share row exclusive mode');
      const rows = await trx('used_addresses').where({ ballot_key: ballotKey }).del().returning('digest');
      const digests = rows.map(({ digest }) => digest).sort();
      await trx.raw('insert into used_addresses (ballot_key, digest) select ?::integer, unnest(?::text[])', [
        ballotKey,
        digests,
      ]);
    });
}
