import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contentStamp, watchContent } from './publisher.service.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'weathervane-content-'));
  for (const folder of ['blog/2026', 'texts', 'pages']) mkdirSync(join(root, 'content', folder), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFileSync(join(root, 'content', path), text);

test('[D9.14] a change of content is reported once, after the content has stayed the same', async () => {
  const reports: (readonly string[])[] = [];
  const check = watchContent(
    (files) => {
      reports.push(files);
      return Promise.resolve();
    },
    () => contentStamp(root),
  );
  await check();
  await check();
  expect(reports).toEqual([]);
  for (const text of ['one', 'one two', 'one two three']) {
    write('blog/2026/article.md', text);
    await check();
  }
  expect(reports).toEqual([]);
  await check();
  await check();
  expect(reports).toEqual([['content/blog/2026/article.md']]);
});

test('articles, static pages, and texts are watched, including deleted files, but the handbook is not', () => {
  const stamps = new Set([contentStamp(root)]);
  for (const path of ['blog/a.md', 'texts/a.ts', 'pages/a.md']) {
    write(path, 'words');
    stamps.add(contentStamp(root));
  }
  expect(stamps.size).toBe(4);
  rmSync(join(root, 'content/blog/a.md'));
  stamps.add(contentStamp(root));
  expect(stamps.size).toBe(5);
  mkdirSync(join(root, 'content/handbook'));
  write('handbook/a.md', 'words');
  stamps.add(contentStamp(root));
  expect(stamps.size).toBe(5);
});

test('missing content folders count as empty', () => {
  expect(contentStamp(join(root, 'nowhere'))).toBe('');
});
