import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { serverLimits } from '#contract/server-limits.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { startProjecting } from './badges/activity.service.ts';
import { publishArticles } from './blog/articles.service.ts';
import { startLifecycle } from './lifecycle/lifecycle.service.ts';
import { createApp } from './app.ts';

/** A running API service. */
export interface ApiServer {
  readonly port: number;
  /** Stops listening, answers what has arrived, commits the votes that wait, and closes the database. */
  close(): Promise<void>;
}

/** Opens the database, starts the clockwork that closes polls, and listens where only our own proxies are. */
export async function startApiServer(options: {
  config: Config;
  keys: readonly string[];
  isAdminPassword: (candidate: string) => Promise<boolean>;
  log: Logger;
}): Promise<ApiServer> {
  const { config, keys, isAdminPassword, log } = options;
  const db = openDatabase(config.databaseUrl, { patience: serverLimits.databasePatience });
  const clock = systemClock;
  const app = createApp({ db, clock, config, keys, isAdminPassword, log });
  const lifecycle = await startLifecycle({ db, clock, log }).catch(async (error: unknown) => {
    // The open database would keep the process from ending.
    await app.drain();
    await db.destroy();
    throw error;
  });
  const projecting = startProjecting({ db, clock, log });
  // A wrong article must not keep anybody from voting; the build of the site says the same and is refused.
  await publishArticles({ db, clock }).catch((error: unknown) =>
    log.error({ err: error }, 'the articles could not be updated; the previous ones stay'),
  );

  const handle = app.koa.callback();
  const server = createServer(
    { connectionsCheckingInterval: serverLimits.lateLookMs },
    (request, response) => void handle(request, response),
  );
  // A header that does not arrive in time must not hold a connection.
  server.headersTimeout = serverLimits.headMs;
  server.requestTimeout = serverLimits.requestMs;
  server.keepAliveTimeout = 65_000;
  try {
    await listen(server, config.apiPort, config.apiHost);
  } catch (error) {
    // What runs already would keep the process from ending.
    lifecycle.stop();
    await app.drain();
    await projecting.stop();
    await db.destroy();
    throw error;
  }
  app.metrics.readProcess();

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      lifecycle.stop();
      app.beginToEnd();
      // A proxy may be sending on a connection that is idle as seen from here, and may not send a vote twice. So nobody
      // new is let in, who still asks is answered and told that this was the last time, and then the others are cut.
      const closed = new Promise<void>((done) => NetServer.prototype.close.call(server, () => done()));
      await pause(serverLimits.lastCallsMs);
      server.closeIdleConnections();
      const late = new Promise<void>((done) => setTimeout(done, serverLimits.drainMs).unref());
      await Promise.race([closed, late]);
      // Every vote that was handed in is committed and answered before the last connections are cut.
      await app.drain();
      server.closeAllConnections();
      await closed;
      await projecting.stop();
      await db.destroy();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      listening();
    });
  });
}
