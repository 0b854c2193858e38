/**
 * Renders the pages of `addresses.json` in the folder `PLAIN_FOLDER` with the request handler `ENTRY`, one at a time and each
 * with data of its own as of the moment `PAGES_NOW` (milliseconds), and writes the digests of what a visitor would see to
 * `digests.json`; for the comparison with what the renderer makes of the same data.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageData } from '#api/publishing/page-data/page-data.service.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { digestOf } from '#site/etag.ts';
import { finishPage } from '#site/layouts/finish-page.ts';
import type { PageApp } from '#site/server/renderer/page-answer.ts';

const { ENTRY = '', PLAIN_FOLDER = '', PAGES_NOW } = process.env;
const settings = readConfig();
const db = openDatabase(settings.databaseUrl, { readOnly: true });
const { app } = (await import(pathToFileURL(ENTRY).href)) as { readonly app: PageApp };
const all = JSON.parse(await readFile(join(PLAIN_FOLDER, 'addresses.json'), 'utf8')) as string[];
const digests: string[] = [];
for (const address of all) {
  const data = pageData({ db, clock: fixedClock(Number(PAGES_NOW)), settings });
  const response = await app.render(new Request(`http://localhost${address}`), { locals: { data } });
  const body = Buffer.from(await response.arrayBuffer());
  digests.push(digestOf(response.headers.get('content-type')?.startsWith('text/html') ? finishPage(body) : body));
}
await writeFile(join(PLAIN_FOLDER, 'digests.json'), JSON.stringify(digests));
process.exit(0);
