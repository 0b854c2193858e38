import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { buildFiles } from '#domain/build-files.ts';
import { buildIds } from './builds.ts';
import { ensureCodeBuild, makeGeneratedFolder, readCodeBuild } from './code-build.ts';
import { codeDigest, watchContent } from './source-digest.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-code-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settings = () => readConfig({ DATA_DIR: join(folder, 'data'), SITE_NAME: 'The Site' });

/** The code build of a container image with this id. */
async function image(id: string): Promise<string> {
  const imageFolder = join(folder, 'image');
  for (const part of [buildFiles.client, buildFiles.server]) {
    await mkdir(join(imageFolder, part, 'deep'), { recursive: true });
    await writeFile(join(imageFolder, part, 'deep', 'file.mjs'), part);
  }
  await writeFile(join(imageFolder, buildFiles.facts), JSON.stringify({ id, fixedAddresses: ['/about'] }));
  return imageFolder;
}

/** A signal that stops a build before it starts. */
const never = AbortSignal.abort(new Error('no build wanted'));

test('a container image has its code build with it, whatever the settings', async () => {
  const config = settings();
  const build = await ensureCodeBuild({
    config,
    siteKey: '',
    signal: never,
    imageFolder: await image(codeDigest(null)),
  });
  expect(build).toMatchObject({ id: codeDigest(config), fixedAddresses: ['/about'] });
  // The next time it is there.
  expect(await ensureCodeBuild({ config, siteKey: '', signal: never, imageFolder: join(folder, 'none') })).toEqual(
    build,
  );
});

test('a code build of other code is not used, and one that was stopped is incomplete', async () => {
  const config = settings();
  const options = { config, siteKey: '', signal: never, imageFolder: await image('another') };
  await expect(ensureCodeBuild(options)).rejects.toThrow('no build wanted');
  expect(buildIds(config.dataDir)).toEqual([]);
});

test('a code build whose facts a power cut has emptied is made again', async () => {
  const config = settings();
  const options = { config, siteKey: '', signal: never, imageFolder: await image(codeDigest(null)) };
  const build = await ensureCodeBuild(options);
  await writeFile(join(build.folder, buildFiles.facts), '');
  expect(await readCodeBuild(build.folder)).toBeNull();
  expect(await ensureCodeBuild(options)).toEqual(build);
});

test('settings are part of the name of a code build, so that changed ones publish every page again', () => {
  const config = settings();
  expect(codeDigest(config)).toMatch(/^[0-9a-f]{20}$/);
  expect(codeDigest(config)).toBe(codeDigest(settings()));
  expect(codeDigest({ ...config, supportEmail: 'a@b.example' })).not.toBe(codeDigest(config));
});

test('a change to any code that pages come from is another code build, but a test is not', async () => {
  const digestWith = async (file: string) => {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), file);
    return codeDigest(null, folder);
  };
  const none = codeDigest(null, folder);
  for (const file of ['site/e2e/home.e2e.ts', 'api/polls/polls.test.ts', 'api/testing/seed.ts'])
    expect([file, await digestWith(file)]).toEqual([file, none]);
  const seen = [none];
  for (const file of ['api/voting/a.ts', 'api/search/a.ts', 'site/server/a.ts', 'db/row.ts', 'package-lock.json']) {
    const digest = await digestWith(file);
    expect(seen).not.toContain(digest);
    seen.push(digest);
  }
});

test('a writable project contains the generated files', async () => {
  await makeGeneratedFolder(folder);
  expect((await stat(join(folder, '.astro'))).isDirectory()).toBe(true);
});

test('[D1.6] a read-only project has a link, and its target folder is created before each build', async () => {
  await mkdir(join(folder, 'project'));
  await symlink('../data/cache/generated', join(folder, 'project', '.astro'));
  await makeGeneratedFolder(join(folder, 'project'));
  await makeGeneratedFolder(join(folder, 'project'));
  expect((await stat(join(folder, 'data/cache/generated'))).isDirectory()).toBe(true);
});

test('an unwritable folder fails the build with advice', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink('file/generated', join(folder, '.astro'));
  await expect(makeGeneratedFolder(folder)).rejects.toThrow(
    /file\/generated, which is not writable \(ENOTDIR\).*DATA_DIR/,
  );
});

test('[D9.14] a change of content is reported once, after the content has stayed the same; the handbook is none', async () => {
  const root = join(folder, 'project');
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, 'content', path)), { recursive: true });
    await writeFile(join(root, 'content', path), text);
  };
  const reports: (readonly string[])[] = [];
  const check = watchContent((files) => Promise.resolve(void reports.push(files)), root);
  const settled = async () => {
    for (let times = 0; times < 3; times += 1) await check();
    return reports.splice(0);
  };
  expect(await settled()).toEqual([]);
  for (const text of ['one', 'one two', 'one two three']) {
    await write('blog/2026/article.md', text);
    await check();
  }
  expect(reports).toEqual([]);
  expect(await settled()).toEqual([['content/blog/2026/article.md']]);
  await write('texts/a.ts', 'words');
  await write('pages/a.md', 'words');
  await write('handbook/a.md', 'words');
  await rm(join(root, 'content/blog/2026/article.md'));
  expect(await settled()).toEqual([['content/blog/2026/article.md', 'content/pages/a.md', 'content/texts/a.ts']]);
});
