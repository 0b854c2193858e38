import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFiles } from '#contract/publishing.ts';
import type { Config } from '#platform/config.ts';
import { knownMigrations } from '#platform/database.ts';
import { runCodeBuild } from './astro.ts';
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
