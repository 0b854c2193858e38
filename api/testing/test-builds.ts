import { existsSync, mkdirSync, renameSync, rmSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildFiles, fileOf } from '#domain/build-files.ts';
import { buildIds, clientOf, inBuilds, pageAddresses, readPage, servedBuild } from '#api/publishing/builds.ts';
import type { BuildFacts } from '#api/publishing/builds.ts';
import { readCodeBuild } from '#api/publishing/code-build.ts';
import { filesBelow } from '#api/publishing/disk.ts';
import { decoded, encode, endings } from '#api/publishing/encode.ts';

/** Replaces a file as the publisher does: a reader finds the earlier one or the whole new one. */
function replace(dataDir: string, path: string, write: (draft: string) => void): void {
  const draft = inBuilds(dataDir, buildFiles.drafts, basename(path));
  for (const folder of [dirname(draft), dirname(path)]) mkdirSync(folder, { recursive: true });
  write(draft);
  renameSync(draft, path);
}

/**
 * Writes texts by address, or removes those that are null, in a build: the served one unless `build` names another, which
 * is served from then on. `entry` is the code that renders on demand; a new build without one renders nothing.
 */
export async function publishTexts(
  dataDir: string,
  texts: Readonly<Record<string, string | null>>,
  { build, entry }: { readonly build?: string; readonly entry?: string } = {},
): Promise<void> {
  const served = servedBuild(dataDir);
  const id = build ?? served ?? 'build1';
  const put = (path: string, content: Buffer | string) =>
    replace(dataDir, path, (draft) => writeFileSync(draft, content));
  const code = inBuilds(dataDir, id, buildFiles.server, buildFiles.serverEntry);
  if (entry !== undefined || !existsSync(code))
    put(code, entry ?? 'export const handler = (request, response, next) => next();');
  for (const [address, text] of Object.entries(texts)) {
    const copies = text === null ? null : await encode(address, Buffer.from(text));
    for (const ending of endings) {
      const path = inBuilds(dataDir, id, buildFiles.client, `${fileOf(address)}${ending}`);
      const copy = copies?.get(ending);
      if (copy === undefined) rmSync(path, { force: true });
      else put(path, copy);
    }
  }
  const facts: BuildFacts = { id, fixedAddresses: [], files: {}, schema: '' };
  put(inBuilds(dataDir, id, buildFiles.facts), JSON.stringify(facts));
  put(inBuilds(dataDir, id, buildFiles.fill), 'a test');
  if (id !== served) replace(dataDir, inBuilds(dataDir, buildFiles.current), (draft) => symlinkSync(id, draft, 'dir'));
}

/** The uncompressed contents of the served pages by address. */
export async function publishedPages(dataDir: string): Promise<Record<string, string>> {
  const build = servedBuild(dataDir)!;
  const code = (await readCodeBuild(inBuilds(dataDir, build)))!;
  const client = clientOf(dataDir, build);
  const addresses = pageAddresses(dataDir, code).sort();
  return Object.fromEntries(addresses.map((address) => [address, readPage(client, address)?.toString() ?? 'damaged']));
}

/** Files in the folder that is served that are not whole. */
export function damagedFiles(dataDir: string): string[] {
  const client = inBuilds(dataDir, buildFiles.current, buildFiles.client);
  const files = filesBelow(client);
  const damaged = files.filter((file) => {
    try {
      const ending = endings.find((one) => one !== '' && file.endsWith(one)) ?? '';
      return decoded[ending](readFileSync(join(client, file))).length === 0;
    } catch {
      return true;
    }
  });
  return files.length === 0 ? [client] : damaged;
}

/** The served files of all builds whose name or content has this word. */
export function filesWith(dataDir: string, word: string): string[] {
  return buildIds(dataDir).flatMap((build) => {
    const client = clientOf(dataDir, build);
    return filesBelow(client).filter((file) => {
      const ending = endings.find((one) => one !== '' && file.endsWith(one)) ?? '';
      return file.includes(word) || decoded[ending](readFileSync(join(client, file))).includes(word);
    });
  });
}
