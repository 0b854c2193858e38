import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { Config } from '#platform/config.ts';
import { runCodeBuild } from './astro.ts';
import { disk, isMissing, syncAll } from './disk.ts';
import { codeDigest, projectFolder } from './source-digest.ts';
import { currentHead } from './store.ts';

/** A finished code build: everything that Vite makes of code, texts, and settings. It contains no pages. */
export interface CodeBuild {
  /** Digest of code, texts, and settings. */
  readonly id: string;
  /** Has `client` (hashed assets and public files, with compressed copies), `server` (pages on demand), and `renderer`. */
  readonly folder: string;
  /** Addresses of the pages that exist whatever the database has. */
  readonly fixedAddresses: readonly string[];
}

interface CodeBuildOptions {
  readonly config: Config;
  /** The key of the site’s build, see `platform/secrets`. */
  readonly siteKey: string;
  readonly signal?: AbortSignal;
  /** For tests: where the container image has its code build. */
  readonly imageFolder?: string;
}

/** Names in the folder of a code build. */
export const codeFiles = {
  client: 'client',
  server: 'server',
  renderer: 'renderer',
  rendererEntry: 'entry.mjs',
  /** Written last: a folder without it is incomplete. */
  facts: 'code-build.json',
} as const;

/** The folder of all code builds. */
export const codeBuildsFolder = (dataDir: string) => join(dataDir, releaseFiles.folder, releaseFiles.code);

/** The folder of the code build whose pages are served; null before the first publish. */
export function servedCode(dataDir: string): string | null {
  const head = currentHead(dataDir);
  return head && join(codeBuildsFolder(dataDir), head.code);
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
  const builds = codeBuildsFolder(config.dataDir);
  const folder = join(builds, id);
  const existing = await readCodeBuild(folder);
  if (existing) return existing;
  await linkPackages(builds);
  const image = await readCodeBuild(imageFolder);
  if (image?.id === codeDigest(null)) {
    await rm(folder, { recursive: true, force: true });
    for (const part of [codeFiles.client, codeFiles.server, codeFiles.renderer])
      await cp(join(imageFolder, part), join(folder, part), { recursive: true });
    return finished(folder, { id, fixedAddresses: image.fixedAddresses });
  }
  return build(folder, id, options);
}

/** Makes the code build of a container image. */
export async function buildForImage(config: CodeBuildOptions['config']): Promise<CodeBuild> {
  // Nothing is encrypted with the key yet; if something is, every installation of the image has the same one.
  const siteKey = randomBytes(32).toString('base64');
  return build(ofImage, codeDigest(null), { config, siteKey });
}

async function build(folder: string, id: string, options: CodeBuildOptions): Promise<CodeBuild> {
  await rm(folder, { recursive: true, force: true });
  return finished(folder, { id, ...(await runCodeBuild({ ...options, folder })) });
}

async function finished(folder: string, facts: Omit<CodeBuild, 'folder'>): Promise<CodeBuild> {
  await syncAll(folder);
  const file = join(folder, codeFiles.facts);
  // In the same folder: a container image’s build may be on another file system than the data folder.
  await disk.write(`${file}.draft`, JSON.stringify(facts), { durable: true });
  disk.rename(`${file}.draft`, file);
  return { ...facts, folder };
}

/** The code build in a folder; null if there is none or it is incomplete or damaged. */
export async function readCodeBuild(folder: string): Promise<CodeBuild | null> {
  try {
    const facts = JSON.parse(await readFile(join(folder, codeFiles.facts), 'utf8')) as Omit<CodeBuild, 'folder'>;
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
