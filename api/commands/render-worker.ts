/**
 * The process of a renderer: reads a page's data from the database and renders it with a code build, whose folder is its
 * argument. Settings are passed in the environment, and pages are asked for in messages; see api/publishing/renderer.ts.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageData } from '#contract/page-data.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { readyNumber } from '#api/publishing/renderer.ts';
import type { RenderAnswer, RenderedPage, RenderRequest } from '#api/publishing/renderer.ts';
import { codeFiles } from '#api/publishing/code-build.ts';
import { pageData } from '#api/page-data/page-data.service.ts';

/** How long PostgreSQL may take for one query, in milliseconds. */
const queryMs = 60_000;

interface RendererEntry {
  readonly render: (address: string, data: PageData) => Promise<RenderedPage | null>;
}

const settings = readConfig();
const db = openDatabase(settings.databaseUrl, { readOnly: true, timeouts: { acquireMs: queryMs, queryMs } });
const entry = join(process.argv[2]!, codeFiles.renderer, codeFiles.rendererEntry);
const loaded = import(pathToFileURL(entry).href) as Promise<RendererEntry>;

const answer = (...given: RenderAnswer) => process.send?.(given);

process.on('message', ([number, address, now]: RenderRequest) => {
  const data = pageData({ db, clock: fixedClock(now), settings });
  loaded
    .then(({ render }) => render(address, data))
    .then(
      (page) => answer(number, page),
      (error: unknown) => answer(number, null, messageOf(error)),
    );
});
process.on('disconnect', () => process.exit());
loaded.then(
  () => answer(readyNumber, null),
  (error: unknown) => answer(readyNumber, null, messageOf(error)),
);
