import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { forwardRequest } from './forward-request.ts';

/** The pages of an installation with an API whose database can be emptied. */
export interface ImportSite {
  readonly origin: string;
  /** Empties the database. */
  clear(): Promise<Database>;
  close(): Promise<void>;
}

/** Serves `pages` and, under /api, its own API that builds no site, because each test imports thousands of polls. */
export async function startImportSite(pages: string): Promise<ImportSite> {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-import-'));
  const template = join(folder, 'empty.sqlite');
  const empty = openDatabase(`sqlite:${template}`);
  await migrate(empty);
  await empty.destroy();

  let app: TestApp | undefined;
  let db: Database | undefined;
  let count = 0;
  const closeApi = async () => {
    await app?.close();
    await db?.destroy();
  };

  const server = createServer((incoming, response) => {
    forwardRequest(incoming, response, incoming.url?.startsWith('/api') && app ? app.origin : pages);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    async clear() {
      await closeApi();
      count += 1;
      const file = join(folder, `${count}.sqlite`);
      await copyFile(template, file);
      db = openDatabase(`sqlite:${file}`);
      app = await startTestApp(db, { config: { publicUrl: origin, dataDir: folder } });
      return db;
    },
    async close() {
      await closeApi();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
