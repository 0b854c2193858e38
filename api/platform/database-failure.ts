/**
 * Why nothing could be read or written, where nobody's request is at fault. `away`: the database does not answer, or not
 * in time. `no-room`: its disk is full, read-only or failing, or its file is damaged.
 */
export type DatabaseFailure = 'away' | 'no-room';

const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', '53300', '57014', '57P01', '57P02', '57P03'],
]);
const noRoomCodes = new Set([
  ...['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  // SQLSTATE: disk full, error of the disk, a server that lets nobody write, damaged data.
  ...['53100', '58030', '25006', 'XX001', 'XX002', 'ENOSPC', 'EDQUOT', 'EROFS'],
]);
/** What pg says without a code when a connection ends or is not made in time. */
const awayWords = /^(Connection terminated|timeout expired|timeout exceeded|Client has encountered a connection error)/;

/** Tells from an error whether the database is what failed; null for anything else. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (noRoomCodes.has(code)) return 'no-room';
  if (awayCodes.has(code) || code.startsWith('08') || error.name === 'KnexTimeoutError') return 'away';
  return code === '' && awayWords.test(error.message) ? 'away' : null;
}
