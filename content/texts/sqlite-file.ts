const listed = (files: readonly string[]) => new Intl.ListFormat('en-US', { type: 'conjunction' }).format(files);

/** Errors about a damaged SQLite file, with advice for the operator. */
export const sqliteFileTexts = {
  damaged: (file: string, why: string) =>
    `The database file ${file} is damaged: ${why}. It was not opened for writing, and nothing was changed.`,
  advice: (files: readonly string[]) =>
    `Stop the services. Copy ${listed(files)} to a safe place before any other program opens them. Then restore the latest backup into an empty DATA_DIR: npm run restore -- FILE. If you have no backup, sqlite3 COPY .recover extracts what is still readable from a copy.`,

  // Reasons, inserted into the sentence above.
  empty: 'it is empty, although this site has had data',
  notSqlite: 'it does not start with a SQLite header',
  tooShort: (size: number, expected: number) => `it ends after ${size} of ${expected} bytes`,
  logDamaged: (log: string, at: number) =>
    `its write-ahead log, ${log}, is damaged at byte ${at}, and everything written after that would be lost`,
} as const;
