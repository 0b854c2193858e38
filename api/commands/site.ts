import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildFiles } from '#domain/build-files.ts';
import { pathOf } from '#domain/path-of.ts';
import { readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { createLogger, silentLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { parseProxies } from '#platform/trusted-proxies.ts';
import { pictureFolder } from '#site/polls/sharing/picture-store.ts';
import { setSiteZone } from '#site/ui/format.ts';
import { fetchFromApi } from '#site/server/fetch-from-api.ts';
import { startSiteServer } from '#site/server/site-server.ts';
import type { SiteServer } from '#site/server/site-server.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, listenFailure, runCommand, serviceLogLevel, stopSignal, whenAborted } from './command-line.ts';
import { siteProcesses, supervise } from './supervisor.ts';
import type { Supervised } from './supervisor.ts';

/** The time limit for a health check of the API and the pause between checks, in milliseconds. */
const healthMs = 2_000;
const lookEveryMs = 1_000;

const stop = stopSignal();

await runCommand({
  help: startTexts.siteHelp,
  // How the first process starts the others.
  options: { sibling: { type: 'boolean' } },
  async run({ sibling: isSibling = false }) {
    const config = readConfig();
    setSiteZone(config.timeZone);
    const log = createLogger('site', { level: serviceLogLevel(config) });
    const siblings = isSibling ? [] : await startSiblings(config, log);
    // Every process serves the same.
    const logOnce = isSibling ? silentLogger : log;
    const apiFailures = rateLimited();
    const unreadableFiles = rateLimited();
    const sharesPort = isSibling || siblings.length > 0;
    let server: SiteServer | undefined;
    try {
      server = await startSiteServer({
        port: config.port,
        host: config.host,
        sharesPort,
        builds: join(config.dataDir, buildFiles.folder),
        apiOrigin: config.apiOrigins,
        publicUrl: config.publicUrl,
        isProxy: parseProxies(config.trustedProxies),
        siteName: config.siteName,
        embedVotingSites: config.embedVotingSites,
        pictures: join(config.dataDir, pictureFolder),
        onEvent(event) {
          if (event.kind === 'no-build') logOnce.info(startTexts.noPages);
          else if (event.kind === 'api-failed')
            apiFailures(() =>
              log.warn({ reason: event.reason, requestId: event.requestId }, 'the API did not respond'),
            );
          else if (event.kind === 'unreadable')
            unreadableFiles(() => log.error({ err: event.error }, 'a saved page could not be read'));
          else log.error({ err: event.error, requestId: event.requestId }, event.what);
        },
      }).catch((error: unknown) => {
        throw listenFailure(error, 'PORT', config.port, config.host);
      });
      await Promise.race([Promise.all(siblings.map(({ ready }) => ready)), whenAborted(stop)]);
      if (stop.aborted) return 0;
      process.send?.('ready');
      logOnce.info({ address: `http://${config.host}:${server.port}` }, 'the site service is listening');
      // Under npm start the API starts after the site, and its own failure to start is reported.
      if (!process.send) void logApiOutage(config.apiOrigins, log);
      await whenAborted(stop);
      return 0;
    } finally {
      await Promise.all([server?.close(), ...siblings.map((one) => one.stop())]);
    }
  },
});

/** Does something at most every ten seconds: while something is down, every visitor’s browser tries again. */
function rateLimited(): (work: () => void) => void {
  let doneAt = -Infinity;
  return (work) => {
    if (performance.now() - doneAt < 10_000) return;
    doneAt = performance.now();
    work();
  };
}

/** Starts the other processes of this service, if it has several. */
async function startSiblings(config: Config, log: Logger): Promise<Supervised[]> {
  const processes = siteProcesses(config);
  // Otherwise this service and another one of the same user would share the port.
  if (processes > 1) await assertPortFree('PORT', config.port, config.host);
  return Array.from({ length: processes - 1 }, () =>
    supervise('site.ts', {
      args: ['--sibling'],
      nodeArgs: process.execArgv,
      onEnded: (pause) => log.warn(startTexts.siteProcessEnded(pause)),
    }),
  );
}

/** Logs once if the API is down when the site starts, and again when it responds. */
async function logApiOutage(apiOrigins: readonly string[], log: Logger): Promise<void> {
  for (let announced = false; !stop.aborted;) {
    const answers = await fetchFromApi(apiOrigins, pathOf('health'), { signal: AbortSignal.timeout(healthMs) }).then(
      () => true,
      () => false,
    );
    if (answers && announced) log.info({ apiOrigins }, 'the API is responding now');
    if (answers) return;
    if (!announced) log.warn({ apiOrigins }, startTexts.apiAwaited);
    announced = true;
    await pause(lookEveryMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
