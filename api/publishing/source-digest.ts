import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';
import { filesBelow } from './compress.ts';

/** Folder of the project: where package.json is. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The settings that pages print or that decide what they load. */
export type PageSettings = Pick<
  Config,
  'siteName' | 'publicUrl' | 'supportEmail' | 'analyticsScript' | 'analyticsSite' | 'adsScript'
>;

/** Digests of what a build is made of besides the database. */
export interface SourceDigest {
  /** What a report's page depends on. */
  readonly pages: string;
  /** Everything, articles too: when it differs from the release's, the site is out of date. */
  readonly all: string;
}

const reportSources = ['site', 'content/texts', 'api/contract', 'api/domain'];
const otherSources = ['content/blog', 'content/legal', 'content/pages', 'api/blog'];
const files = [
  'astro.config.mjs',
  '.config/contract-checks.ts',
  'package-lock.json',
  'tsconfig.json',
  'api/platform/config.ts',
];
// The site service and the tests never end up in a page.
const left = /(^|\/)(site\/(server|e2e)\/|[^/]*\.(test|e2e)\.tsx?$)/;

/** Reads every source file of the site and digests it together with the settings; takes some ten milliseconds. */
export function sourceDigest(settings: PageSettings, root = projectFolder): SourceDigest {
  const { siteName, publicUrl, supportEmail, analyticsScript, analyticsSite, adsScript } = settings;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([siteName, publicUrl, supportEmail, analyticsScript, analyticsSite, adsScript]));
  for (const file of files) add(file);
  for (const folder of reportSources) addFolder(folder);
  const pages = hash.copy().digest('base64url');
  for (const folder of otherSources) addFolder(folder);
  return { pages, all: hash.digest('base64url') };

  function addFolder(folder: string): void {
    const files = existsSync(join(root, folder)) ? filesBelow(join(root, folder), '') : [];
    for (const file of files.sort()) add(`${folder}/${file}`);
  }

  function add(file: string): void {
    if (left.test(file)) return;
    let content: Buffer;
    try {
      content = readFileSync(join(root, file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
}

/**
 * Digest of the code that renders on demand. The release's own folder is baked into it, and by that into the hashes
 * in the names of its chunks; both say nothing about what the code does.
 */
export function digestOfServer(folder: string, id: string): string {
  const plain = (text: string) => text.replaceAll(id, '').replace(/_[\w-]{8}\.mjs/g, '.mjs');
  const files = (existsSync(folder) ? filesBelow(folder, '') : []).map(
    (path) => `\0${plain(path)}\0${plain(readFileSync(join(folder, path), 'utf8'))}`,
  );
  return createHash('sha256').update(files.sort().join('')).digest('base64url').slice(0, 27);
}
