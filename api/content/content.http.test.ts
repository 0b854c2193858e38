import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { auditLog } from '#api/testing/operators.ts';
import sharp from 'sharp';
import { rateLimits } from '#contract/rate-limits.ts';
import { expect, test } from 'vitest';
import { contentPages } from '#api/publishing/page-data/page-data.service.ts';
import { lifecycleTask, nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
import { eachDatabase, oneDatabase } from '#api/testing/databases.ts';
import type { OpenTestDatabase } from '#api/testing/databases.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import { contentText } from './content.contract.ts';
import type { ContentEntry, ContentHead, ContentList, ContentPreview, ContentVersion } from './content.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { routes } from '#api/routes.contract.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { headerText } from '#site/client/api.ts';
import { saveEntry } from './entries.service.ts';
import { loadContent } from './files.service.ts';
import { insertImage, sweepImages } from './images.service.ts';

const head: ContentHead = {
  title: 'On ties',
  excerpt: 'When nobody wins.',
  category: 'Numbers',
  author: 'The desk',
  tags: ['one', 'two', 'three'],
};
const minute = 60_000;
const tie = { folder: 'blog', name: 'on-ties' } as const;

type Body = ContentEntry & ContentList & ContentPreview & ErrorBody & { readonly address: string };

/** The paths of the operator’s calls. */
const pathsOf = ({ folder = '', name = '', version = '' }: Readonly<Record<string, string>>) =>
  ({
    contentList: '/api/admin/content',
    createArticle: '/api/admin/content',
    uploadContentImage: '/api/admin/content-images',
    contentEntry: `/api/admin/content/${folder}/${name}`,
    saveContent: `/api/admin/content/${folder}/${name}`,
    deleteContent: `/api/admin/content/${folder}/${name}`,
    previewContent: `/api/admin/content/${folder}/${name}/preview`,
    publishContent: `/api/admin/content/${folder}/${name}/publish`,
    unpublishContent: `/api/admin/content/${folder}/${name}/unpublish`,
    reviewContent: `/api/admin/content/${folder}/${name}/review`,
    contentVersions: `/api/admin/content/${folder}/${name}/versions`,
    contentVersion: `/api/admin/content/${folder}/${name}/versions/${version}`,
    restoreContent: `/api/admin/content/${folder}/${name}/restore`,
    answerNewerFile: `/api/admin/content/${folder}/${name}/newer-file`,
  }) satisfies Partial<Record<EndpointName, string>>;

/** An installation without polls, and the operator’s calls. */
async function start(open: OpenTestDatabase, { loaded = false } = {}) {
  const { db } = await open();
  const clock = fixedClock(testNow);
  if (loaded) await loadContent({ db, clock });
  const app = await startTestApp(db, { clock });
  const call = async (
    name: keyof ReturnType<typeof pathsOf>,
    { params = {}, body, file }: Call = {},
  ): Promise<{ status: number; body: Body }> => {
    const response = await app.fetch(pathsOf(params)[name], {
      method: routes[name].method,
      headers: {
        [adminPasswordHeader]: headerText(testAdminPassword),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
  };
  const create = async (name = 'on-ties', title = 'On ties') =>
    (await call('createArticle', { body: { name, title } })).body;
  const save = (entry: ContentEntry, text: string, more: ContentHead = {}) =>
    call('saveContent', { params: keyOf(entry), body: { version: entry.version, head: { ...head, ...more }, text } });
  const publish = (entry: ContentEntry, at?: number) =>
    call('publishContent', {
      params: keyOf(entry),
      body: { version: entry.version, ...(at !== undefined && { at: new Date(at).toISOString() }) },
    });
  const article = async (slug: string) => {
    const response = await app.fetch(`/api/blogs/${slug}`);
    return { status: response.status, body: (await response.json()) as BlogPost & ErrorBody };
  };
  /** A published article. */
  const published = async (text = 'Some words.', more: ContentHead = {}) => {
    const { body } = await save(await create(), text, more);
    return (await publish(body)).body;
  };
  return { db, clock, app, call, create, save, publish, article, published };
}

interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly file?: Uint8Array<ArrayBuffer>;
}

const keyOf = ({ folder, name }: Pick<ContentEntry, 'folder' | 'name'>) => ({ folder, name });
const changesIn = (db: Database) =>
  waitingPages(db).orderBy('id').select<{ kind: string; key: string; event: string | null }[]>('kind', 'key', 'event');
const actionsIn = (db: Database) => auditLog(db).orderBy('id').pluck<string[]>('action');

eachDatabase((open, _engine, once) => {
  once(
    'an article is written as a draft that readers don’t see, and published with the pages that show it',
    async () => {
      const { db, create, save, publish, article, call } = await start(open);
      const draft = await create();
      expect(draft).toMatchObject({
        state: 'draft',
        version: 1,
        head: { title: 'On ties' },
        text: '',
        canRename: true,
      });
      const { body: saved } = await save(draft, 'Some *words*.');
      expect(saved).toMatchObject({ version: 2, text: 'Some *words*.', updatedBy: 'operator' });
      expect([(await article('on-ties')).status, await changesIn(db)]).toEqual([404, []]);

      const { body: live } = await publish(saved);
      expect(live).toMatchObject({ state: 'published', isChanged: false, canRename: false });
      expect((await article('on-ties')).body).toMatchObject({
        title: 'On ties',
        content: '<p>Some <em>words</em>.</p>',
        publishedAt: '2026-11-20T00:00:00.000Z',
        featured: false,
      });
      expect(await changesIn(db)).toEqual([{ kind: 'content', key: 'content/blog/on-ties.md', event: 'created' }]);
      const { body: next } = await save(live, 'Other words.');
      expect(next).toMatchObject({ state: 'published', isChanged: true });
      expect((await article('on-ties')).body.content).toBe('<p>Some <em>words</em>.</p>');
      expect((await call('contentList')).body.entries).toMatchObject([{ name: 'on-ties', isChanged: true }]);
      await publish(next);
      expect((await article('on-ties')).body.content).toBe('<p>Other words.</p>');
      expect(await actionsIn(db)).toEqual(['content.create', 'content.publish', 'content.save', 'content.publish']);
    },
  );

  once('a save after somebody else’s is refused, says who and when, and changes nothing', async () => {
    const { db, clock, create, save, call } = await start(open);
    const draft = await create();
    clock.set(clock.now() + 5 * minute);
    await saveEntry({ db, clock }, 'rosa', tie, { version: draft.version, head, text: 'Hers.' });
    const { status, body } = await save(draft, 'Mine.');
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.message).toBe('rosa saved this at 12:05 UTC on 2026-11-20, after you had opened it.');
    expect((await call('contentEntry', { params: tie })).body.text).toBe('Hers.');
    const both = await Promise.all(
      ['a', 'b'].map((text) => saveEntry({ db, clock }, text, tie, { version: 2, head, text }).catch(() => null)),
    );
    expect(both.filter((saved) => saved !== null)).toHaveLength(1);
    expect(await db('content_versions').pluck('version')).toHaveLength(3);
  });

  test('a scheduled text is published at its time as it was then, by one process', async () => {
    const { db, clock, create, save, publish, article } = await start(open);
    const { body: saved } = await save(await create(), 'On time.');
    const refused = await publish(saved, testNow + minute / 2);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ field: 'at', message: 'Choose a time that is at least a minute ahead.' }],
    ]);
    const { body: scheduled } = await publish(saved, testNow + 10 * minute);
    expect(scheduled).toMatchObject({ state: 'scheduled', publishAt: '2026-11-20T12:10:00.000Z', canRename: false });
    expect(await nextTransition(db, clock.now())).toBe(testNow + 10 * minute);
    await save(scheduled, 'Not yet right.');
    const run = () => lifecycleTask({ db, clock, log: silentLogger })();
    clock.set(clock.now() + 10 * minute - 1);
    await run();
    expect((await article('on-ties')).status).toBe(404);
    clock.set(clock.now() + 1);
    await Promise.all([run(), run()]);
    expect((await article('on-ties')).body.content).toBe('<p>On time.</p>');
    expect(await changesIn(db)).toMatchObject([{ kind: 'content', event: 'created' }]);
    expect(await nextTransition(db, clock.now())).toBeNull();
  });

  once(
    'an unpublished article leaves lists and answers 410, and can be published again; a deleted one answers 410 for good',
    async () => {
      const { db, call, article, published, publish, create, save, app } = await start(open);
      const live = await published();
      const { body: off } = await call('unpublishContent', { params: tie, body: { version: live.version } });
      expect(off.state).toBe('unpublished');
      expect((await article('on-ties')).body).toMatchObject({ code: 'BLOG_POST_GONE' });
      expect(await (await app.fetch('/api/blogs')).json()).toEqual([]);
      expect(await changesIn(db)).toEqual(
        expect.arrayContaining([
          { kind: 'content', key: 'content/blog/on-ties.md', event: 'removed' },
          { kind: 'page', key: '/blog/category/numbers', event: 'removed' },
        ]),
      );
      expect((await publish(off)).body.state).toBe('published');
      expect((await article('on-ties')).status).toBe(200);

      expect((await call('deleteContent', { params: tie, body: { version: off.version } })).status).toBe(204);
      expect((await article('on-ties')).status).toBe(410);
      expect((await call('contentEntry', { params: tie })).status).toBe(404);
      expect([await db('content_versions'), await db('blog_posts').pluck('content')]).toEqual([[], ['']]);

      const long = { folder: 'blog', name: 'tie-'.repeat(30).slice(0, 119) };
      const { body: longest } = await publish((await save(await create(long.name), 'Words.')).body);
      await call('deleteContent', { params: long, body: { version: longest.version } });
      expect(await auditLog(db).where({ action: 'content.delete' }).pluck('subject')).toContain(`blog/${long.name}`);
      const draft = await create('never-seen');
      expect((await call('deleteContent', { params: keyOf(draft), body: { version: 1 } })).status).toBe(204);
      expect((await article('never-seen')).status).toBe(404);
      expect((await call('contentList')).body.entries).toEqual([]);
    },
  );

  test('pictures that no version of a text shows are deleted a week after they were last uploaded', async () => {
    const { db, call, create, save } = await start(open);
    const used = (await call('uploadContentImage', { file: await pngFile() })).body.address;
    await call('uploadContentImage', { file: await pngFile(30) });
    await save(await create(), `![A square](${used})`);
    const again = (await call('uploadContentImage', { file: await pngFile(20) })).body.address;
    const [name, usedName] = [again, used].map((address) => address.slice('/images/'.length, -'.webp'.length));
    const copy = { name: name!, content: Buffer.of(1), created_at: testNow + 2, created_by: 'rosa' };
    expect(await insertImage(db, copy)).toBe(false);
    await sweepImages(db, testNow + 7 * 86_400_000);
    expect(await db('content_images').pluck('name')).toHaveLength(3);
    await sweepImages(db, testNow + 7 * 86_400_000 + 1);
    expect((await db('content_images').pluck('name')).sort()).toEqual([name, usedName].sort());
  });
});

oneDatabase((open) => {
  test('the longest text can be saved, whatever its characters are', async () => {
    const { create, save } = await start(open);
    const draft = await create();
    expect((await save(draft, '\u{1f4ca}'.repeat(contentText))).status).toBe(200);
    const more = '\u{1f4ca}'.repeat(contentText + 1);
    expect((await save(draft, more)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('the list says why a scheduled text can’t be published', async () => {
    const { db, create, save, publish, call } = await start(open);
    await publish((await save(await create(), 'Words.')).body, testNow + 10 * minute);
    const list = async () => (await call('contentList')).body.entries;
    expect((await list())[0]).not.toHaveProperty('problem');
    await db('content_versions').update({ source: db.raw("replace(source, 'Words.', '# Words')") });
    expect(await list()).toMatchObject([{ state: 'scheduled', problem: expect.stringContaining('##') as string }]);
  });

  test('a picture is re-encoded without metadata, stored once, and part of the pages that show it', async () => {
    const { db, app, call, create, save, publish } = await start(open);
    const photo = await sharp(await pngFile(2_000))
      .withExif({ IFD0: { Artist: 'Rosa' } })
      .jpeg()
      .toBuffer();
    const file = Uint8Array.from(photo);
    const { status, body } = await call('uploadContentImage', { file });
    expect([status, body.address]).toEqual([201, expect.stringMatching(/^\/images\/[\w-]{43}-1600x1600\.webp$/)]);
    expect((await call('uploadContentImage', { file })).body.address).toBe(body.address);
    const { name, content } = await db('content_images').first<{ name: string; content: Buffer }>('*');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 1_600, height: 1_600 });
    expect((await sharp(content).metadata()).exif).toBeUndefined();
    const served = await app.fetch(`/api/content-images/${name}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true);

    const { body: saved } = await save(await create(), `![A square](${body.address})`);
    const preview = await call('previewContent', { params: tie, body: { head: {}, text: saved.text } });
    expect(preview.body.html).toContain(`<img src="/api/content-images/${name}" alt="A square" width="1600"`);
    await publish(saved);
    expect(await contentPages({ db, clock: fixedClock(testNow) }, 'content/blog/on-ties.md')).toContain(body.address);
    const { body: other } = await save(
      (await call('contentEntry', { params: tie })).body,
      `![B](${body.address.replace('1600x', '160x')})`,
    );
    const refused = await publish(other);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('doesn’t exist. Upload it again.'),
    ]);
  });

  test('legal pages are edited and reviewed, and can’t be removed', async () => {
    const { db, call, publish } = await start(open, { loaded: true });
    await forgetPages(db);
    const terms = { folder: 'legal', name: 'terms' } as const;
    const { body: read } = await call('contentEntry', { params: terms });
    expect(read).toMatchObject({ state: 'published', reviewedAt: null, updatedBy: 'content files' });
    const { body: saved } = await call('saveContent', {
      params: terms,
      body: { version: 1, head: read.head, text: `${read.text}\n\nOne more sentence.` },
    });
    await publish(saved);
    expect(await changesIn(db)).toEqual([{ kind: 'content', key: 'content/legal/terms.md', event: 'edited' }]);
    const { body: reviewed } = await call('reviewContent', { params: terms, body: { version: saved.version } });
    expect(reviewed).toMatchObject({ reviewedBy: 'operator', reviewedAt: new Date(testNow).toISOString() });
    for (const name of ['unpublishContent', 'deleteContent'] as const)
      expect((await call(name, { params: terms, body: { version: saved.version } })).body.message).toBe(
        'About and the legal pages can be changed, but not removed.',
      );
    expect(await actionsIn(db)).toEqual(['content.save', 'content.publish', 'content.review']);
  });

  test('the history has the versions of a text, and an earlier one is restored as a draft', async () => {
    const { clock, call, save, published } = await start(open);
    const live = await published('First.');
    const { body: second } = await save(live, 'Second.');
    const { body: third } = await save(second, 'Third, within minutes of the second.');
    clock.set(clock.now() + 11 * minute);
    const { body: fourth } = await save(third, 'Fourth.');
    const versions = (await call('contentVersions', { params: tie })).body as unknown as ContentVersion[];
    expect(versions.map(({ version, event, publishedAt }) => [version, event, publishedAt !== null])).toEqual([
      [fourth.version, 'saved', false],
      [third.version, 'saved', false],
      [live.version, 'created', true],
    ]);
    const read = await call('contentVersion', { params: { ...tie, version: String(live.version) } });
    expect((read.body as unknown as { source: string }).source).toContain('\n\nFirst.\n');
    const { body: restored } = await call('restoreContent', {
      params: tie,
      body: { version: fourth.version, from: live.version },
    });
    expect(restored).toMatchObject({ text: 'First.', version: fourth.version + 1, isChanged: false });
    expect((await call('contentVersion', { params: { ...tie, version: '99' } })).status).toBe(404);
  });

  test('a draft gets another address until it is published, and no two articles have the same', async () => {
    const { create, call, save, publish } = await start(open);
    const draft = await create();
    await create('taken');
    const rename = (name: string, version: number) =>
      call('saveContent', { params: tie, body: { version, head, text: 'Words.', name } });
    expect((await rename('taken', 1)).body.message).toBe(
      'There already is an article at /blog/taken. Choose another address.',
    );
    expect((await rename('featured', 1)).body.errors).toMatchObject([{ field: 'name' }]);
    expect((await call('createArticle', { body: { name: 'taken', title: 'T' } })).status).toBe(409);
    const { body: renamed } = await rename('about-ties', draft.version);
    expect([renamed.name, (await call('contentEntry', { params: tie })).status]).toEqual(['about-ties', 404]);
    const { body: saved } = await save(renamed, 'Words.');
    await publish(saved);
    const late = await call('saveContent', {
      params: keyOf(saved),
      body: { version: saved.version, head, text: 'Words.', name: 'too-late' },
    });
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
  });

  test('an article needs only a title and a text: the rest is derived', async () => {
    const { call, publish, article } = await start(open);
    const { body: made } = await call('createArticle', { body: { title: 'What’s a tie?' } });
    const { body: other } = await call('createArticle', { body: { title: 'What’s a tie?' } });
    const { body: unnamed } = await call('createArticle', { body: { title: '東京' } });
    expect([made.name, other.name, unnamed.name]).toEqual(['whats-a-tie', 'whats-a-tie-2', 'article']);
    const text = 'Nobody *wins*.\n\nMore words.';
    const { body: saved } = await call('saveContent', {
      params: keyOf(made),
      body: { version: made.version, head: { title: 'What’s a tie?' }, text },
    });
    expect((await publish(saved)).status).toBe(200);
    const day = '2026-11-20T00:00:00.000Z';
    expect((await article('whats-a-tie')).body).toMatchObject({
      ...{ excerpt: 'Nobody wins.', category: 'General', author: 'The editors', tags: [] },
      ...{ featured: false, published: true, publishedAt: day, updatedAt: day },
    });
  });

  test('categories are those of the operator’s articles and drafts', async () => {
    const { call, create, save, published, article } = await start(open);
    await published('Words.', { category: 'Local News' });
    await save(await create('draft'), '', { category: 'local news' });
    await save(await create('other'), '', { category: 'Añb' });
    expect((await call('contentList')).body.categories).toEqual(['Local News', 'Añb']);
    expect((await article('on-ties')).body.category).toBe('Local News');
  });

  test('a text that can’t be published says why, with the field or the line, and stays a draft', async () => {
    const { create, save, publish, article } = await start(open);
    const { body: wrong } = await save(await create(), '', { title: '', tags: ['a', 'a'], updatedAt: 'soon' });
    const refused = (await publish(wrong)).body.errors ?? [];
    expect(refused.map(({ field }) => field).sort()).toEqual(['tags', 'text', 'title', 'updatedAt']);
    expect(refused).toContainEqual({ field: 'title', message: 'Title is missing.' });
    const { body: dead } = await save(wrong, 'Words.\n\n[x](/blog/nowhere)');
    const { status, body } = await publish(dead);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'text']);
    expect(body.message).toContain('/blog/nowhere');
    expect((await article('on-ties')).status).toBe(404);
  });

  test('the preview is what would be published, with charts, and names the line of an error', async () => {
    const { call, create, published } = await start(open);
    const chart = '```chart\ntype: bars\ntitle: T\nunit: votes\nsource: S\ndata:\n  - [A, 1]\n  - [B, 2]\n```';
    const live = await published(`## Part\n\n${chart}`);
    const preview = async (text: string, of: ContentHead = live.head) =>
      (await call('previewContent', { params: tie, body: { head: of, text } })).body;
    const shown = await preview(live.text);
    expect(shown).toMatchObject({ problems: [], minutes: 1 });
    const facts = await preview('At most {votesPerMinute} votes a minute, {votesPerYear} a year.');
    expect(facts).toMatchObject({ problems: [], unknown: ['votesPerYear'] });
    expect(facts.html).toContain(`At most ${rateLimits.vote.points} votes a minute, {votesPerYear} a year.`);
    expect(shown.html).toMatch(/^<h2 id="part">Part<\/h2>\n<figure class="chart chart--bars"/);
    expect(await preview('Words.\n\n<b>HTML</b>')).toMatchObject({ html: null, problems: [{ line: 3, field: null }] });
    expect(await preview('Words.', { ...live.head, title: '' })).toMatchObject({
      html: '<p>Words.</p>',
      problems: [{ field: 'title', message: 'Title is missing.' }],
    });
    await create('empty');
    const empty = await call('previewContent', {
      params: { folder: 'blog', name: 'empty' },
      body: { head: {}, text: '' },
    });
    expect([empty.status, empty.body.html]).toEqual([200, null]);
    expect(empty.body.problems.map(({ field }) => field)).toEqual(['title', null]);
    const about = (await start(open, { loaded: true })).call;
    const params = { folder: 'pages', name: 'about' };
    const { head: aboutHead } = (await about('contentEntry', { params })).body;
    const ofAbout = async (of: ContentHead) =>
      (await about('previewContent', { params, body: { head: of, text: 'Mail {supportEmail}.' } })).body.problems;
    expect((await ofAbout(aboutHead))[0]?.message).toContain('The heading #data-transparency');
    const cards = aboutHead.cards!.map((card, index) => (index === 1 ? { ...card, text: ' ' } : card));
    expect(await ofAbout({ ...aboutHead, cards })).toMatchObject([
      { field: 'cards.2.text', message: expect.stringMatching(/^Card 2: text /) as string },
      { field: null, message: expect.stringContaining('The heading #data-transparency') as string },
    ]);
  });

  test('editing one article renders the pages that show it, and not those of all others', async () => {
    const { db, clock } = await start(open, { loaded: true });
    const pages = await contentPages({ db, clock }, 'content/blog/what-a-tie-means.md');
    expect(pages).toEqual(
      expect.arrayContaining(['/blog/what-a-tie-means', '/blog/what-a-tie-means.png', '/blog', '/blog/rss.xml']),
    );
    expect(pages.filter((address) => /^\/blog\/[\w-]+$/.test(address))).toEqual(['/blog/what-a-tie-means']);
  });
});
