import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inBuilds } from '#api/publishing/builds.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import type { SiteServer } from '#site/server/site-server.ts';

const installed = spawnSync('rsync', ['--version']).status === 0 ? test : test.skip;

let folder: string;
let sites: SiteServer[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weathervane-copies-'));
  for (const name of ['here', 'there']) mkdirSync(inBuilds(join(folder, name)), { recursive: true });
});
afterEach(async () => {
  await Promise.all(sites.map((site) => site.close()));
  rmSync(folder, { recursive: true });
});

/** Runs the commands of the handbook. */
function copy(): void {
  const handbook = readFileSync(join(import.meta.dirname, '../content/handbook/deploy.md'), 'utf8');
  const commands = [...handbook.matchAll(/^rsync .*$/gm)].map(([command]) =>
    command
      .replace('pages-2:/var/lib/weathervane', join(folder, 'there'))
      .replace('/var/lib/weathervane', `${folder}/here`),
  );
  expect(commands).toHaveLength(3);
  for (const command of commands) execFileSync('sh', ['-c', command]);
}

installed('a machine that pages are copied to serves the same, with the same ETags', async () => {
  const here = join(folder, 'here');
  sites = await Promise.all(['here', 'there'].map((name) => startTestSite(join(folder, name))));
  const answers = (path: string) =>
    Promise.all(
      sites.map(async ({ port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        return [answer.status, answer.headers.get('etag'), await answer.text()];
      }),
    );
  const isSame = async (path: string, text: string) => {
    const [one, other] = await answers(path);
    expect([path, other]).toEqual([path, one]);
    // Hashed assets, which never change, have none.
    expect(other).toEqual([200, path.startsWith('/_astro/') ? null : expect.any(String), text]);
  };
  // There is no API that could be asked for what is not saved.
  const isGone = async (path: string) => expect((await answers(path)).map(([status]) => status)).toEqual([503, 503]);
  await publishTexts(here, { '/': 'home', '/poll/tea': 'tea', '/poll/milk': 'milk', '/_astro/a.js': 'code' });
  copy();
  for (const [path, text] of [
    ['/', 'home'],
    ['/poll/tea', 'tea'],
    ['/_astro/a.js', 'code'],
  ] as const)
    await isSame(path, text);
  await publishTexts(here, { '/': 'another', '/poll/milk': null });
  copy();
  await isSame('/', 'another');
  await isGone('/poll/milk');
  await publishTexts(here, { '/': 'by new code' }, { build: 'build2' });
  copy();
  await isSame('/', 'by new code');
  await isGone('/poll/tea');
  await isSame('/_astro/a.js', 'code');
});
