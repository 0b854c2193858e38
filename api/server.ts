import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as limits from '#contract/limits.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { loadContent } from './content/files.service.ts';
import { startVoteLog } from './integrity/log/vote-log.service.ts';
import { servedCode } from './publishing/code-build.ts';
import { servePages } from './publishing/pages.routes.ts';
import { startRenderer } from './publishing/renderer.ts';
import { lifecycleTask } from './polls/lifecycle/lifecycle.service.ts';
import { mailOutbox } from './mail/outbox.service.ts';
import { startJobs } from './platform/jobs/runner.service.ts';
import { createApp } from './app.ts';
import { awardAfterStart } from './members/badges/awards.service.ts';
import { backgroundWork } from './background-work.ts';

/**
 * Milliseconds that a request waits for a free connection, and after which a connection to PostgreSQL without a
 * response is closed.
 */
const databaseTimeouts = { acquireMs: 10_000, queryMs: 60_000 };
/** Milliseconds in which connections that look idle can send a last request when the API stops. */
const drainGraceMs = 300;

/** A running API service. */
export interface ApiServer {
  readonly port: number;
  /** Stops listening, answers requests in flight, commits queued votes, and closes the database. */
  close(): Promise<void>;
}

/** Opens the database, closes polls that have ended, starts the background work, and listens for requests from the site service and proxies. */
export async function startApiServer(options: {
  config: Config;
  keys: readonly string[];
  voterKey: string;
  /** Seeds of the keys that sign the vote log, newest first. */
  logKeys: readonly string[];
  /** Seed of the key that cosigns the logs of others. */
  witnessKey: string;
  isAdminPassword: (candidate: string) => Promise<boolean>;
  log: Logger;
}): Promise<ApiServer> {
  const { config, keys, voterKey, logKeys, witnessKey, isAdminPassword, log } = options;
  const db = openDatabase(config.databaseUrl, { timeouts: databaseTimeouts });
  const clock = systemClock;
  const pages = servePages({
    servedCode: () => servedCode(config.dataDir),
    // Personal pages call this service.
    start: (codeFolder) => startRenderer({ codeFolder, config, apiOrigin: addressOf(config) }),
    log,
    isLimited: config.rateLimit,
  });
  const services = { db, clock, config, keys, voterKey, logKeys, witnessKey, isAdminPassword, log };
  const app = createApp({ ...services, pages: (hooks) => pages.serve(hooks) });
  const mail = mailOutbox({ clock, on: config.smtpUrl !== null });
  const kinds = backgroundWork({ ...services, mail, intake: app.intake });
  const start = async () => {
    // What became due while no service was running.
    await lifecycleTask(services)();
    // Members’ next visits award their badges, too.
    await awardAfterStart({ db, clock }).catch((error: unknown) =>
      log.error({ err: error }, 'could not look at what members did last'),
    );
    return startJobs({ db, clock, log, kinds });
  };
  const jobs = await start().catch(async (error: unknown) => {
    // The open database would keep the process running.
    await app.drain();
    await db.destroy();
    throw error;
  });
  const voteLog = startVoteLog({ config, logKeys, log });
  // An invalid file must not prevent voting; the site's build reports it and fails.
  await loadContent({ db, clock }).catch((error: unknown) =>
    log.error({ err: error }, 'the files of content/ could not be loaded; the previous texts stay'),
  );

  const server = createServer({ connectionsCheckingInterval: limits.timeoutSweepMs }, app.handle);
  // Slow clients must not occupy connections.
  server.headersTimeout = limits.headMs;
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = 65_000;
  try {
    await listen(server, config.apiPort, config.apiHost);
  } catch (error) {
    // Running services would keep the process running.
    await Promise.all([jobs.stop(), voteLog.stop()]);
    await app.drain();
    await db.destroy();
    throw error;
  }
  app.metrics.readProcess();

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      // A slow mail server or receiver must not delay the votes.
      const jobsStopped = jobs.stop();
      app.startDraining();
      // A proxy may be sending on a connection that looks idle here, and must not send a vote twice. So new connections
      // are refused, late requests are answered with "Connection: close", and only then idle connections are closed.
      const closed = new Promise<void>((done) => NetServer.prototype.close.call(server, () => done()));
      await pause(drainGraceMs);
      server.closeIdleConnections();
      const timeout = new Promise<void>((done) => setTimeout(done, limits.drainMs).unref());
      await Promise.race([closed, timeout]);
      // Every queued vote is committed and answered before the remaining connections are closed.
      await app.drain();
      server.closeAllConnections();
      await closed;
      await pages.close();
      await voteLog.stop();
      await jobsStopped;
      await db.destroy();
    },
  };
}

/** Where this machine reaches this service. */
const addressOf = ({ apiHost, apiPort }: Config) =>
  `http://${apiHost === '0.0.0.0' ? '127.0.0.1' : apiHost === '::' ? '[::1]' : apiHost.includes(':') ? `[${apiHost}]` : apiHost}:${apiPort}`;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      listening();
    });
  });
}
