import { expect, test } from 'vitest';
import { databaseProblem } from './database-problem.ts';

const failed = (code: string, message = 'why') => Object.assign(new Error(message), { code });

test.each(['SQLITE_FULL', 'SQLITE_IOERR', 'ENOSPC', 'EDQUOT', 'SQLITE_CANTOPEN', 'SQLITE_CORRUPT'])(
  'the advice for %s is about a disk or file, not about a server',
  (code) => {
    const statement = code.startsWith('SQLITE') ? 'insert into polls - ' : '';
    const { text, advice } = databaseProblem(failed(code, `${statement}${code}: why`))!;
    expect(`${text} ${advice}`).not.toMatch(/server|insert into/);
    expect(text).toContain('why');
  },
);

test('a server that can’t be reached and one that refuses the login have advice of their own', () => {
  expect(databaseProblem(failed('ECONNREFUSED'))?.advice).toContain('make sure the server is running');
  expect(databaseProblem(failed('28P01'))?.advice).toContain('password');
  expect(databaseProblem(new Error('a mistake in the code'))).toBeNull();
});
