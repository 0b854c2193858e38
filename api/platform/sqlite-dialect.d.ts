/** Knex has no types for its dialects, which are there to be extended. */
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';
  const SqliteDialect: typeof Knex.Client;
  export default SqliteDialect;
}

declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  export default class {
    constructor(...settings: unknown[]);
    readonly readOnly?: boolean;
    query(connection: unknown, sql: string): Promise<unknown>;
    begin(connection: unknown): Promise<unknown>;
    isCompleted(): boolean;
  }
}
