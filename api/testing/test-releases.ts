import { mkdirSync, writeFileSync } from 'node:fs';
import { releaseFiles } from '#contract/publishing.ts';
import type { StoredFile } from '#contract/publishing.ts';
import { encode } from '#api/publishing/encode.ts';
import { Manifest } from '#api/publishing/manifest.ts';
import { addRelease, addTree, newestState } from '#api/publishing/releases.ts';
import type { FileChange } from '#api/publishing/releases.ts';
import { inReleases, storeObjects } from '#api/publishing/store.ts';
import type { MoveGuard } from '#api/publishing/store.ts';

const run = (work: () => void) => Promise.resolve().then(work);
/** For publishers that need no job. */
export const unguarded: MoveGuard = { portion: run, finish: run };
const details = () => {
  const now = Date.now();
  return { now, startedAt: now, reason: 'a test', guard: () => unguarded };
};

async function stored(dataDir: string, address: string, text: string): Promise<StoredFile> {
  const encoded = await encode(address, Buffer.from(text));
  await storeObjects(dataDir, address, encoded, { durable: false });
  return encoded.file;
}

/** Publishes texts by address as a tree of a new code build with this server entry, and returns the release’s id. */
export async function publishTree(
  dataDir: string,
  texts: Readonly<Record<string, string>>,
  { code = 'code1', entry = 'export const handler = (request, response, next) => next();' } = {},
): Promise<string> {
  const server = inReleases(dataDir, releaseFiles.code, code, releaseFiles.server);
  mkdirSync(server, { recursive: true });
  writeFileSync(`${server}/${releaseFiles.serverEntry}`, entry);
  const manifest = new Manifest(dataDir, {});
  for (const [address, text] of Object.entries(texts)) manifest.set(address, await stored(dataDir, address, text));
  return (await addTree(dataDir, code, manifest, details())).id;
}

/** Publishes changed texts, or null for removed addresses, and returns the release’s id. */
export async function publishTexts(dataDir: string, texts: Readonly<Record<string, string | null>>): Promise<string> {
  const changes: FileChange[] = [];
  for (const [address, text] of Object.entries(texts))
    changes.push({ address, file: text === null ? null : await stored(dataDir, address, text) });
  const release = await addRelease(dataDir, newestState(dataDir)!, changes, details());
  if (release === null) throw new Error('Nothing has changed.');
  return release.id;
}
