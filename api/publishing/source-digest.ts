import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';
import { filesBelow } from './compress.ts';

/** The project’s folder, which contains package.json. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The settings that pages print or that decide what they load. */
export type PageSettings = Pick<
  Config,
  'siteName' | 'publicUrl' | 'supportEmail' | 'analyticsScript' | 'analyticsSite' | 'adsScript'
>;

/** The digests of a build’s inputs other than the database. */
export interface SourceDigest {
  /** The inputs of a report’s page. */
  readonly pages: string;
  /** All inputs including articles; the site is out of date if it differs from the release’s. */
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
// The site service and tests don’t affect pages.
const left = /(^|\/)(site\/(server|e2e)\/|[^/]*\.(test|e2e)\.tsx?$)/;

/** Digests every source file of the site and the settings; takes tens of milliseconds. */
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

const noSettings: PageSettings = {
  ...{ siteName: '', publicUrl: '', supportEmail: '' },
  ...{ analyticsScript: null, analyticsSite: null, adsScript: null },
};

/** The digest of code, texts, and settings, or of code and texts alone, as a name for a folder. */
export const codeDigest = (settings: PageSettings | null): string =>
  Buffer.from(sourceDigest(settings ?? noSettings).pages, 'base64url')
    .toString('hex')
    .slice(0, 20);

/**
 * The digest of the code that renders on demand, without the release’s folder, which is baked into it and thus into the
 * hashes of its chunk names.
 */
export function digestOfServer(folder: string, id: string): string {
  const plain = (text: string) => text.replaceAll(id, '').replace(/_[\w-]{8}\.mjs/g, '.mjs');
  const files = (existsSync(folder) ? filesBelow(folder, '') : []).map(
    (path) => `\0${plain(path)}\0${plain(readFileSync(join(folder, path), 'utf8'))}`,
  );
  return createHash('sha256').update(files.sort().join('')).digest('base64url').slice(0, 27);
}
