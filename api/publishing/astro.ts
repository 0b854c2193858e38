import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';
import { publishingTexts } from '#texts/publishing.ts';
import type { AstroProgress } from './astro-progress.ts';
import { makeGeneratedFolder } from './generated-folder.ts';
import { pageEnvironment } from './page-environment.ts';
import type { AstroMessage } from './run-astro-build.ts';
import { projectFolder } from './source-digest.ts';

/** What one run of Astro needs. */
interface AstroRun {
  readonly config: Config;
  readonly siteKey: string;
  /** The release's folder: Astro bakes its path in, so that it must be the final one. */
  readonly folder: string;
  readonly snapshotFolder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: AstroProgress) => void;
}

/** Runs Astro's build in a process of its own; throws with Astro's reason when it fails. */
export async function runAstro(options: AstroRun): Promise<void> {
  const { config, siteKey, folder, snapshotFolder, signal } = options;
  await makeGeneratedFolder(projectFolder);
  const child = spawn(process.execPath, [fileURLToPath(new URL('run-astro-build.ts', import.meta.url))], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NO_COLOR: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_KEY: siteKey,
      ASTRO_CACHE_DIR: join(config.dataDir, 'cache', 'astro'),
      // In full: this process has another working folder than the one that a relative path was meant for.
      DATA_DIR: config.dataDir,
      SNAPSHOT_DIR: snapshotFolder,
      RELEASE_DIR: folder,
      ...pageEnvironment(config),
    },
  });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });

  let tail = '';
  let reported: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (tail = (tail + chunk).slice(-4_000)));
  child.on('message', (message: AstroMessage) => {
    if ('error' in message) reported = message.error;
    else options.onProgress(message.progress);
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== 0)
    throw new Error(publishingTexts.astroFailed(reported ?? tail.trim().split('\n').slice(-8).join('\n')));
}
