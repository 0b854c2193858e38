import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { releaseFiles } from '#contract/publishing.ts';
import { reportFile, snapshotFiles } from '#contract/snapshot.ts';
import type { SiteSnapshot } from '#contract/snapshot.ts';
import type { buildRelease } from '#api/publishing/build.service.ts';

type RenderPages = NonNullable<Parameters<typeof buildRelease>[0]['renderPages']>;

/** Renders a page of a few words for each poll, where Astro would take seconds; `pauseMs` after each page. */
export function stubPages(pauseMs = 0): RenderPages {
  return async ({ folder, snapshotFolder, signal, onProgress }) => {
    const read = async (name: string) => readFile(join(snapshotFolder, name), 'utf8');
    const site = JSON.parse(await read(snapshotFiles.site)) as SiteSnapshot;
    const reports = JSON.parse(await read(snapshotFiles.reportsToRender)) as string[];
    const figures = `${site.statistics.totalPolls} polls, made at ${site.createdAt}. `;
    const pages = new Map<string, string>([
      ['index.html', figures.repeat(40)],
      ['404.html', 'Lost.'],
      ['_astro/app.12345678.js', 'export {};\n'.repeat(100)],
      ...site.activePolls.map(({ id }) => [reportFile(id), `${id} is open. `.repeat(60)] as const),
      ...reports.map((id) => [reportFile(id), `The report of ${id}. `.repeat(60)] as const),
    ]);
    let done = 0;
    for (const [path, text] of pages) {
      signal.throwIfAborted();
      await write(join(folder, releaseFiles.client, path), text);
      onProgress({ step: 'pages', done: (done += 1), total: pages.size });
      if (pauseMs > 0) await pause(pauseMs);
    }
    await write(
      join(folder, releaseFiles.server, releaseFiles.serverEntry),
      'export const handler = () => undefined;\n',
    );
  };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
