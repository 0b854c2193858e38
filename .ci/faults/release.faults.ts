import { createHash } from 'node:crypto';
import { cp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleaseFacts } from '#contract/publishing.ts';
import { currentReleaseId, readManifest, releaseFolder, releasesFolder } from '#api/publishing/releases.ts';
import { faultTexts } from './texts.ts';
import { siteTexts } from '#texts/site.ts';
import type { Line, Scenario } from './scenario.ts';
import type { Stand } from './stand.ts';

const texts = faultTexts.release;

/** An id that sorts before all others. */
const olderId = '20200101T000000Z-0000';

interface Damage {
  readonly what: string;
  /** Whether an older release is there that could stand in. */
  readonly older: boolean;
  do(client: string, stand: Stand, id: string): Promise<void>;
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
    do: (_, stand, id) => truncate(join(releaseFolder(stand.dataDir, id), releaseFiles.manifest), 2_000),
  },
  {
    what: texts.facts,
    older: true,
    do: (_, stand, id) => writeFile(join(releaseFolder(stand.dataDir, id), releaseFiles.facts), '{"id": "'),
  },
  {
    what: texts.dangling,
    older: true,
    async do(_, stand) {
      const draft = join(releasesFolder(stand.dataDir), 'draft');
      await symlink('20300101T000000Z-ffff', draft, 'dir');
      await rename(draft, join(releasesFolder(stand.dataDir), releaseFiles.current));
    },
  },
  { what: texts.allGone, older: false, do: (_, stand) => rm(releasesFolder(stand.dataDir), { recursive: true }) },
];

/** Files of the release that is served are damaged or missing; the site service starts on that. */
export const damagedRelease: Scenario = {
  name: 'release',
  async run(fault) {
    const stand = await fault.stand('SQLite');
    const whole = join(fault.folder, 'whole');
    await cp(releasesFolder(stand.dataDir), whole, { recursive: true, verbatimSymlinks: true });
    const id = (await currentReleaseId(stand.dataDir)) ?? '';
    const manifest = await readManifest(stand.dataDir, id);
    if (!manifest) throw new Error(texts.noManifest);
    const pages = Object.entries(manifest.files).map(([path, { hash }]) => ({ path, hash }));
    for (const damage of damages) {
      await rm(releasesFolder(stand.dataDir), { recursive: true, force: true });
      await cp(whole, releasesFolder(stand.dataDir), { recursive: true, verbatimSymlinks: true });
      if (damage.older) await makeOlder(stand, id);
      await damage.do(join(releaseFolder(stand.dataDir, id), releaseFiles.client), stand, id);
      const line = fault.line(damage.what);
      await stand.startAnySite();
      const seen = { whole: 0, refused: 0 };
      for (const encoding of ['br', 'gzip', 'identity'])
        for (const page of pages) await look(stand, page, encoding, line, seen);
      line.shown(texts.seen(seen.whole, seen.refused));
      line.expect(damage.what === texts.allGone || seen.whole > seen.refused, texts.nothingLeft);
      await stand.stop();
      const said = stand.lastSaid();
      line.expect(/release (could not be loaded|is damaged)|there is no release/.test(said), texts.notLogged(said));
      fault.step(damage.what);
    }
  },
};

async function makeOlder(stand: Stand, id: string): Promise<void> {
  const folder = releaseFolder(stand.dataDir, olderId);
  await cp(releaseFolder(stand.dataDir, id), folder, { recursive: true });
  const path = join(folder, releaseFiles.facts);
  const facts = JSON.parse(await readFile(path, 'utf8')) as ReleaseFacts;
  await writeFile(path, JSON.stringify({ ...facts, id: olderId, serverFrom: olderId }));
}

/** Asks for one file: it is whole, or the answer says why not. */
async function look(
  stand: Stand,
  { path, hash }: { path: string; hash: string },
  encoding: string,
  line: Line,
  seen: { whole: number; refused: number },
): Promise<void> {
  const address = path.endsWith('.html') ? `/${path.replace(/(^|\/)index\.html$|\.html$/, '')}` : `/${path}`;
  if (address === '/404') return;
  const answer = await fetch(stand.origin + address, {
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
