import { createHash } from 'node:crypto';
import { cp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleaseFacts } from '#contract/publishing.ts';
import { currentReleaseId, readManifest, releaseFolder, releasesFolder } from '#api/publishing/releases.service.ts';
import { faultTexts } from './texts.ts';
import { siteTexts } from '#texts/site.ts';
import type { Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';

const texts = faultTexts.release;

/** An id that sorts before all others. */
const olderId = '20200101T000000Z-0000';

interface Damage {
  readonly what: string;
  /** Whether an older release is available as a fallback. */
  readonly older: boolean;
  do(client: string, instance: Instance, id: string): Promise<void>;
}

const all = (path: string) => [path, `${path}.br`, `${path}.gz`];
const eachCopy = async (client: string, path: string, work: (file: string) => Promise<void>) => {
  for (const file of all(join(client, path))) await work(file).catch(() => undefined);
};

const damages: readonly Damage[] = [
  ...[true, false].flatMap((older): Damage[] => [
    { what: texts.cut(older), older, do: (client) => eachCopy(client, 'index.html', (file) => truncate(file, 700)) },
    {
      what: texts.garbled(older),
      older,
      do: (client) => eachCopy(client, 'about.html', async (file) => writeFile(file, (await readFile(file)).fill(88))),
    },
    { what: texts.gone(older), older, do: (client) => eachCopy(client, 'historical.html', (file) => rm(file)) },
  ]),
  { what: texts.brotli, older: false, do: (client) => truncate(join(client, 'terms.html.br'), 300) },
  {
    what: texts.manifest,
    older: true,
    do: (_, instance, id) => truncate(join(releaseFolder(instance.dataDir, id), releaseFiles.manifest), 2_000),
  },
  {
    what: texts.facts,
    older: true,
    do: (_, instance, id) => writeFile(join(releaseFolder(instance.dataDir, id), releaseFiles.facts), '{"id": "'),
  },
  {
    what: texts.dangling,
    older: true,
    async do(_, instance) {
      const draft = join(releasesFolder(instance.dataDir), 'draft');
      await symlink('20300101T000000Z-ffff', draft, 'dir');
      await rename(draft, join(releasesFolder(instance.dataDir), releaseFiles.current));
    },
  },
  { what: texts.allGone, older: false, do: (_, instance) => rm(releasesFolder(instance.dataDir), { recursive: true }) },
];

/** Files of the current release are damaged or missing when the site service starts. */
export const damagedRelease: Scenario = {
  name: 'release',
  async run(fault) {
    const instance = await fault.instance('SQLite');
    const whole = join(fault.folder, 'whole');
    await cp(releasesFolder(instance.dataDir), whole, { recursive: true, verbatimSymlinks: true });
    const id = (await currentReleaseId(instance.dataDir)) ?? '';
    const manifest = await readManifest(instance.dataDir, id);
    if (!manifest) throw new Error(texts.noManifest);
    const pages = Object.entries(manifest.files).map(([path, { hash }]) => ({ path, hash }));
    for (const damage of damages) {
      await rm(releasesFolder(instance.dataDir), { recursive: true, force: true });
      await cp(whole, releasesFolder(instance.dataDir), { recursive: true, verbatimSymlinks: true });
      if (damage.older) await makeOlder(instance, id);
      await damage.do(join(releaseFolder(instance.dataDir, id), releaseFiles.client), instance, id);
      const line = fault.line(damage.what);
      await instance.startAnySite();
      const seen = { whole: 0, refused: 0 };
      for (const encoding of ['br', 'gzip', 'identity'])
        for (const page of pages) await checkFile(instance, page, encoding, line, seen);
      line.shown(texts.seen(seen.whole, seen.refused));
      line.expect(damage.what === texts.allGone || seen.whole > seen.refused, texts.nothingLeft);
      await instance.stop();
      const output = instance.lastOutput();
      line.expect(/release (could not be loaded|is damaged)|there is no release/.test(output), texts.notLogged(output));
      fault.step(damage.what);
    }
  },
};

async function makeOlder(instance: Instance, id: string): Promise<void> {
  const folder = releaseFolder(instance.dataDir, olderId);
  await cp(releaseFolder(instance.dataDir, id), folder, { recursive: true });
  const path = join(folder, releaseFiles.facts);
  const facts = JSON.parse(await readFile(path, 'utf8')) as ReleaseFacts;
  await writeFile(path, JSON.stringify({ ...facts, id: olderId, serverFrom: olderId }));
}

/** Requests one file and expects either the complete file or an explanation. */
async function checkFile(
  instance: Instance,
  { path, hash }: { path: string; hash: string },
  encoding: string,
  line: Line,
  seen: { whole: number; refused: number },
): Promise<void> {
  const address = path.endsWith('.html') ? `/${path.replace(/(^|\/)index\.html$|\.html$/, '')}` : `/${path}`;
  if (address === '/404') return;
  const answer = await fetch(instance.origin + address, {
    headers: { 'accept-encoding': encoding },
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  })
    .then(async (response) => ({ status: response.status, body: Buffer.from(await response.arrayBuffer()) }))
    .catch((error: unknown) => ({ status: 0, body: Buffer.from(String(error)) }));
  if (answer.status === 200) {
    seen.whole += 1;
    const digest = createHash('sha256').update(answer.body).digest('base64url');
    line.expect(digest.startsWith(hash), texts.broken(address, encoding));
    return;
  }
  seen.refused += 1;
  const text = answer.body.toString();
  const saysWhy = [siteTexts.damaged.text, siteTexts.building.text].some((sentence) => text.includes(sentence));
  line.expect(answer.status === 503 && saysWhy, texts.unclear(address, answer.status, text));
}
