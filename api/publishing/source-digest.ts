import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';

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
    for (const file of filesBelow(join(root, folder))) add(relative(root, file).split(sep).join('/'));
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

function filesBelow(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    });
}
