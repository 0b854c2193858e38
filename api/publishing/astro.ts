import { spawn } from 'node:child_process';
import { access, constants, mkdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '#platform/config.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { projectFolder } from './source-digest.ts';

interface AstroProcess {
  readonly config: Config;
  readonly siteKey: string;
  /** The folder of the build. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** What the process of a build reports. */
interface BuildMessage {
  readonly fixedAddresses?: readonly string[];
  readonly error?: string;
}

/** Builds code without pages in a child process; throws with Astro’s reason if it fails. */
export async function runCodeBuild({
  config,
  siteKey,
  folder,
  signal,
}: AstroProcess): Promise<{ readonly fixedAddresses: readonly string[] }> {
  signal?.throwIfAborted();
  await makeGeneratedFolder(projectFolder);
  const child = spawn(process.execPath, [join(projectFolder, 'api/commands/run-code-build.ts')], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NO_COLOR: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_KEY: siteKey,
      ASTRO_CACHE_DIR: join(config.dataDir, 'cache', 'astro'),
      // Absolute, because the child’s working directory differs from the one a relative path refers to.
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      BUILD_DIR: folder,
      ...pageEnvironment(config),
    },
  });
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });

  let tail = '';
  let answer: BuildMessage = {};
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (tail = (tail + chunk).slice(-4_000)));
  child.on('message', (message: BuildMessage) => (answer = message));
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (code !== 0)
    throw new Error(publishingTexts.astroFailed(answer.error ?? tail.trim().split('\n').slice(-8).join('\n')));
  return { fixedAddresses: answer.fixedAddresses ?? [] };
}

/** An error of Astro as one line: what is wrong, where, and what to do about it. */
export function astroError(error: unknown): string {
  const { message, hint, loc } = error as Error & { hint?: string; loc?: { file?: string; line?: number } };
  const place = loc?.file === undefined ? '' : ` (${loc.file}${loc.line === undefined ? '' : `:${loc.line}`})`;
  return `${message}${place}${hint === undefined ? '' : ` ${hint}`}`;
}

/** The settings that pages print, as environment variables. */
export function pageEnvironment(config: Config): Record<string, string> {
  return {
    SITE_NAME: config.siteName,
    PUBLIC_URL: config.publicUrl,
    SUPPORT_EMAIL: config.supportEmail,
    TIME_ZONE: config.timeZone,
    SMTP_URL: config.smtpUrl ?? '',
    MAIL_FROM: config.mailFrom ?? '',
    ANALYTICS_SCRIPT: config.analyticsScript ?? '',
    ANALYTICS_SITE: config.analyticsSite ?? '',
    ADS_SCRIPT: config.adsScript ?? '',
    API_ORIGIN: config.apiOrigins.join(),
  };
}

/**
 * Creates the folder for Astro’s generated files: `.astro` in the project, wherever Astro’s cache is. If the project is
 * read-only, `.astro` is a link, and its target is created (decision 115).
 */
export async function makeGeneratedFolder(project: string): Promise<void> {
  const place = join(project, '.astro');
  const target = await readlink(place).catch(() => null);
  const folder = target === null ? place : resolve(project, target);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new Error(publishingTexts.generatedFolderRefused(folder, (error as NodeJS.ErrnoException).code ?? ''));
  }
}
