/**
 * The process of a renderer: reads a page's data from the database and renders it with a code build, whose folder is its
 * argument. Settings are passed in the environment, and pages are asked for in messages; see api/publishing/renderer.ts.
 */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { PageData } from '#api/publishing/page-data/page-data.contract.ts';
import { buildFiles } from '#domain/build-files.ts';
import { fixedClock, iso, systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { readyNumber } from '#api/publishing/renderer.ts';
import type { Rendered, RenderAnswer, RenderRequest, VisitorRequest } from '#api/publishing/renderer.ts';
import { encode } from '#api/publishing/encode.ts';
import { answerPage, savedPage } from '#site/server/renderer/page-answer.ts';
import type { PageApp } from '#site/server/renderer/page-answer.ts';
import { isStored, writeDraft } from '#api/publishing/builds.ts';
import { listsReadOnce, pageData } from '#api/publishing/page-data/page-data.service.ts';
import { pollsReadOnce } from '#api/polls/polls.service.ts';

/** How long PostgreSQL may take for one query, in milliseconds. */
const queryMs = 60_000;

const settings = readConfig();
const db = openDatabase(settings.databaseUrl, { readOnly: true, timeouts: { acquireMs: queryMs, queryMs } });
const entry = join(process.argv[2]!, buildFiles.server, buildFiles.serverEntry);
const loaded = import(pathToFileURL(entry).href) as Promise<{ readonly app: PageApp }>;
const render = async (address: string, data: PageData) =>
  savedPage((await loaded).app, address, data, settings.publicUrl);

let rendering = 0;
let latest: PageData | null = null;
/** The data as of a moment. Pages of one publish share what they read; once nothing is rendered, it is read again. */
function dataAsOf(now: number): PageData {
  if (latest?.now !== iso(now))
    latest = listsReadOnce(pageData({ db, clock: fixedClock(now), settings, readPolls: pollsReadOnce(db) }));
  return latest;
}

/** A publisher that has ended meanwhile can’t be reached. */
const answer = (...answers: readonly RenderAnswer[]) => process.send?.(answers, () => undefined);

const pollAddress = /^\/poll\/([\w-]+)$/;

let lastReport: Promise<unknown> = Promise.resolve();
/**
 * Renders a report after those before it: if many are half rendered whenever the garbage collector runs, it takes a quarter
 * of the time.
 */
async function renderReport(address: string, id: string, data: PageData): Promise<Buffer | null> {
  const read = data.poll(id);
  // By the query that reads those of the other pages of the message.
  await read;
  // In a turn of its own: connections to the database would time out while many are rendered.
  const report = lastReport.then(() => nextTurn()).then(() => render(address, { ...data, poll: () => read }));
  lastReport = report.catch(() => undefined);
  return report;
}

async function rendered([, address, , storing]: RenderRequest, data: PageData): Promise<Rendered | null> {
  const [, id] = pollAddress.exec(address) ?? [];
  const content = await (id === undefined ? render(address, data) : renderReport(address, id, data));
  if (content === null) return null;
  if (storing === null) return { isSame: false, draft: null, content };
  const isSame = isStored(storing.client, address, content);
  if (isSame || storing.write === 'no') return { isSame, draft: null, content: null };
  const draft = await writeDraft(settings.dataDir, await encode(address, content), storing.write === 'durable draft');
  return { isSame, draft, content: null };
}

async function answerVisitor([number, request]: VisitorRequest): Promise<void> {
  try {
    const { previewOf } = request;
    const data = pageData({ db, clock: systemClock, settings, mayPreview: (id) => id === previewOf });
    const { app } = await loaded;
    answer([number, await answerPage(app, request, { data, publicUrl: settings.publicUrl })]);
  } catch (error) {
    answer([number, null, messageOf(error)]);
  }
}

async function answerTo(request: RenderRequest): Promise<RenderAnswer> {
  const [number, , now] = request;
  const data = dataAsOf(now);
  rendering += 1;
  try {
    return [number, await rendered(request, data)];
  } catch (error) {
    return [number, null, messageOf(error)];
  } finally {
    rendering -= 1;
    if (rendering === 0) latest = null;
  }
}

const isOfVisitor = (one: RenderRequest | VisitorRequest): one is VisitorRequest => typeof one[1] === 'object';

process.on('message', (requests: readonly (RenderRequest | VisitorRequest)[]) => {
  for (const one of requests) if (isOfVisitor(one)) void answerVisitor(one);
  const pages = requests.filter((one) => !isOfVisitor(one));
  if (pages.length > 0) void Promise.all(pages.map(answerTo)).then((answers) => answer(...answers));
});
process.on('disconnect', () => process.exit());
loaded.then(
  () => {
    answer([readyNumber, null]);
    // It is ended by a signal, which would lose what it has compiled.
    flushCompileCache();
  },
  (error: unknown) => answer([readyNumber, null, messageOf(error)]),
);
