import SqliteDialect from 'knex/lib/dialects/sqlite3/index.js';
import SqliteTransaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js';
import type { Knex } from 'knex';

/**
 * Takes the write lock at its start, where SQLite waits for it. A transaction that only reads first would fail at its first
 * write, without waiting, if another process wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
class ImmediateTransaction extends SqliteTransaction {
  override async begin(connection: unknown): Promise<unknown> {
    const begun = await this.query(connection, this.readOnly === true ? 'BEGIN;' : 'BEGIN IMMEDIATE;');
    // Knex has rejected the transaction with the reason by now, but would go on.
    if (this.isCompleted()) throw new Error('The write lock was not free in time.');
    return begun;
  }
}

/** Knex’s client for SQLite, with transactions that wait for the write lock, unless they are `readOnly`. */
export class SqliteClient extends SqliteDialect {
  override transaction(...settings: unknown[]): Knex.Transaction {
    return new ImmediateTransaction(this, ...settings) as unknown as Knex.Transaction;
  }
}
