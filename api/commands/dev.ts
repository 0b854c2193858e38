import { watch } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { hasVoterKey } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { ensureSecrets, newAdminPassword } from '#platform/secrets.ts';
import { loadContent } from '#api/content/files.service.ts';
import { pageData } from '#api/publishing/page-data/page-data.service.ts';
import { pageEnvironment } from '#api/publishing/code-build.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { showLivePages } from '#site/server/renderer/live-pages.ts';
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
    await prepareDatabase(db, config);
    await loadDemonstrationIfEmpty(db, config);
    await ensureSecrets(config, () => hasVoterKey(db));
    const source = { db, clock: systemClock };
    await loadContent(source);

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
      integrations: [showLivePages(() => pageData({ ...source, settings: config, mayPreview: () => true }))],
      vite: {
        server: {
          strictPort: true,
          // Modules that browsers load from the folder `api` are Vite’s.
          proxy: { '^/api/(?![^?]*\\.ts(\\?|$))': { target: config.apiOrigins[0], xfwd: true } },
        },
        plugins: [
          {
            name: 'reload',
            configureServer({ ws }) {
              reload = () => ws.send({ type: 'full-reload' });
            },
          },
        ],
      },
    });
    const password = await newAdminPassword(config);
    if (password !== null) console.log(startTexts.newAdminPassword(password));
    const articles = followArticles(db, (problem) => {
      if (problem === null) reload();
      else console.error(messageOf(problem));
    });
    await whenAborted(stop);
    articles.stop();
    await Promise.all([server.stop(), api.stop()]);
    await db.destroy();
    return 0;
  },
});

/** The time in which an editor finishes writing a file, in milliseconds. */
const settleMs = 150;

/** Loads articles and pages whenever one is saved; `onEnd` receives the error, or null. */
function followArticles(db: Database, onEnd: (problem: unknown) => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const again = () => {
    last = last
      .then(() => loadContent({ db, clock: systemClock }))
      .then(
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
}
