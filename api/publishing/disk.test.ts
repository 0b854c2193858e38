import { expect, test } from 'vitest';
import { explainError } from './disk.ts';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });
const bundler = (words: string) =>
  new Error(
    `Build failed:\n\n\u001b[31mFailed to write\u001b[0m file.mjs\n\nCaused by:\n    ${words}\n\nStack backtrace:\n   0: <unknown>`,
  );

test.each([
  ['of a system call', coded('ENOSPC', 'ENOSPC: no space left on device, write')],
  ['of a quota', coded('EDQUOT', 'EDQUOT: disk quota exceeded')],
  ['of the database', new Error('insert into x - SQLITE_FULL: database or disk is full')],
  ['of the bundler', bundler('No space left on device (os error 28)')],
])('a full disk is reported with its location: %s', (_, error) => {
  expect(explainError(error, '/srv/data').message).toMatch(
    /^The disk is full. Free up space on the disk of \/srv\/data,/,
  );
});

test.each([
  ['of a system call', coded('EACCES', "EACCES: permission denied, mkdir '/srv/data/x'")],
  ['of a disk that is read-only', coded('EROFS', 'EROFS: read-only file system, rmdir')],
  ['of the bundler', bundler('Permission denied (os error 13)')],
])('an unwritable folder is reported by name: %s', (_, error) => {
  expect(explainError(error, '/srv/data').message).toMatch(/^Something in \/srv\/data is not writable/);
});

test('other errors lose only terminal colors and the bundler’s stack', () => {
  const error = new Error('The article "x.md" has no title.');
  expect(explainError(error, '/srv/data')).toBe(error);
  expect(explainError(bundler('Something else'), '/srv/data').message).toBe(
    'Build failed:\n\nFailed to write file.mjs\n\nCaused by:\n    Something else',
  );
});
