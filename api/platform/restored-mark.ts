import type { Database } from './database.ts';

const row = { name: 'restored' };

/**
 * The mark of a database that a restore has filled: the site may have published more than it knows. The vote log reads and
 * clears it.
 */
export const restoredMark = {
  async set(trx: Database): Promise<void> {
    await trx('installation')
      .insert({ ...row, value: '1' })
      .onConflict('name')
      .ignore();
  },
  async isSet(db: Database): Promise<boolean> {
    return (await db('installation').where(row).first('name')) !== undefined;
  },
  async clear(trx: Database): Promise<void> {
    await trx('installation').where(row).del();
  },
};
