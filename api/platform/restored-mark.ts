import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

const row = { name: 'restored' };
const witness = { name: 'witness' };

/**
 * The mark of a database that a restore has filled: the site may have published more than it knows. The vote log reads and
 * clears it. A witness has another name from then on.
 */
export const restoredMark = {
  async set(db: Database): Promise<void> {
    await db('installation')
      .insert({ ...row, value: '1' })
      .onConflict('name')
      .ignore();
    await db('installation')
      .insert({ ...witness, value: randomBytes(4).toString('hex') })
      .onConflict('name')
      .merge();
  },
  async isSet(db: Database): Promise<boolean> {
    return (await db('installation').where(row).first('name')) !== undefined;
  },
  async clear(trx: Database): Promise<void> {
    await trx('installation').where(row).del();
  },
};

/** What the witness’s name ends with since the newest restore; null if there was none. */
export async function witnessSuffix(db: Database): Promise<string | null> {
  const found = await db('installation').where(witness).first('value');
  return found?.value ?? null;
}
