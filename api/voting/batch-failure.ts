import { databaseFailure } from '#platform/database-failure.ts';

/**
 * Why a batch failed. `contention`: another writer was in the way and nothing was committed. `connection`: it
 * broke, and whether the batch was committed is unknown; so it is called, too, when the database's disk is full or fails,
 * for which no vote of the batch is to blame. `content`: something in the batch cannot be written.
 */
export type FailureCause = 'contention' | 'connection' | 'content';

// SQLSTATE: serialization failure, deadlock, lock not available, query cancelled by the time limit.
const contention = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', '40001', '40P01', '55P03', '57014']);
const sqlState = /^[0-9A-Z]{5}$/;

/** Tells from a driver's error why a batch failed. */
export function causeOf(error: unknown): FailureCause {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (contention.has(code)) return 'contention';
  // Classes 08 and 57P: the server ended the connection or is about to.
  if (code.startsWith('08') || code.startsWith('57P')) return 'connection';
  if (databaseFailure(error) !== null) return 'connection';
  if (code.startsWith('SQLITE_') || sqlState.test(code)) return 'content';
  return 'connection';
}
