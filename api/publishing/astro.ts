import { spawn } from 'node:child_process';
import { access, constants, mkdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AstroIntegration } from 'astro';
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

interface AstroRun extends AstroProcess {
  readonly signal: AbortSignal;
  readonly snapshotFolder: string;
  readonly onProgress: (progress: AstroProgress) => void;
}

/** What the process of a build reports. */
interface BuildMessage {
  readonly progress?: AstroProgress;
  readonly fixedAddresses?: readonly string[];
  readonly error?: string;
}

/** Runs a plain build in a child process, which renders every page; throws with Astro’s reason if it fails. */
export async function runAstro({ snapshotFolder, onProgress, ...options }: AstroRun): Promise<void> {
  const environment = { SNAPSHOT_DIR: snapshotFolder };
  await runBuild('api/commands/run-astro-build.ts', options, environment, ({ progress }) => {
    if (progress) onProgress(progress);
  });
}

/** Builds code without pages in a child process; throws with Astro’s reason if it fails. */
export async function runCodeBuild(options: AstroProcess): Promise<{ readonly fixedAddresses: readonly string[] }> {
  let fixedAddresses: readonly string[] = [];
  await runBuild('api/publishing/run-code-build.ts', options, {}, (message) => {
    fixedAddresses = message.fixedAddresses ?? [];
  });
  return { fixedAddresses };
}

async function runBuild(
  script: string,
  { config, siteKey, folder, signal }: AstroProcess,
  more: NodeJS.ProcessEnv,
  onMessage: (message: BuildMessage) => void,
): Promise<void> {
  signal?.throwIfAborted();
  await makeGeneratedFolder(projectFolder);
  const child = spawn(process.execPath, [join(projectFolder, script)], {
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
      RELEASE_DIR: folder,
      ...pageEnvironment(config),
      ...more,
    },
  });
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });

  let tail = '';
  let reported: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (tail = (tail + chunk).slice(-4_000)));
  child.on('message', (message: BuildMessage) => {
    reported = message.error;
    onMessage(message);
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (code !== 0)
    throw new Error(publishingTexts.astroFailed(reported ?? tail.trim().split('\n').slice(-8).join('\n')));
}

/** The progress of a run of Astro: pages (with feeds and the like), then pictures. */
interface AstroProgress {
  readonly step: 'pages' | 'pictures';
  readonly done: number;
  readonly total: number;
}

/** The interval between reports in milliseconds; hundreds of pages are rendered per second. */
const reportEveryMs = 100;

/**
 * Reports the number of pages and pictures as soon as Astro knows it, and then how many are done. Pictures come last,
 * so that each counter runs to its end once.
 */
export function astroProgress(report: (progress: AstroProgress) => void): AstroIntegration {
  return {
    name: 'build-progress',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [defaultPrerenderEntry] } });
      },
      'astro:build:start': ({ setPrerenderer }) => {
        const counts = { pages: { done: 0, total: 0 }, pictures: { done: 0, total: 0 } };
        let reportedAt = -Infinity;
        const reportStep = (step: AstroProgress['step']) => {
          const { done, total } = counts[step];
          const now = performance.now();
          if (done > 0 && done < total && now - reportedAt < reportEveryMs) return;
          reportedAt = now;
          report({ step, done, total });
        };
        setPrerenderer((astroPrerenderer) => ({
          ...astroPrerenderer,
          async getStaticPaths() {
            const paths = await astroPrerenderer.getStaticPaths();
            const [pages, pictures] = [
              paths.filter(({ pathname }) => stepOf(pathname) === 'pages'),
              paths.filter(({ pathname }) => stepOf(pathname) === 'pictures'),
            ];
            counts.pages.total = pages.length;
            counts.pictures.total = pictures.length;
            reportStep('pages');
            return [...pages, ...pictures];
          },
          async render(request, options) {
            const answer = await astroPrerenderer.render(request, options);
            const step = stepOf(new URL(request.url).pathname);
            counts[step].done += 1;
            reportStep(step);
            return answer;
          },
        }));
      },
    },
  };
}

// A custom prerenderer must also name its entry; this is the entry of Astro’s own.
const defaultPrerenderEntry = {
  name: 'usual-prerender-entry',
  configEnvironment: (name: string) =>
    name === 'prerender' ? { build: { rolldownOptions: { input: 'astro/entrypoints/prerender' } } } : undefined,
};

const stepOf = (path: string): AstroProgress['step'] => (/\.(png|ico)$/.test(path) ? 'pictures' : 'pages');

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
