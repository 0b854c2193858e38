import { readConfig } from '#platform/config.ts';
import { pageEnvironment } from '#api/publishing/page-environment.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, runCommand, stopSignal, whenAborted } from './command-line.ts';
import { devSnapshots } from './dev-snapshot.ts';
import { loadDemonstrationIfEmpty } from './demonstration.ts';
import { openInstallation, prepareDatabase } from './prepare-database.ts';
import { apiNodeArgs, supervise } from './supervisor.ts';

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
    const db = openInstallation(config);
    const snapshots = devSnapshots(config, db);
    await prepareDatabase(db);
    await loadDemonstrationIfEmpty(db, config);
    delete process.env.SNAPSHOT_DIR;
    await snapshots.take();

    const api = supervise('api.ts', {
      nodeArgs: [...apiNodeArgs, '--watch', '--watch-preserve-output'],
      args: ['--no-publisher'],
      onEnded: (pause) => console.error(startTexts.serviceEnded('API', pause)),
    });
    Object.assign(process.env, pageEnvironment(config), {
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_DEV_BACKGROUND: '0',
    });
    const { dev } = await import('astro');
    let reload = (): void => undefined;
    const server = await dev({
      root: projectFolder,
      server: { port: config.port, host: config.host },
      vite: {
        server: { strictPort: true, proxy: { '/api': { target: config.apiOrigins[0], xfwd: true } } },
        plugins: [
          {
            name: 'lists-with-query',
            // What the site service does with the release's pages.
            configureServer({ middlewares, ws }) {
              reload = () => ws.send({ type: 'full-reload' });
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
    const texts = snapshots.follow((problem) => {
      if (problem === null) reload();
      else console.error(problem instanceof Error ? problem.message : problem);
    });
    await whenAborted(stop);
    texts.stop();
    await Promise.all([server.stop(), api.stop()]);
    await db.destroy();
    return 0;
  },
});
