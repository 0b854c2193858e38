import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, constants, cp, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildFiles } from '#domain/build-files.ts';
import type { Config } from '#platform/config.ts';
import { knownMigrations } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { draftPath, inBuilds, servedBuild, sizeOf } from './builds.ts';
import type { BuildFacts } from './builds.ts';
import { disk, filesBelow, isMissing, syncAll } from './disk.ts';
import { codeDigest, projectFolder } from './source-digest.ts';

/** A finished code build: everything that Vite makes of code, texts, and settings. Pages are added to its folder. */
export interface CodeBuild extends BuildFacts {
  /** Has `client` (hashed assets and public files, with compressed copies) and `server` (Astro’s request handler). */
  readonly folder: string;
}

interface CodeBuildOptions {
  readonly config: Config;
  /** The key of the site’s build, see `platform/secrets`. */
  readonly siteKey: string;
  readonly signal?: AbortSignal;
  /** For tests: where the container image has its code build. */
  readonly imageFolder?: string;
}

/** The folder of the code build whose pages are served; null before the first publish. */
export function servedCode(dataDir: string): string | null {
  const build = servedBuild(dataDir);
  return build && inBuilds(dataDir, build);
}

/** Where a container image has a code build of its own, which fits any settings. */
const ofImage = join(projectFolder, '.code');

/**
 * The code build of this code and these settings, built now if there is none, or copied from the container image; needs no
 * database. Only one process may build at a time. Throws with Astro’s reason if the build fails, and the signal’s if it is
 * aborted.
 */
export async function ensureCodeBuild(options: CodeBuildOptions): Promise<CodeBuild> {
  const { config, imageFolder = ofImage } = options;
  const id = codeDigest(config);
  const folder = inBuilds(config.dataDir, id);
  const existing = await readCodeBuild(folder);
  if (existing && damagedFiles(existing).length === 0) return existing;
  await linkPackages(inBuilds(config.dataDir));
  const draft = draftPath(config.dataDir);
  try {
    const image = await readCodeBuild(imageFolder);
    let facts: Pick<BuildFacts, 'fixedAddresses'>;
    if (image?.id === codeDigest(null)) {
      for (const part of [buildFiles.client, buildFiles.server])
        await cp(join(imageFolder, part), join(draft, part), { recursive: true });
      facts = image;
    } else facts = await runCodeBuild({ ...options, folder: draft });
    const code = await finished(draft, { id, fixedAddresses: facts.fixedAddresses });
    // Its folder may have pages that are being served.
    for (const file of [...Object.keys(code.files), buildFiles.facts])
      disk.rename(join(draft, file), join(folder, file));
    return { ...code, folder };
  } finally {
    await disk.removeFolder(draft);
  }
}

/** Makes the code build of a container image. */
export async function buildForImage(config: CodeBuildOptions['config']): Promise<CodeBuild> {
  // Nothing is encrypted with the key yet; if something is, every installation of the image has the same one.
  const siteKey = randomBytes(32).toString('base64');
  await rm(ofImage, { recursive: true, force: true });
  const facts = await runCodeBuild({ config, siteKey, folder: ofImage });
  return finished(ofImage, { id: codeDigest(null), ...facts });
}

async function finished(
  folder: string,
  { id, fixedAddresses }: Pick<BuildFacts, 'id' | 'fixedAddresses'>,
): Promise<CodeBuild> {
  const files = Object.fromEntries(filesBelow(folder).map((file) => [file, sizeOf(join(folder, file)) ?? 0]));
  const facts: BuildFacts = { id, fixedAddresses, files, schema: knownMigrations().at(-1) ?? '' };
  await syncAll(folder);
  await disk.write(join(folder, buildFiles.facts), JSON.stringify(facts), { durable: true });
  return { ...facts, folder };
}

/** The files of a code build that are missing or have another size. */
export const damagedFiles = ({ folder, files }: CodeBuild): string[] =>
  Object.keys(files).filter((file) => sizeOf(join(folder, file)) !== files[file]);

/** The code build in a folder; null if there is none or it is incomplete or damaged. */
export async function readCodeBuild(folder: string): Promise<CodeBuild | null> {
  try {
    const facts = JSON.parse(await readFile(join(folder, buildFiles.facts), 'utf8')) as BuildFacts;
    return { ...facts, folder };
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Lets the code find the project’s packages wherever the data folder is: they are not bundled, and Node searches the
 * folders above a module.
 */
async function linkPackages(builds: string): Promise<void> {
  const link = join(builds, 'node_modules');
  const target = join(projectFolder, 'node_modules');
  await mkdir(builds, { recursive: true });
  if ((await readlink(link).catch(() => null)) === target) return;
  const draft = `${link}-${randomBytes(4).toString('hex')}`;
  await symlink(target, draft, 'dir');
  await rename(draft, link);
}

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
async function runCodeBuild({
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
    EMBED_VOTING_SITES: config.embedVotingSites.join(' '),
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
