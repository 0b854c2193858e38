import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { publishingOverview } from '#api/publishing/overview.service.ts';
import { codeDigest } from '#api/publishing/source-digest.ts';
import { recordFill } from '#api/publishing/state.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { publishedPages, publishTexts } from '#api/testing/test-builds.ts';
import { slow } from '#api/testing/slow.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-build-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Runs "npm run build" like in a terminal. */
async function publish(url: string, ...words: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD: 'only for tests', NODE_ENV: 'test' },
  });
  const said = { output: '', complaint: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.complaint += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** Pages of this code, which the database knows; no page can be rendered with its build. */
async function olderPages(db: Database): Promise<void> {
  const build = codeDigest(readConfig({ ...process.env, DATA_DIR: dataDir }));
  await publishTexts(dataDir, { '/': 'home' }, { build });
  await recordFill(db, 'a test');
}

oneDatabase((open) => {
  test('a failed publish keeps the older pages and reports why, in the terminal and on the page', async () => {
    const { db, url } = await open();
    await olderPages(db);
    const { code, complaint } = await publish(url);
    expect(code).toBe(1);
    expect(complaint).toContain('the published pages are unchanged.');
    const { builds } = await publishingOverview(db, dataDir);
    expect(builds).toMatchObject([{ status: 'failed' }]);
    expect(complaint).toContain(builds[0]?.error);
    expect(await publishedPages(dataDir)).toEqual({ '/': 'home' });
  });

  test('going back to a build that does not exist is refused, and nothing is published', async () => {
    const { db, url } = await open();
    await olderPages(db);
    const { code, complaint } = await publish(url, '--use', 'none');
    expect([code, complaint]).toEqual([1, `${publishingTexts.noSuchBuild('none', [])}\n`]);
    expect(await waitingPages(db)).toEqual([]);
  });

  test('publishing can be paused and resumed', slow, async () => {
    const { db, url } = await open();
    await olderPages(db);
    expect(await publish(url, '--pause')).toMatchObject({ code: 0, output: `${publishingTexts.pausedNow}\n` });
    expect((await publish(url, '--pause')).complaint).toBe(`${publishingTexts.pausedAlready}\n`);
    expect(await publish(url)).toMatchObject({ code: 1, complaint: `${publishingTexts.paused}\n` });
    expect(await waitingPages(db)).toEqual([]);
    await publish(url, '--resume');
    // The code build has no renderer.
    expect((await publishingOverview(db, dataDir)).builds[0]).toMatchObject({ status: 'failed' });
    expect((await publish(url, '--resume')).complaint).toBe(`${publishingTexts.notPaused}\n`);
    expect((await publish(url, '--pause', '--resume')).complaint).toBe(`${publishingTexts.pauseAndResume}\n`);
  });
});
