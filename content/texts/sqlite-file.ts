/** What can be wrong with a SQLite file, as the middle of a sentence. */
export const sqliteFileTexts = {
  empty: 'it is empty, though this installation has had data',
  notSqlite: 'it does not begin as a SQLite file does',
  tooShort: (size: number, expected: number) => `it ends after ${size} of ${expected} bytes`,
  logDamaged: (log: string) =>
    `the log beside it, ${log}, is damaged, and what was written after that place would be lost`,
} as const;
