/**
 * The child process that runs a plain build, which renders every page. It is separate because the build sets NODE_ENV,
 * never unloads modules, and must be stoppable at any moment. Folders and settings are passed in the environment; progress
 * and errors are sent as messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'astro';
import { addresses, pageData } from '#api/page-data/page-data.service.ts';
import { reportFile, snapshotFiles } from '#contract/snapshot.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { fixedAddresses } from '#site/renderer/fixed-addresses.ts';
import { showLivePages } from '#site/renderer/live-pages.ts';
import { astroError, astroProgress } from '#api/publishing/astro.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';

const send = (message: object, done: () => void = () => undefined) => process.send?.(message, done);

const outDir = process.env.RELEASE_DIR;
if (outDir === undefined) throw new Error('RELEASE_DIR is missing. Use npm run build, which sets it.');
// A build without its parent would publish nothing; it must not waste CPU.
process.on('disconnect', () => process.exit(1));

try {
  const settings = readConfig();
  const source = { db: openDatabase(settings.databaseUrl, { readOnly: true }), clock: systemClock };
  const toRender = join(process.env.SNAPSHOT_DIR ?? '', snapshotFiles.reportsToRender);
  const reports = JSON.parse(readFileSync(toRender, 'utf8')) as string[];
  const livePages = {
    data: () => pageData({ ...source, settings }),
    async addresses() {
      const open = (await pageData({ ...source, settings }).activePolls()).map(({ id }) => id);
      const polls = new Set([...reports, ...open].map((id) => `/${reportFile(id).replace('.html', '')}`));
      const all = await Array.fromAsync(addresses(source, fixedAddresses));
      return all.filter((address) => !/^\/poll\/[^.]+$/.test(address) || polls.has(address));
    },
  };
  await build({
    root: projectFolder,
    outDir,
    // A log line per page would be slow; progress is sent as messages.
    logLevel: 'warn',
    integrations: [astroProgress((progress) => send({ progress })), showLivePages(livePages)],
  });
  process.exit(0);
} catch (error) {
  send({ error: astroError(error) }, () => process.exit(1));
}
