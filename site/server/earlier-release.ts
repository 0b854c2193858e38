import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { StoredFile } from '#contract/publishing.ts';
import { ServedFile } from './served-file.ts';
import type { ServedRelease } from './served-file.ts';

/** The metadata of a release, and its files by their paths below `client`, as earlier versions of this software wrote them. */
interface EarlierFacts {
  readonly id: string;
  readonly pages: number;
  /** The release whose server code renders on demand. */
  readonly serverFrom: string;
}
type EarlierManifest = Readonly<Record<string, Omit<StoredFile, 'plain'>>>;

/**
 * A release of an earlier version of this software, a folder of its own: it is served until the first publish of this
 * version. Rejects if it is incomplete.
 */
export async function readEarlierRelease(folder: string, alwaysHeaders: readonly string[]): Promise<ServedRelease> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown;
  const { id, pages, serverFrom } = (await read(releaseFiles.head)) as EarlierFacts;
  const manifest = (await read('manifest.json')) as { readonly files: EarlierManifest };
  const files = new Map<string, ServedFile>();
  for (const [path, file] of Object.entries(manifest.files)) {
    const address = path === 'index.html' ? '/' : `/${path}`.replace(/(\/index)?\.html$/, '');
    const place = join(folder, releaseFiles.client, path);
    files.set(address, new ServedFile(address, { ...file, plain: true }, place, alwaysHeaders));
  }
  const known = (address: string) => files.get(address) ?? null;
  return {
    head: { release: id, pages },
    serverEntry: join(folder, '..', serverFrom, releaseFiles.server, releaseFiles.serverEntry),
    known,
    find: (address) => Promise.resolve(known(address)),
    older: async function* () {
      // Only one release of that version is served.
    },
  };
}
