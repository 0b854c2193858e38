import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config.ts';
import { filesBelow } from './disk.ts';

/** The project’s folder, which contains package.json. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The settings that pages print or that decide what they load. */
export type PageSettings = Pick<
  Config,
  'siteName' | 'publicUrl' | 'supportEmail' | 'timeZone' | 'smtpUrl' | 'analyticsScript' | 'analyticsSite' | 'adsScript'
>;

// Whole folders: what pages show comes from most of the API, and nobody would keep a list of its parts.
const folders = ['site', 'content/texts', 'api', 'db', '.config'];
const files = ['astro.config.mjs', 'package-lock.json', 'tsconfig.json'];
// Tests don’t affect pages.
const left = /^(site\/e2e|api\/testing)\/|\.(test|e2e)\.tsx?$/;

const noSettings: PageSettings = {
  ...{ siteName: '', publicUrl: '', supportEmail: '', timeZone: '' },
  ...{ smtpUrl: null, analyticsScript: null, analyticsSite: null, adsScript: null },
};

/**
 * The digest of code, texts, and settings (null: of code and texts alone), as a name for a folder. Takes a
 * fraction of a second.
 */
export function codeDigest(settings: PageSettings | null, root = projectFolder): string {
  const { siteName, publicUrl, supportEmail, timeZone, smtpUrl, analyticsScript, analyticsSite, adsScript } =
    settings ?? noSettings;
  const hash = createHash('sha256');
  const scripts = [analyticsScript, analyticsSite, adsScript];
  hash.update(JSON.stringify([siteName, publicUrl, supportEmail, timeZone, smtpUrl !== null, ...scripts]));
  for (const file of files) add(file);
  for (const folder of folders) for (const file of filesBelow(join(root, folder)).sort()) add(`${folder}/${file}`);
  return hash.digest('hex').slice(0, 20);

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

/** The folders that an operator edits while the site runs; code changes take effect on restart. */
const contentFolders = ['content/blog', 'content/images', 'content/legal', 'content/pages', 'content/texts'];

/** Sizes and modification times of all content files; takes about a millisecond. */
function contentStamp(root: string): ReadonlyMap<string, string> {
  const files = contentFolders.flatMap((folder) => filesBelow(join(root, folder)).map((name) => `${folder}/${name}`));
  return new Map(
    files.map((file) => {
      const facts = statSync(join(root, file), { throwIfNoEntry: false });
      return [file, `${facts?.size} ${facts?.mtimeMs}`];
    }),
  );
}

/**
 * Returns a check to be run about once per second. It calls `onChange` with the changed, new, and deleted files when
 * content has changed and then stayed the same, so that ten files saved in a row are one change.
 */
export function watchContent(
  onChange: (files: readonly string[]) => Promise<void>,
  root = projectFolder,
): () => Promise<void> {
  let reported = contentStamp(root);
  let known = reported;
  return async () => {
    const stamp = contentStamp(root);
    const changedSince = (earlier: ReadonlyMap<string, string>) =>
      [...new Set([...earlier.keys(), ...stamp.keys()])].filter((file) => earlier.get(file) !== stamp.get(file));
    const isStill = changedSince(known).length === 0;
    known = stamp;
    const changed = isStill ? changedSince(reported) : [];
    if (changed.length === 0) return;
    reported = stamp;
    await onChange(changed);
  };
}
