import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { endings } from '#api/publishing/encode.ts';
import { Manifest } from '#api/publishing/manifest.ts';
import { currentHead, inReleases, objectPath } from '#api/publishing/store.ts';
import { archiveTexts } from '#texts/archive.ts';
import { siteTexts } from '#texts/site.ts';
import type { Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';

interface Damage {
  readonly what: string;
  /** Changes the contents of an address, or anything else. */
  do(instance: Instance): Promise<void>;
}

/** Changes every stored copy of an address, or one. */
async function eachCopy(
  { dataDir }: Instance,
  address: string,
  work: (file: string) => Promise<unknown>,
  only: readonly (typeof endings)[number][] = endings,
): Promise<void> {
  const file = new Manifest(dataDir, currentHead(dataDir)!.shards).get(address);
  if (file === null) throw new Error('There is no file list.');
  for (const ending of only) await work(objectPath(dataDir, address, file.hash, ending)).catch(() => undefined);
}

const headPath = ({ dataDir }: Instance) => inReleases(dataDir, releaseFiles.current, releaseFiles.head);

const damages: readonly Damage[] = [
  { what: 'home page truncated', do: (instance) => eachCopy(instance, '/', (file) => truncate(file, 700)) },
  {
    what: 'page garbled',
    do: (instance) => eachCopy(instance, '/about', async (file) => writeFile(file, (await readFile(file)).fill(88))),
  },
  { what: 'page missing', do: (instance) => eachCopy(instance, '/historical', (file) => rm(file)) },
  {
    what: 'one compressed copy of a page truncated',
    do: (instance) => eachCopy(instance, '/terms', (file) => truncate(file, 300), ['.br']),
  },
  {
    what: 'file list truncated at startup',
    async do(instance) {
      const [part = ''] = Object.values(currentHead(instance.dataDir)!.shards);
      await truncate(inReleases(instance.dataDir, releaseFiles.manifests, `${part}.json`), 20);
    },
  },
  { what: 'release metadata damaged at startup', do: (instance) => writeFile(headPath(instance), '{"release": "') },
  {
    what: 'symlink to the release is broken',
    async do({ dataDir }) {
      const draft = inReleases(dataDir, 'draft');
      await symlink(join(releaseFiles.trees, '20300101T000000000Z-ffff'), draft, 'dir');
      await rename(draft, inReleases(dataDir, releaseFiles.current));
    },
  },
  { what: 'no release at all', do: ({ dataDir }) => rm(inReleases(dataDir), { recursive: true }) },
];

/** Files of the current release are damaged or missing when the site service starts. */
export const damagedRelease: Scenario = {
  name: 'release',
  async run(fault) {
    const instance = await fault.instance('SQLite');
    // The release of an older code build, served if the head of the newest is damaged.
    const trees = inReleases(instance.dataDir, releaseFiles.trees);
    const [newest = ''] = await readdir(trees);
    await cp(join(trees, newest), join(trees, '20200101T000000000Z-0000'), { recursive: true });
    const whole = join(fault.folder, 'whole');
    await cp(inReleases(instance.dataDir), whole, { recursive: true, verbatimSymlinks: true });
    const head = currentHead(instance.dataDir);
    if (!head) throw new Error('There is no file list.');
    const pages = [...new Manifest(instance.dataDir, head.shards).entries()].map(([address, { hash }]) => ({
      address,
      hash,
    }));
    for (const damage of damages) {
      await rm(inReleases(instance.dataDir), { recursive: true, force: true });
      await cp(whole, inReleases(instance.dataDir), { recursive: true, verbatimSymlinks: true });
      await damage.do(instance);
      const line = fault.line(damage.what);
      await instance.startAnySite();
      const seen = { whole: 0, refused: 0 };
      for (const encoding of ['br', 'gzip', 'identity'])
        for (const page of pages) await checkFile(instance, page, encoding, line, seen);
      line.shown(`${seen.whole} responses complete, ${seen.refused} refused with a reason`);
      line.expect(damage.what === 'no release at all' || seen.whole > seen.refused, 'hardly anything is still served');
      await instance.stop();
      const output = instance.lastOutput();
      line.expect(
        /release (could not be loaded|is damaged)|there is no release/.test(output),
        `the log does not report it: ${output.slice(-300)}`,
      );
      fault.step(damage.what);
    }
  },
};

/** Requests one file and expects either the complete file or an explanation. */
async function checkFile(
  instance: Instance,
  { address, hash }: { address: string; hash: string },
  encoding: string,
  line: Line,
  seen: { whole: number; refused: number },
): Promise<void> {
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
    line.expect(digest.startsWith(hash), `${address} (${encoding}) returned 200, but is not the page`);
    return;
  }
  seen.refused += 1;
  const text = answer.body.toString();
  const saysWhy = [siteTexts.damaged.text, siteTexts.building.text, archiveTexts.failed.text].some((sentence) =>
    text.includes(sentence),
  );
  line.expect(answer.status === 503 && saysWhy, `${address} returned ${answer.status}: ${text.slice(0, 160)}`);
}
