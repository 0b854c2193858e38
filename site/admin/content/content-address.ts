import { contentFolders } from '#api/content/content.contract.ts';
import type { ContentFolder } from '#api/content/content.contract.ts';
import { adminPages } from '#texts/admin-pages.ts';

/** What an entry is found by. */
export interface EntryKey {
  readonly folder: ContentFolder;
  readonly name: string;
}

/** The address of the list. */
export const contentPath = adminPages.content.path;

/** The name of an entry in addresses and keys: blog/a-tie. */
export const entryQuery = ({ folder, name }: EntryKey): string => `${folder}/${name}`;

/** The entry that a query names; null for the list. */
export function entryIn(query: URLSearchParams): EntryKey | null {
  const [folder, name] = (query.get('entry') ?? '').split('/');
  const known = contentFolders.find((one) => one === folder);
  return known === undefined || name === undefined || !/^[a-z0-9-]{1,120}$/.test(name) ? null : { folder: known, name };
}

/** The address of the published page of an entry. */
export const pagePath = ({ folder, name }: EntryKey): string => (folder === 'blog' ? `/blog/${name}` : `/${name}`);
