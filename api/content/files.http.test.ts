import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishedArticles } from '#api/content/blog/articles.service.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { testNow } from '#api/testing/test-app.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { readDraft } from '#api/content/blog/articles.service.ts';
import {
  answerNewerFile,
  createArticle,
  deleteArticle,
  listContent,
  publishEntry,
  readEntry,
  removeUnchangedArticles,
  saveEntry,
} from './entries.service.ts';
import { loadContent } from './files.service.ts';
import { addImage } from './image-upload.service.ts';
import { pullContent, pushContent } from './transfer.service.ts';

const clock = fixedClock(testNow);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-content-'));
  await mkdir(join(folder, 'blog'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileText = (text: string) =>
  `---\ntitle: A title\nexcerpt: Short.\ncategory: Numbers\nauthor: The desk\ntags: [one, two, three]\npublishedAt: 2026-03-04\n---\n\n${text}\n`;
const write = (name: string, text: string) => writeFile(join(folder, 'blog', `${name}.md`), fileText(text));
const read = (name: string) => readFile(join(folder, 'blog', `${name}.md`), 'utf8');
const at = (name: string) => ({ folder: 'blog', name }) as const;

/** Edits the text of an article in the browser, and publishes it. */
async function edit(db: Database, name: string, text: string, isPublished = true): Promise<void> {
  const { head, version } = await readEntry(db, at(name));
  const saved = await saveEntry({ db, clock }, 'rosa', at(name), { version, head, text });
  if (isPublished) await publishEntry({ db, clock }, 'rosa', at(name), { version: saved.version });
}

const shown = async (db: Database) =>
  Object.fromEntries((await publishedArticles(db)).map(({ slug, content }) => [slug, content]));

oneDatabase((open) => {
  test('a text that was edited in the browser stays when its file changes, until the operator chooses the file', async () => {
    const { db } = await open();
    for (const name of ['edited', 'untouched']) await write(name, 'Old.');
    await loadContent({ db, clock, folder });
    await edit(db, 'edited', 'Mine.');
    await forgetPages(db);
    for (const name of ['edited', 'untouched']) await write(name, 'New.');
    await loadContent({ db, clock, folder });
    expect(await shown(db)).toEqual({ edited: '<p>Mine.</p>', untouched: '<p>New.</p>' });
    expect(await waitingPages(db).pluck('key')).toEqual(['content/blog/untouched.md']);
    const entry = await readEntry(db, at('edited'));
    expect([entry.hasNewerFile, readDraft(entry.newerFile!).text]).toEqual([true, 'New.']);
    const chosen = await answerNewerFile({ db, clock }, 'rosa', at('edited'), { version: entry.version, use: true });
    expect(chosen).toMatchObject({ text: 'New.', hasNewerFile: false, isChanged: true });
    await publishEntry({ db, clock }, 'rosa', at('edited'), { version: chosen.version });
    expect((await shown(db)).edited).toBe('<p>New.</p>');
    await write('edited', 'Newest.');
    await loadContent({ db, clock, folder });
    expect((await shown(db)).edited).toBe('<p>Newest.</p>');
  });

  test('a file whose name is longer than an address can be is refused by name', async () => {
    const { db } = await open();
    await write('a'.repeat(121), 'Old.');
    await expect(loadContent({ db, clock, folder })).rejects.toThrow(/a\.md: .* at most 120 characters/);
  });

  test('articles that came with the software go with the demonstration unless they were changed, and don’t come back', async () => {
    const { db } = await open();
    for (const name of ['bundled', 'rewritten', 'in-git', 'own']) await write(name, 'Old.');
    await loadContent({ db, clock, folder });
    await edit(db, 'rewritten', 'Mine.', false);
    await write('in-git', 'Mine.');
    await loadContent({ db, clock, folder });
    const removed = await removeUnchangedArticles({ db, clock }, 'rosa', ['bundled', 'rewritten', 'in-git']);
    await loadContent({ db, clock, folder });
    expect([removed, Object.keys(await shown(db)).sort()]).toEqual([1, ['in-git', 'own', 'rewritten']]);
  });

  test('pull writes the published texts and their pictures to files, which push accepts elsewhere', async () => {
    const { db } = await open();
    for (const name of ['edited', 'deleted']) await write(name, 'Old.');
    await loadContent({ db, clock, folder });
    const { address } = await addImage({ db, clock }, 'rosa', Buffer.from(await pngFile()));
    await edit(db, 'edited', `![A square](${address})`);
    await createArticle({ db, clock }, 'rosa', { name: 'draft', title: 'Draft' });
    await deleteArticle({ db, clock }, 'rosa', at('deleted'), 1);
    const [written, deleted, left] = [
      ['content/blog/edited.md'],
      ['content/blog/deleted.md'],
      ['content/blog/draft.md'],
    ];
    expect(await pullContent({ db, folder, ownFolder: folder, dryRun: true })).toEqual({
      written,
      deleted,
      left,
      conflicts: [],
    });
    expect(await read('edited')).toBe(fileText('Old.'));
    await pullContent({ db, folder, ownFolder: folder });
    expect([await readdir(join(folder, 'blog')), await readdir(join(folder, 'images'))]).toEqual([
      ['edited.md'],
      [address.slice('/images/'.length)],
    ]);
    expect(await pullContent({ db, folder, ownFolder: folder })).toMatchObject({ written: [], deleted: [] });

    const other = await open();
    const pushed = await pushContent({ ...other, clock, folder, ownFolder: folder });
    expect(pushed).toMatchObject({ written, conflicts: [] });
    expect(await shown(other.db)).toEqual(await shown(db));
  });

  test('pull and push refuse to overwrite what only the other side has, unless they are forced', async () => {
    const { db } = await open();
    for (const name of ['both', 'mine', 'theirs']) await write(name, 'Old.');
    await loadContent({ db, clock, folder });
    for (const name of ['both', 'mine']) await edit(db, name, 'Mine.');
    for (const name of ['both', 'theirs']) await write(name, 'Theirs.');
    const conflicts = ['content/blog/both.md'];
    expect((await pushContent({ db, clock, folder, ownFolder: folder })).conflicts).toEqual(conflicts);
    expect(await shown(db)).toEqual({ both: '<p>Mine.</p>', mine: '<p>Mine.</p>', theirs: '<p>Old.</p>' });
    expect((await pullContent({ db, folder, ownFolder: folder })).conflicts).toEqual([
      ...conflicts,
      'content/blog/theirs.md',
    ]);
    expect(await read('mine')).toBe(fileText('Old.'));
    await pushContent({ db, clock, folder, ownFolder: folder, force: true });
    expect(await shown(db)).toEqual({ both: '<p>Theirs.</p>', mine: '<p>Mine.</p>', theirs: '<p>Theirs.</p>' });
    expect((await listContent(db)).entries.map(({ hasNewerFile }) => hasNewerFile)).toEqual([false, false, false]);
    await pullContent({ db, folder, ownFolder: folder });
    expect(readDraft(await read('mine')).text).toBe('Mine.');
  });

  test('texts that are pulled to another folder stay as they are when the service starts again', async () => {
    const { db } = await open();
    const copy = join(folder, 'copy');
    await write('bundled', 'Old.');
    await loadContent({ db, clock, folder });
    await edit(db, 'bundled', 'Mine.');
    await createArticle({ db, clock }, 'rosa', { name: 'own', title: 'Own' });
    await saveEntry({ db, clock }, 'rosa', at('own'), { version: 1, ...readDraft(fileText('Own.')) });
    await publishEntry({ db, clock }, 'rosa', at('own'), { version: 1 + 1 });
    await pullContent({ db, folder: copy, ownFolder: folder });
    await loadContent({ db, clock, folder });
    expect(await shown(db)).toEqual({ bundled: '<p>Mine.</p>', own: '<p>Own.</p>' });
    await edit(db, 'own', 'Newer.');
    const again = await pullContent({ db, folder: copy, ownFolder: folder });
    expect(again).toMatchObject({ written: ['content/blog/own.md'], conflicts: [] });
  });

  test('push from another folder publishes its files, and unpublishes nothing, now or when the service starts again', async () => {
    const { db } = await open();
    const part = join(folder, 'part');
    for (const name of ['changed', 'missing']) await write(name, 'Old.');
    await loadContent({ db, clock, folder });
    await mkdir(join(part, 'blog'), { recursive: true });
    for (const name of ['changed', 'new']) await writeFile(join(part, 'blog', `${name}.md`), fileText('Pushed.'));
    const written = ['content/blog/new.md', 'content/blog/changed.md'];
    const pushed = await pushContent({ db, clock, folder: part, ownFolder: folder });
    expect(pushed).toEqual({ written, deleted: [], conflicts: [], left: [] });
    await loadContent({ db, clock, folder });
    const all = { changed: '<p>Pushed.</p>', missing: '<p>Old.</p>', new: '<p>Pushed.</p>' };
    expect(await shown(db)).toEqual(all);
  });
});
