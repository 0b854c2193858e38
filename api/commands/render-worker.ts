/**
 * The process of a renderer: reads a page's data from the database and renders it with a code build, whose folder is its
 * argument. Settings are passed in the environment, and pages are asked for in messages; see api/publishing/renderer.ts.
 */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageData } from '#contract/page-data.ts';
import { fixedClock, iso } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { readyNumber } from '#api/publishing/renderer.ts';
import type { RenderAnswer, RenderRequest } from '#api/publishing/renderer.ts';
import { encode } from '#api/publishing/encode.ts';
import { codeFiles } from '#api/publishing/code-build.ts';
import { storeObjects } from '#api/publishing/store.ts';
import { listsReadOnce, pageData } from '#api/page-data/page-data.service.ts';

/** How long PostgreSQL may take for one query, in milliseconds. */
const queryMs = 60_000;

interface RendererEntry {
  readonly render: (address: string, data: PageData) => Promise<Buffer | null>;
}

const settings = readConfig();
const db = openDatabase(settings.databaseUrl, { readOnly: true, timeouts: { acquireMs: queryMs, queryMs } });
const entry = join(process.argv[2]!, codeFiles.renderer, codeFiles.rendererEntry);
const loaded = import(pathToFileURL(entry).href) as Promise<RendererEntry>;

let rendering = 0;
let latest: PageData | null = null;
/** The data as of a moment. Pages of one publish share what they read; once nothing is rendered, it is read again. */
function dataAsOf(now: number): PageData {
  if (rendering === 0 || latest?.now !== iso(now))
    latest = listsReadOnce(pageData({ db, clock: fixedClock(now), settings }));
  return latest;
}

const answer = (...given: RenderAnswer) => process.send?.(given);

process.on('message', ([number, address, now, kept, storing]: RenderRequest) => {
  const data = dataAsOf(now);
  rendering += 1;
  loaded
    .then(({ render }) => render(address, data))
    .finally(() => (rendering -= 1))
    .then(async (page) => {
      const encoded = page && (await encode(address, page, kept));
      if (encoded === null || storing === null) return encoded;
      // Stored here, so that contents are not copied to another process.
      await storeObjects(settings.dataDir, address, encoded, storing);
      return { ...encoded, copies: null };
    })
    .then(
      (page) => answer(number, page),
      (error: unknown) => answer(number, null, messageOf(error)),
    );
});
process.on('disconnect', () => process.exit());
loaded.then(
  () => {
    answer(readyNumber, null);
    // It is ended by a signal, which would lose what it has compiled.
    flushCompileCache();
  },
  (error: unknown) => answer(readyNumber, null, messageOf(error)),
);
