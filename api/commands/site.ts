import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { releaseFiles } from '#contract/publishing.ts';
import { pathOf } from '#contract/routes.ts';
import { readConfig } from '#platform/config.ts';
import { createLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { parseProxies } from '#platform/trusted-proxies.ts';
import { pageEnvironment } from '#api/publishing/page-environment.ts';
import { pictureFolder } from '#site/sharing/picture-store.ts';
import { askApi } from '#site/server/ask-api.ts';
import { startSiteServer } from '#site/server/site-server.ts';
import { startTexts } from '#texts/start.ts';
import { listenFailure, runCommand, serviceLogLevel, stopSignal, whenAborted } from './command-line.ts';

/** Milliseconds that a look for the API may take, and between two of them. */
const healthMs = 2_000;
const lookEveryMs = 1_000;

const stop = stopSignal();

await runCommand({
  help: startTexts.siteHelp,
  options: {},
  async run() {
    const config = readConfig();
    const log = createLogger('site', { level: serviceLogLevel(config) });
    // Pages that are rendered on demand read the same settings as the build did.
    Object.assign(process.env, pageEnvironment(config));
    let toldAt = -Infinity;
    const tellOfApi = (reason: string, requestId?: string) => {
      // One line now and then: while the API is away every visitor's browser keeps asking.
      if (performance.now() - toldAt < 10_000) return;
      toldAt = performance.now();
      log.warn({ reason, requestId }, 'the API did not respond');
    };
    const server = await startSiteServer({
      port: config.port,
      host: config.host,
      releases: join(config.dataDir, releaseFiles.folder),
      apiOrigin: config.apiOrigins,
      publicUrl: config.publicUrl,
      isProxy: parseProxies(config.trustedProxies),
      siteName: config.siteName,
      pictures: join(config.dataDir, pictureFolder),
      onEvent(event) {
        if (event.kind === 'no-release') log.info(startTexts.noRelease);
        else if (event.kind === 'release') log.info({ release: event.id, pages: event.pages }, 'serving a release');
        else if (event.kind === 'api-failed') tellOfApi(event.reason, event.requestId);
        else log.error({ err: event.error, requestId: event.requestId }, event.what);
      },
    }).catch((error: unknown) => {
      throw listenFailure(error, 'PORT', config.port, config.host);
    });
    process.send?.('ready');
    log.info({ address: `http://${config.host}:${server.port}` }, 'the site service is listening');
    // Under npm start the API comes after the site, and its own failure to start would be told.
    if (!process.send) void tellOfAbsentApi(config.apiOrigins, log);
    await whenAborted(stop);
    await server.close();
    return 0;
  },
});

/** Says once that the API is away when the site starts, and when it has come. */
async function tellOfAbsentApi(apiOrigins: readonly string[], log: Logger): Promise<void> {
  for (let told = false; !stop.aborted;) {
    const answers = await askApi(apiOrigins, pathOf('health'), { signal: AbortSignal.timeout(healthMs) }).then(
      () => true,
      () => false,
    );
    if (answers && told) log.info({ apiOrigins }, 'the API is responding now');
    if (answers) return;
    if (!told) log.warn({ apiOrigins }, startTexts.apiAwaited);
    told = true;
    await pause(lookEveryMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
