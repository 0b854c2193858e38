/** What the commands that start and stop services say, to the operator. */
export const startTexts = {
  portTaken: (variable: string, port: number) =>
    `${variable} is ${port}, but another program listens on that port. Stop it, or set ${variable} to another port.`,
  portRefused: (variable: string, port: number) =>
    `${variable} is ${port}, but this user may not listen on that port. Set ${variable} to a port above 1023.`,
  hostUnknown: (host: string) => `HOST is "${host}", but this machine has no such address. Change it or leave it out.`,
  dataDirRefused: (folder: string, why: string) =>
    `DATA_DIR is "${folder}", but nothing can be written there (${why}). Choose another folder or change its owner.`,
  databaseUnreachable: (why: string) =>
    `The database does not answer (${why}). Check DATABASE_URL and that the server runs.`,
} as const;
