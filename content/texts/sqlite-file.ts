const listed = (files: readonly string[]) =>
  files.length === 1 ? files[0]! : `${files.slice(0, -1).join(', ')} and ${files.at(-1)!}`;

/** What is said of a damaged SQLite file, and what the operator should do next. */
export const sqliteFileTexts = {
  damaged: (file: string, why: string) =>
    `The database file ${file} is damaged: ${why}. It was not opened for writing, and nothing was changed.`,
  advice: (files: readonly string[]) =>
    `Stop the services. Copy ${listed(files)} to a safe place before any other program opens them. Then restore the newest backup into an empty DATA_DIR: npm run restore -- FILE. Without a backup, sqlite3 COPY .recover saves what can be read from a copy.`,

  // The reasons, as the middle of the sentence above.
  empty: 'it is empty, though this installation has had data',
  notSqlite: 'it does not begin as a SQLite file does',
  tooShort: (size: number, expected: number) => `it ends after ${size} of ${expected} bytes`,
  logDamaged: (log: string, at: number) =>
    `its write-ahead log, ${log}, is damaged at byte ${at}, and everything written after that would be lost`,
} as const;
