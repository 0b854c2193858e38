import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { writeReportsToRender } from '#api/publishing/build.service.ts';
import { pageEnvironment } from '#api/publishing/page-environment.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, runCommand, stopSignal, whenAborted } from './command-line.ts';
import { loadDemonstrationIfEmpty } from './demonstration.ts';
import { prepareDatabase } from './prepare-database.ts';
import { supervise } from './supervisor.ts';

const stop = stopSignal();

await runCommand({
  help: startTexts.devHelp,
  options: {},
  async run() {
    const config = readConfig();
    await Promise.all([
      assertPortFree('PORT', config.port, config.host),
      assertPortFree('API_PORT', config.apiPort, '127.0.0.1'),
    ]);
    const snapshot = join(config.dataDir, 'cache', 'dev-snapshot');
    const db = openDatabase(config.databaseUrl);
    try {
      await prepareDatabase(db);
      await loadDemonstrationIfEmpty(db, config);
      const { reports } = await writeSnapshot({
        db,
        clock: systemClock,
        settings: config,
        folder: snapshot,
        pagesDigest: '',
      });
      await writeReportsToRender(snapshot, [...reports.keys()]);
    } finally {
      await db.destroy();
    }

    const api = supervise('api.ts', {
      nodeArgs: ['--watch', '--watch-preserve-output'],
      args: ['--no-publisher'],
      onEnded: (pause) => console.error(startTexts.serviceEnded('API', pause)),
    });
    Object.assign(process.env, pageEnvironment(config), {
      SNAPSHOT_DIR: snapshot,
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_DEV_BACKGROUND: '0',
    });
    const { dev } = await import('astro');
    const server = await dev({
      root: projectFolder,
      server: { port: config.port, host: config.host },
      vite: {
        server: { strictPort: true, proxy: { '/api': { target: config.apiOrigin, xfwd: true } } },
        plugins: [
          {
            name: 'lists-with-query',
            // What the site service does with the release's pages.
            configureServer({ middlewares }) {
              middlewares.use((request, _response, next) => {
                const [, list, query] = /^\/(historical|community-polls)(\?.+)$/.exec(request.url ?? '') ?? [];
                if (list !== undefined) request.url = `/${list}/browse${query}`;
                next();
              });
            },
          },
        ],
      },
    });
    await whenAborted(stop);
    await Promise.all([server.stop(), api.stop()]);
    return 0;
  },
});
