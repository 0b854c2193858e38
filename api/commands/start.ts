import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readConfig, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { publishingProcess } from '#platform/little-memory.ts';
import { newAdminPassword } from '#platform/secrets.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, prepareDataFolder, runCommand, stopSignal, whenAborted } from './command-line.ts';
import { apiNodeArgs, siteNodeArgs, supervise } from './supervisor.ts';

const stop = stopSignal();
/** The environment variable of a process that {@link startAgainCompiled} has started. */
const isCompiled = 'WEATHERVANE_COMPILED';

await runCommand({
  help: startTexts.startHelp,
  options: {},
  async run() {
    const config = readConfig();
    await prepareDataFolder(config.dataDir);
    await Promise.all([
      assertPortFree('PORT', config.port, config.host),
      assertPortFree('API_PORT', config.apiPort, config.apiHost),
    ]);
    if (!process.env[isCompiled]) await startAgainCompiled();
    if (stop.aborted) return 0;

    // The site service needs no database: it starts immediately and shows a notice while the site is being built.
    const site = supervise('site.ts', {
      nodeArgs: siteNodeArgs,
      onEnded: (pause) => console.error(startTexts.serviceEnded('site', pause)),
    });
    const services = [site];
    try {
      const code = await prepareSite(config);
      if (code !== 0 || stop.aborted) return stop.aborted ? 0 : code;
      const api = supervise('api.ts', {
        nodeArgs: apiNodeArgs,
        onEnded: (pause) => console.error(startTexts.serviceEnded('API', pause)),
      });
      services.push(api);
      await Promise.race([Promise.all([site.ready, api.ready]), whenAborted(stop)]);
      if (!stop.aborted) {
        const { siteName, publicUrl, dataDir } = config;
        const password = await newAdminPassword(config);
        console.log(startTexts.ready({ siteName, address: publicUrl, dataDir, database: databaseName(config) }));
        if (password !== null) console.log(startTexts.adminPassword(password));
        console.log(startTexts.howToStop);
        await whenAborted(stop);
      }
      return 0;
    } finally {
      if (stop.aborted) console.error(startTexts.stopping);
      // The site first, so that forwarded requests are still answered.
      for (const service of services) await service.stop();
    }
  },
});

/** Fills the cache of compiled code, and replaces this process by one that uses it: it takes 15 MB less. */
async function startAgainCompiled(): Promise<void> {
  // Node keeps a cache for each set of flags that change its code.
  await Promise.all([runToEnd('compile.ts'), runToEnd('compile.ts', apiNodeArgs)]);
  // Windows can’t, and a channel to a parent would be lost.
  if (stop.aborted || process.send || process.platform === 'win32') return;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, [isCompiled]: '1' });
}

/**
 * Prepares what the API needs before it starts: database, demo polls, and release; returns the exit code. It is left to
 * processes that end, because this one would keep their code in memory.
 */
async function prepareSite(config: Config): Promise<number> {
  const prepared = await runToEnd('prepare-site.ts');
  if (prepared.code !== 0 || stop.aborted || prepared.message === null) return prepared.code;
  console.log(startTexts.building(prepared.message));
  const built = await runToEnd('build.ts');
  if (built.code === 0 || stop.aborted) return 0;
  const { servedBuild } = await import('#api/publishing/builds.ts');
  if (servedBuild(config.dataDir) !== null) {
    console.error(startTexts.olderPages);
    return 0;
  }
  console.error(startTexts.buildFailed);
  return 1;
}

/** Runs a command as a child process, which is asked to end when this one is; returns its exit code and its message, if any. */
async function runToEnd(
  command: string,
  nodeArgs: readonly string[] = publishingProcess.nodeArgs,
): Promise<{ readonly code: number; readonly message: string | null }> {
  let message: string | null = null;
  const script = join(projectFolder, 'api/commands', command);
  const child = spawn(process.execPath, [...nodeArgs, script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...publishingProcess.env },
  });
  child.once('message', (text) => (message = text as string));
  const abort = () => child.kill('SIGTERM');
  stop.addEventListener('abort', abort);
  if (stop.aborted) abort();
  const [code] = (await once(child, 'close')) as [number | null];
  stop.removeEventListener('abort', abort);
  return { code: code ?? 1, message };
}

function databaseName(config: Config): string {
  const file = sqlitePath(config.databaseUrl);
  if (file !== null) return `SQLite, ${file}`;
  const { hostname, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL, ${pathname.slice(1)} on ${hostname}`;
}
