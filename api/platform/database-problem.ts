import { startTexts } from '#texts/start.ts';
import { ConfigError } from './config.ts';
import { DamagedDatabase } from './sqlite-file.ts';

/** Errors of a server that may be about to start: worth waiting for. */
export const startingCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  '57P03',
];

/** Codes of the database and of Node, by what is wrong; a wrong password, database, or role is not worth waiting for. */
const codes = {
  unreachable: startingCodes,
  refused: ['28P01', '3D000', '28000'],
  noRoom: ['SQLITE_FULL', 'SQLITE_IOERR', '53100'],
  diskFull: ['ENOSPC', 'EDQUOT', 'EROFS'],
  fileRefused: ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM'],
  damaged: ['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
} as const;

/** Why the database or its disk can’t be used, with advice; null for any other error. */
export function databaseProblem(error: unknown): { readonly text: string; readonly advice: string } | null {
  if (error instanceof DamagedDatabase) return error.finding;
  const { code } = error as NodeJS.ErrnoException;
  const kind = (Object.keys(codes) as (keyof typeof codes)[]).find((one) => codes[one].some((each) => each === code));
  return kind === undefined ? null : startTexts.databaseProblems[kind](reasonOf(error));
}

/** The message for a command whose database can’t be used; null for any other error. */
export function databaseRefusal(error: unknown): ConfigError | null {
  // It already has its message.
  if (error instanceof ConfigError) return error;
  const problem = databaseProblem(error);
  return problem && new ConfigError(`${problem.text} ${problem.advice}`);
}

/** An error’s reason without the statement that knex puts before it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // A refused connection to "localhost" is an AggregateError without a message.
  return message === '' ? (code ?? '') : message.replace(/^[^]* - (?=SQLITE_)/, '');
}
