import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { pageEnvironment } from '#api/publishing/astro.ts';
import { writeReportsToRender } from '#api/publishing/build.service.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, runCommand, stopSignal, whenAborted } from './command-line.ts';
import { loadDemonstrationIfEmpty, openInstallation, prepareDatabase } from './prepare.ts';
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
    await prepareDatabase(db, config);
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
            // Mirrors how the site service treats the release’s pages.
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
      else console.error(messageOf(problem));
    });
    await whenAborted(stop);
    texts.stop();
    await Promise.all([server.stop(), api.stop()]);
    await db.destroy();
    return 0;
  },
});

/** The time in which an editor finishes writing a file, in milliseconds. */
const settleMs = 150;

/** Snapshots for the development server, each in a new folder, because pages cache what they have read. */
function devSnapshots(config: Config, db: Database) {
  const folder = join(config.dataDir, 'cache', 'dev-snapshot');
  let number = 0;

  /** Takes a snapshot and passes its folder to the pages. */
  async function take(): Promise<void> {
    const before = process.env.SNAPSHOT_DIR;
    const next = join(folder, String(++number));
    if (before === undefined) await rm(folder, { recursive: true, force: true });
    const { reports } = await writeSnapshot({
      db,
      clock: systemClock,
      settings: config,
      folder: next,
      pagesDigest: '',
    });
    await writeReportsToRender(next, [...reports.keys()]);
    process.env.SNAPSHOT_DIR = next;
    if (before !== undefined) await rm(before, { recursive: true, force: true });
  }

  return {
    take,
    /** Takes another snapshot whenever an article or page is saved; `onEnd` receives its error, or null. */
    follow(onEnd: (problem: unknown) => void): { stop(): void } {
      let timer: NodeJS.Timeout | undefined;
      let last = Promise.resolve();
      const again = () => {
        last = last.then(take).then(
          () => onEnd(null),
          (error: unknown) => onEnd(error),
        );
      };
      const watchers = ['blog', 'legal', 'pages'].map((name) =>
        watch(join(projectFolder, 'content', name), (_, file) => {
          if (!file?.endsWith('.md')) return;
          clearTimeout(timer);
          timer = setTimeout(again, settleMs);
        }),
      );
      return {
        stop() {
          clearTimeout(timer);
          for (const watcher of watchers) watcher.close();
        },
      };
    },
  };
}
