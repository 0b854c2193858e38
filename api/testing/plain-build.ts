/**
 * A plain `astro build` in a process of its own, which writes every page to the folder `PLAIN_BUILD` as of the moment
 * `PAGES_NOW` (milliseconds); for the comparison with what the renderer makes of the same data.
 */
import { build } from 'astro';
import { addresses, pageData } from '#api/page-data/page-data.service.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { fixedAddresses } from '#site/renderer/fixed-addresses.ts';
import { showLivePages } from '#site/renderer/live-pages.ts';

const settings = readConfig();
const source = {
  db: openDatabase(settings.databaseUrl, { readOnly: true }),
  clock: fixedClock(Number(process.env.PAGES_NOW)),
};
const pages = showLivePages({
  data: () => pageData({ ...source, settings }),
  addresses: () => Array.fromAsync(addresses(source, fixedAddresses)),
});
await build({ root: projectFolder, outDir: process.env.PLAIN_BUILD!, logLevel: 'warn', integrations: [pages] });
process.exit(0);
