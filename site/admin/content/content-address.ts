import { contentFolders } from '#contract/content.ts';
import type { ContentFolder } from '#contract/content.ts';
import { deskPages } from '#texts/desk.ts';

/** What an entry is found by. */
export interface EntryKey {
  readonly folder: ContentFolder;
  readonly name: string;
}

/** The address of the list. */
export const contentPath = deskPages.content.path;

/** The name of an entry in addresses and keys: blog/a-tie. */
export const entryQuery = ({ folder, name }: EntryKey): string => `${folder}/${name}`;

/** The address of the editor of an entry. */
export const editorPath = (key: EntryKey): string => `${contentPath}?entry=${entryQuery(key)}`;

/** The entry that a query string names; null for the list. */
export function entryIn(search: string): EntryKey | null {
  const [folder, name] = (new URLSearchParams(search).get('entry') ?? '').split('/');
  const known = contentFolders.find((one) => one === folder);
  return known === undefined || name === undefined || !/^[a-z0-9-]{1,120}$/.test(name) ? null : { folder: known, name };
}

/** The address of the published page of an entry. */
export const pagePath = ({ folder, name }: EntryKey): string => (folder === 'blog' ? `/blog/${name}` : `/${name}`);
