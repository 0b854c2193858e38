import { serverLimits } from '#contract/server-limits.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { cutWhenSilent } from '#platform/silent-connections.ts';

/** The part of knex's client that opens connections outside its pool, which knex does not type. */
interface RawConnections {
  acquireRawConnection(): Promise<unknown>;
  destroyRawConnection(connection: unknown): Promise<void>;
  readonly config: {
    readonly pool?: { afterCreate?(connection: unknown, done: (error: Error | null) => void): void };
  };
}

/** A connection of the driver behind knex, and how to close it. */
export interface OwnConnection {
  readonly connection: unknown;
  readonly close: () => Promise<void>;
}

/**
 * Opens a connection outside the pool with the pool's own settings, so that what runs on it and what runs in
 * the pool do not wait for one another. The caller closes it.
 */
export async function openOwnConnection(db: Database): Promise<OwnConnection> {
  const client = db.client as RawConnections;
  const connection = await client.acquireRawConnection();
  if (!isSqlite(db)) cutWhenSilent(connection, serverLimits.voteSilenceMs);
  const { pool } = client.config;
  await new Promise<void>((done, failed) => {
    if (pool?.afterCreate)
      pool.afterCreate(connection, (error) => {
        if (error) failed(error);
        else done();
      });
    else done();
  });
  return { connection, close: () => client.destroyRawConnection(connection) };
}
