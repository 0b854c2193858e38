import { cp, rename, rm, symlink, truncate } from 'node:fs/promises';
import { buildFiles, fileOf } from '#domain/build-files.ts';
import { inBuilds, servedBuild } from '#api/publishing/builds.ts';
import { endings } from '#api/publishing/encode.ts';
import { publishedPages } from '#api/testing/test-builds.ts';
import { siteTexts } from '#texts/site.ts';
import type { Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';

interface Damage {
  readonly what: string;
  do(instance: Instance): Promise<void>;
  /** What the site service logs, if the operator has to do something. */
  readonly log: RegExp | null;
  /** The reason that visitors of a page get who don’t get the page. */
  readonly reason: string;
}

/** The stored copies of an address; not every one exists. */
const copiesOf = ({ dataDir }: Instance, address: string) =>
  endings.map((ending) => inBuilds(dataDir, buildFiles.current, buildFiles.client, fileOf(address) + ending));

/** Changes the stored copies of an address. */
const eachCopy = (instance: Instance, address: string, work: (file: string) => Promise<unknown>) =>
  Promise.all(copiesOf(instance, address).map((file) => work(file).catch(() => undefined))).then(() => undefined);

const unread = { log: /a saved page could not be read/, reason: siteTexts.unreadable.text };
const unbuilt = { log: /no page is published yet/, reason: siteTexts.building.text };

const damages: readonly Damage[] = [
  { what: 'nothing damaged', do: () => Promise.resolve(), log: null, reason: 'none' },
  {
    what: 'page missing',
    do: (instance) => eachCopy(instance, '/about', rm),
    log: /the API did not respond/,
    reason: siteTexts.renderFailed.text,
  },
  {
    what: 'compressed copies of the home page truncated',
    do: (instance) =>
      eachCopy(instance, '/', (file) => (file.endsWith('.html') ? Promise.resolve() : truncate(file, 700))),
    ...unread,
  },
  {
    what: 'page that can’t be read',
    do: (instance) =>
      eachCopy(instance, '/about', async (file) => {
        await rm(file);
        await symlink(file, file);
      }),
    ...unread,
  },
  {
    what: 'link to a build that doesn’t exist',
    async do({ dataDir }) {
      await symlink('gone', inBuilds(dataDir, 'link'), 'dir');
      await rename(inBuilds(dataDir, 'link'), inBuilds(dataDir, buildFiles.current));
    },
    ...unbuilt,
  },
  {
    what: 'served build deleted',
    do: ({ dataDir }) => rm(inBuilds(dataDir, servedBuild(dataDir)!), { recursive: true }),
    ...unbuilt,
  },
  { what: 'no build at all', do: ({ dataDir }) => rm(inBuilds(dataDir), { recursive: true }), ...unbuilt },
];

/** Saved pages are damaged or missing while the API is down, so that nothing renders them again. */
export const damagedPages: Scenario = {
  name: 'pages',
  async run(fault) {
    const instance = await fault.instance('SQLite');
    const { dataDir } = instance;
    const whole = `${fault.folder}/whole`;
    await cp(inBuilds(dataDir), whole, { recursive: true, verbatimSymlinks: true });
    const pages = Object.entries(await publishedPages(dataDir));
    for (const damage of damages) {
      await rm(inBuilds(dataDir), { recursive: true, force: true });
      await cp(whole, inBuilds(dataDir), { recursive: true, verbatimSymlinks: true });
      await damage.do(instance);
      const line = fault.line(damage.what);
      await instance.startAnySite();
      const seen = { whole: 0, refused: 0 };
      for (const encoding of ['br', 'gzip', 'identity'])
        for (const [address, text] of pages)
          if (!address.startsWith('/404'))
            await checkPage(instance, { address, text, encoding, reason: damage.reason }, line, seen);
      line.shown(`${seen.whole} responses complete, ${seen.refused} refused with a reason`);
      const isServed = damage.reason !== siteTexts.building.text;
      line.expect(isServed ? seen.whole > 10 * seen.refused : seen.whole === 0, 'other pages are affected');
      await instance.stop();
      const output = instance.lastOutput();
      line.expect(damage.log?.test(output) ?? true, `the log does not report it: ${output.slice(-300)}`);
      fault.step(damage.what);
    }
  },
};

interface Check {
  readonly address: string;
  readonly text: string;
  readonly encoding: string;
  readonly reason: string;
}

/** Requests one page and expects either the whole page or the reason. */
async function checkPage(
  instance: Instance,
  { address, text, encoding, reason }: Check,
  line: Line,
  seen: { whole: number; refused: number },
): Promise<void> {
  const answer = await fetch(instance.origin + address, {
    headers: { 'accept-encoding': encoding },
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  })
    .then(async (response) => ({ status: response.status, body: await response.text() }))
    .catch((error: unknown) => ({ status: 0, body: String(error) }));
  if (answer.status === 200) {
    seen.whole += 1;
    line.expect(answer.body === text, `${address} (${encoding}) returned 200, but is not the page`);
  } else {
    seen.refused += 1;
    const isExplained = answer.status === 503 && answer.body.includes(reason);
    line.expect(isExplained, `${address} returned ${answer.status}: ${answer.body.slice(0, 160)}`);
  }
}
