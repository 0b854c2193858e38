import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { topicOf } from '#domain/topics.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { editPoll, closePoll, reopenPoll } from '#api/polls/managing.service.ts';
import { removeDemonstrationPoll } from '#api/polls/removal.service.ts';
import { loadContent } from '#api/content/files.service.ts';
import { record } from '#api/events/record.service.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { seedDecision } from '#api/testing/decisions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { drain, fakePublishing } from '#api/testing/fake-renderer.ts';
import { publishedPages } from '#api/testing/test-builds.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runsSlow, slow } from '#api/testing/slow.ts';
import { testNow } from '#api/testing/test-app.ts';
import { inBuilds } from './builds.ts';
import { factsOf } from './change-facts.queries.ts';
import { countChanges, priorities, recordChanges } from './changes.service.ts';
import { endedPublishes, sweepPublishes } from './job.service.ts';
import { disk } from './disk.ts';
import { publishDue } from './publish.service.ts';
import { RendererEnded } from './renderer.ts';
import { reasonForWholeSite, setPaused } from './state.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-publish-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

const day = 86_400_000;

/** As if another process had taken over, and died. */
const loseLease = (db: Database) => db('jobs').where({ kind: 'publisher' }).update({ lease: null, due_at: 0 });

/** The file of an article. */
const article = (text: string) => `---
title: A title
excerpt: What it says
category: Numbers
author: Rosa
publishedAt: 2026-01-02
---

${text}
`;

/** A site that is published. */
async function published(db: Database, clock: Clock = fixedClock(testNow)) {
  const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
  await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
  expect(await publishDue(context)).toMatchObject({ status: 'published' });
  context.pages.rendered.length = 0;
  return context;
}

/** The pages that are served, by address. */
const site = () => publishedPages(dataDir);

const polls = (count: number, closed: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    startsAt: testNow - 1_000 * day,
    category: ['Food', 'Sport', null][n % 3],
    tags: [['Tea'], ['tea', 'C++'], []][n % 3],
    votes: [n % 7, 2, 1],
    ...(n < closed ? { closedAt: testNow - (count - n) * day } : { endsAt: testNow + (n + 1) * day }),
  }));

const decided = (id: string, at: number) =>
  ({ type: 'votes.held', at, subject: { kind: 'poll', id }, counts: true }) as const;

eachDatabase((open, _engine, once) => {
  test('of publishes that are over, the newest 200 are kept', async () => {
    const { db } = await open();
    const publish = (n: number) => ({
      at: n,
      subject_kind: 'site',
      subject: '',
      type: ['site.published', 'site.unchanged'][n % 2]!,
    });
    const after = JSON.stringify({ startedAt: 0, reason: '', about: [], changed: 0 });
    await db.batchInsert(
      'events',
      Array.from({ length: 205 }, (_, n) => ({ ...publish(n), after })),
    );
    await db('events').insert({ ...publish(0), type: 'site.publish', after });
    await sweepPublishes(db);
    expect((await endedPublishes(db, 300)).map(({ finishedAt }) => finishedAt)).toEqual(
      Array.from({ length: 200 }, (_, n) => 204 - n),
    );
    expect(await db('events').where({ type: 'site.publish' })).toHaveLength(1);
  });

  once(
    'random changes published one by one give the same pages as one publish of the final state',
    { timeout: 120_000 },
    async () => {
      const { db } = await open();
      const clock = fixedClock(testNow);
      await seedPolls(db, polls(24, 14));
      await db('polls').update({ demonstration: true });
      const context = await published(db, clock);
      let seed = 11;
      const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
      const quiet = () => undefined;
      const steps: (() => Promise<unknown>)[] = [
        () => editPoll({ db, clock }, `p${random(24)}`, { question: `Question ${random(1_000)}?` }).catch(quiet),
        () => editPoll({ db, clock }, `p${random(24)}`, { category: ['Food', 'Sport'][random(2)]! }).catch(quiet),
        () => editPoll({ db, clock }, `p${random(24)}`, { tags: [['Tea'], ['C++'], []][random(3)]! }).catch(quiet),
        () => editPoll({ db, clock }, `p${random(24)}`, { series: ['Drinks', ''][random(2)]! }).catch(quiet),
        () => closePoll({ db, clock }, `p${random(24)}`).catch(quiet),
        () =>
          db
            .transaction(async (trx) => {
              const id = `p${random(24)}`;
              await seedDecision(trx, id, {
                number: clock.now() % 1e9,
                votes: 1,
                state: 'held',
                reason: 'unusual-rate',
              });
              await record(trx, decided(id, clock.now()));
            })
            .catch(quiet),
        () => reopenPoll({ db, clock }, `p${random(24)}`, new Date(clock.now() + 9 * day).toISOString()).catch(quiet),
        () => {
          clock.set(clock.now() + day);
          return closeDue({ db, clock });
        },
        () => db.transaction((trx) => removeDemonstrationPoll({ trx, clock }, `p${random(24)}`, 'operator')),
      ];
      for (let step = 0; step < 40; step += 1) {
        clock.set(clock.now() + 1_000);
        await steps[random(steps.length)]!();
        if (random(3) > 0) await publishDue(context);
      }
      await drain(context);
      const byChanges = await site();
      await recordChanges(db, clock.now(), [{ kind: 'site', key: 'everything' }]);
      await drain(context);
      expect(byChanges).toEqual(await site());
      expect(Object.keys(byChanges).length).toBeGreaterThan(20);
    },
  );

  test('[D9.15] a poll that ends is a report with the next publish, without waiting for more changes', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, [{ id: 'tea', endsAt: testNow + 1 }, ...polls(9, 9)]);
    const context = await published(db, clock);
    const before = await site();
    clock.set(testNow + 1);
    await closeDue({ db, clock });
    expect(await publishDue(context)).toMatchObject({ status: 'published', reason: 'poll tea' });
    const after = await site();
    const changed = Object.keys(before).filter((address) => after[address] !== before[address]);
    expect(changed).toEqual(
      expect.arrayContaining(['/', '/poll/tea', '/poll/tea.png', '/historical', '/historical/rss.xml']),
    );
    expect((await site())['/poll/tea.png']).toBeUndefined();
  });

  test('votes of a closed poll that are set aside are left out wherever its report shows, with the next publish', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, [...polls(9, 9), { id: 'tea', votes: [500, 3], category: 'Food', closedAt: testNow - 1 }]);
    const context = await published(db, clock);
    const before = await site();
    await seedDecision(db, 'tea', { votes: 499, state: 'set-aside', reason: 'automated-network' });
    await db.transaction((trx) => record(trx, decided('tea', clock.now())));
    expect(await publishDue(context)).toMatchObject({ status: 'published' });
    const after = await site();
    const changed = Object.keys(before).filter((address) => after[address] !== before[address]);
    expect(changed).toEqual([
      ...['/', '/historical', '/historical/atom.xml', '/historical/category/food', '/historical/rss.xml'],
      ...[`/historical/year/${new Date(testNow).getUTCFullYear()}`, '/integrity', '/poll/tea'],
      ...['/sitemap-pages.xml', '/sitemap-reports-1.xml'],
    ]);
    // Reports that link to it as one of the most voted follow in the background; then nothing is left over.
    await drain(context);
    const byChanges = await site();
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'everything' }]);
    await drain(context);
    expect(byChanges).toEqual(await site());
  });

  once('a decision about votes of an unlisted poll changes no published page', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea', votes: [9, 3] }]);
    await db('ballots').where({ id: 'tea' }).update({ kind: 'community', listed: false });
    await db.transaction((trx) => record(trx, decided('tea', testNow)));
    expect(await countChanges(db)).toBe(0);
  });

  once('one change reads and writes as much with many polls as with 100', async () => {
    const costs: [queries: number, rendered: number, written: number][] = [];
    for (const count of [100, runsSlow ? 10_000 : 1_000]) {
      const { db } = await open();
      await rm(inBuilds(dataDir), { recursive: true, force: true });
      await seedPolls(db, polls(30, 30));
      // Their pages are not part of the test, only their number.
      const rows = Array.from({ length: count }, (_, n) => ({
        ...{ id: `old-${n}`, kind: 'poll', is_active: false, category: 'Old' },
        ...{ starts_at: 1, ends_at: n + 2, closed_at: n + 2 },
      }));
      await db.batchInsert('ballots', rows, 50);
      await db('archive_categories').insert({ category: 'Old', closed_polls: count });
      const context = await published(db);
      const operations = [vi.spyOn(disk, 'write'), vi.spyOn(disk, 'rename'), vi.spyOn(disk, 'syncFolder')];
      await editPoll({ db, clock: context.clock }, 'p3', { summary: 'Few said so.' });
      let queries = 0;
      db.on('query', () => (queries += 1));
      await publishDue(context);
      // Only lists whose first page has its card.
      const lists = context.pages.rendered.filter((address) => topicOf(address) !== null);
      expect(lists).toEqual(['/historical/category/food']);
      const written = operations.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      costs.push([queries, context.pages.rendered.length, written]);
      vi.restoreAllMocks();
    }
    expect(costs[1]).toEqual(costs[0]);
  });

  test.each([
    ['by itself', []],
    ['while all pages are rendered', [{ kind: 'site', key: 'again' }]],
  ] as const)('a poll that has opened by the clock of another machine is shown, %s', async (_, others) => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, [{ id: 'tea', startsAt: testNow + 20 }]);
    const context = await published(db, clock);
    const before = (await site())['/'];
    await recordChanges(db, testNow, others);
    await recordChanges(db, testNow + 20, [{ kind: 'poll', key: 'tea', event: 'opened' }]);
    await drain(context);
    expect((await site())['/']).not.toBe(before);
    expect(await countChanges(db)).toBe(0);
  });

  once('a removal during a pause is over at once where no page is published', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(4, 4));
    await db('polls').update({ demonstration: true });
    const context = await published(db, clock);
    await rm(inBuilds(dataDir, buildFiles.current));
    await setPaused(db, clock, true);
    await db.transaction((trx) => removeDemonstrationPoll({ trx, clock }, 'p1', 'operator'));
    await drain(context);
    expect([await countChanges(db), context.pages.rendered]).toEqual([0, []]);
  });

  once('a change that makes no difference changes no file', async () => {
    const { db } = await open();
    const context = await published(db);
    const before = (await site())['/community-polls'];
    await recordChanges(db, testNow, [{ kind: 'community', key: 'x' }]);
    expect(await publishDue(context)).toMatchObject({ status: 'published', changed: 0 });
    expect((await site())['/community-polls']).toBe(before);
    expect(await countChanges(db)).toBe(0);
  });

  once('a page that can’t be rendered stays unchanged and is retried, and the others are published', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(4, 4));
    const context = await published(db, clock);
    const before = await site();
    context.pages.before = (address) => {
      if (address === '/poll/p1') throw new Error('a field is missing');
    };
    for (const id of ['p1', 'p2']) await editPoll({ db, clock }, id, { question: `New ${id}?` });
    expect(await publishDue(context)).toMatchObject({
      status: 'failed',
      error: { message: 'The page /poll/p1 could not be rendered: a field is missing' },
    });
    expect([
      (await site())['/poll/p1'] === before['/poll/p1'],
      (await site())['/poll/p2'] === before['/poll/p2'],
    ]).toEqual([true, false]);
    expect(await countChanges(db)).toBeGreaterThan(0);
    delete context.pages.before;
    clock.set(testNow + 60_000);
    await drain(context);
    expect((await site())['/poll/p1']).not.toBe(before['/poll/p1']);
  });

  once('a page that ends the process of others fails alone', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(4, 4));
    const context = await published(db, clock);
    let together = 0;
    context.pages.before = async (address) => {
      together += 1;
      await new Promise(setImmediate);
      const isAlone = together === 1;
      together -= 1;
      if (address === '/poll/p1' || !isAlone) throw new RendererEnded('no answer');
    };
    for (const id of ['p1', 'p2']) await editPoll({ db, clock }, id, { question: `New ${id}?` });
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    expect([(await site())['/poll/p1'], (await site())['/poll/p2']]).toEqual([
      expect.not.stringContaining('New p1?'),
      expect.stringContaining('New p2?'),
    ]);
    expect(await waitingPages(db).where({ queue: priorities.now }).pluck('key')).toEqual(['p1']);
  });

  once('while nothing can be written, attempts become rarer', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const context = await published(db, clock);
    await recordChanges(db, testNow, [{ kind: 'page', key: '/about' }]);
    await writeFile(inBuilds(dataDir, buildFiles.drafts, 'left'), '');
    vi.spyOn(disk, 'removeFolder').mockRejectedValue(new Error('no space left'));
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await publishDue(context)).toMatchObject({ status: 'failed', error: { message: 'no space left' } });
    expect(await publishDue(context)).toEqual({ status: 'nothing-due' });
    vi.restoreAllMocks();
    clock.set(testNow + 60_000);
    expect(await publishDue(context)).toMatchObject({ status: 'published' });
  });

  once('a report that can’t be rendered does not hold up the other reports of its category', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(330, 330));
    const context = await published(db, clock);
    context.pages.before = (address) => {
      if (address === '/poll/p0') throw new Error('a field is missing');
    };
    await recordChanges(db, testNow, [{ kind: 'related', key: 'Food' }], priorities.background);
    for (let step = 0; step < 5; step += 1) {
      clock.set(clock.now() + 3_600_000);
      await publishDue(context);
    }
    const reports = polls(330, 330).flatMap(({ id, category }) => (category === 'Food' ? [`/poll/${id}`] : []));
    expect(context.pages.rendered).toEqual(expect.arrayContaining(reports));
    expect(await waitingPages(db).pluck<string[]>('key')).toEqual(['/poll/p0']);
  });

  once('a poll that closes while an import is published does not wait for it', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, [{ id: 'tea', endsAt: testNow + 1 }]);
    const context = await published(db, clock);
    await seedPolls(db, polls(450, 450));
    const keys = polls(450, 450).map(({ id }) => ({ kind: 'poll', key: id }) as const);
    await recordChanges(db, testNow, keys, priorities.many);
    await publishDue(context);
    clock.set(testNow + 1);
    await closeDue({ db, clock });
    context.pages.rendered.length = 0;
    await publishDue(context);
    expect(context.pages.rendered).toContain('/poll/tea');
    expect(context.pages.rendered.filter((address) => address.startsWith('/poll/p'))).toEqual([]);
    await drain(context);
    expect(Object.keys(await site()).filter((address) => /^\/poll\/p\d+$/.test(address))).toHaveLength(450);
  });

  test(
    'an import renders each report and part of the sitemap once, and also the part that a poll whose end it moves has left',
    slow,
    async () => {
      const { db } = await open();
      const clock = fixedClock(testNow);
      await seedPolls(db, polls(260, 260));
      const context = await published(db, clock);
      const cells = (n: number) => {
        const starts = new Date(testNow - 1_000 * day).toISOString();
        // The oldest becomes the newest; the others get another text.
        const ends = new Date(testNow - (n === 0 ? 0.5 : 260 - n) * day).toISOString();
        const options = JSON.stringify(
          [0, 1, 2].map((place) => ({ id: `option-${place + 1}`, text: `Answer ${place + 1}`, votes: 3 })),
        );
        return [`p${n}`, 'Imported?', 'All over again.', options, 'false', starts, starts, ends, 'Food'];
      };
      const header = 'id question description options is_active created_at starts_at ends_at category'.split(' ');
      const rows = Array.from({ length: 260 }, (_, n) => cells(n));
      const source = Readable.from([Buffer.from(stringify([header, ...rows]))]);
      expect(await importPolls({ db, clock, source })).toMatchObject({ updated: 260, errors: [] });
      await drain(context);
      for (const list of ['/historical/category/food', '/historical/tag/c-l4ge7k'])
        expect(context.pages.rendered.filter((address) => address === list).length, list).toBeLessThan(3);
      const reports = context.pages.rendered.filter((address) => address.startsWith('/poll/')).sort();
      expect(reports).toEqual(rows.map(([id]) => `/poll/${id}`).sort());
      const parts = context.pages.rendered.filter((address) => address.startsWith('/sitemap-reports-')).sort();
      // The third would be the one that has become empty.
      expect(parts).toEqual([1, 2, 3].map((number) => `/sitemap-reports-${number}.xml`));
      const byChanges = await site();
      await recordChanges(db, clock.now(), [{ kind: 'site', key: 'everything' }]);
      await drain(context);
      expect(byChanges).toEqual(await site());
    },
  );

  test('[D9.17] of several publishers that check at once, one publishes', async () => {
    const { db } = await open();
    await seedPolls(db, polls(4, 4));
    const context = await published(db);
    await editPoll({ db, clock: context.clock }, 'p1', { question: 'New?' });
    const outcomes = await Promise.all([publishDue(context), publishDue(context), publishDue(context)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['nothing-due', 'nothing-due', 'published']);
    expect(await endedPublishes(db)).toHaveLength(2);
  });

  test('while publishing is paused, only removals are published; then everything is', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(9, 9));
    await db('polls').update({ demonstration: true });
    const context = await published(db, clock);
    const showing = async () => {
      const found = Object.entries(await site()).filter(([, page]) => page.includes('"p4"'));
      return found.map(([address]) => address);
    };
    expect(await showing()).toEqual(
      expect.arrayContaining(['/historical', '/historical/category/sport', '/historical/tag/tea', '/poll/p1']),
    );
    const edited = (await site())['/poll/p0'];
    await setPaused(db, clock, true);
    await editPoll({ db, clock }, 'p0', { question: 'New?' });
    expect(await publishDue(context)).toEqual({ status: 'nothing-due' });
    await db.transaction((trx) => removeDemonstrationPoll({ trx, clock }, 'p4', 'operator'));
    await drain(context);
    expect([await showing(), (await site())['/poll/p0']]).toEqual([[], edited]);
    await setPaused(db, clock, false);
    await drain(context);
    expect((await site())['/poll/p0']).not.toBe(edited);
  });

  test('a content file that changes is one publish of what shows it; one that is deleted loses its page, even if the publisher dies', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const content = join(dataDir, 'content');
    const files = ['kept', 'gone'].map((slug) => join(content, 'blog', `${slug}.md`));
    await mkdir(join(content, 'blog'), { recursive: true });
    for (const file of files) await writeFile(file, article('First.'));
    await loadContent({ db, clock, folder: content });
    const context = await published(db, clock);
    context.pages.content = content;
    await writeFile(files[0]!, article('Second.'));
    await recordChanges(db, testNow, [{ kind: 'content', key: 'content/blog/kept.md' }]);
    const before = (await endedPublishes(db)).length;
    await drain(context);
    expect((await site())['/blog/kept']).toContain('Second.');
    expect(context.pages.rendered.filter((address) => address === '/blog/kept')).toHaveLength(1);
    expect(await endedPublishes(db)).toHaveLength(before + 1);

    await rm(files[1]!);
    await recordChanges(db, testNow, [{ kind: 'content', key: 'content/blog/gone.md' }]);
    context.pages.before = async () => {
      await loseLease(db);
    };
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    expect(await db('blog_posts').where({ published: true }).pluck('slug')).toEqual(['kept']);
    delete context.pages.before;
    // Nobody has to look at the file again.
    const ofFiles = waitingPages(db).where({ kind: 'content', event: null }).select('id');
    await db('jobs').whereIn('id', ofFiles).del();
    await drain(context);
    expect(Object.keys(await site()).filter((address) => address.startsWith('/blog/'))).toEqual(['/blog/kept']);
  });

  once('a content file with an error holds up nothing else, and is read again later', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    await seedPolls(db, polls(4, 4));
    const context = await published(db, clock);
    context.pages.content = join(dataDir, 'content');
    await mkdir(join(context.pages.content, 'blog'), { recursive: true });
    await writeFile(join(context.pages.content, 'blog', 'bad.md'), 'no head');
    await recordChanges(db, testNow, [{ kind: 'content', key: 'content/blog/bad.md' }]);
    await editPoll({ db, clock }, 'p1', { question: 'New?' });
    expect(await publishDue(context)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('bad.md') as string },
    });
    expect((await site())['/poll/p1']).toContain('New?');
    expect(await waitingPages(db).where({ queue: priorities.now }).pluck('key')).toEqual(['content/blog/bad.md']);
    await rm(join(context.pages.content, 'blog', 'bad.md'));
    await db('jobs').where({ kind: priorities.now }).update({ attempts: 2, due_at: testNow });
    await recordChanges(db, testNow, [{ kind: 'related', key: 'Food', event: 'removed' }], priorities.many);
    expect(await publishDue(context)).toMatchObject({ status: 'published' });
    const left = (row: object) => waitingPages(db).where(row).pluck<string[]>('key');
    expect([await left({ queue: priorities.now }), await left({ event: 'removed' })]).toEqual([[], ['Food']]);
  });

  test('a publisher whose job is taken during a publish changes no page', async () => {
    const { db } = await open();
    await seedPolls(db, polls(4, 4));
    const context = await published(db);
    const before = await site();
    await editPoll({ db, clock: context.clock }, 'p1', { question: 'New?' });
    context.pages.before = async () => {
      await loseLease(db);
    };
    expect(await publishDue(context)).toMatchObject({ status: 'failed', error: { message: publishingTexts.jobLost } });
    expect(await site()).toEqual(before);
    delete context.pages.before;
    await drain(context);
    expect(await site()).not.toEqual(before);
  });

  once('the whole site is due before the first publish, with new code, and with another database', async () => {
    const { db } = await open();
    expect(await reasonForWholeSite(db, dataDir, 'code')).toContain('no page');
    await published(db);
    expect(await reasonForWholeSite(db, dataDir, 'code')).toBeNull();
    expect(await reasonForWholeSite(db, dataDir, 'code2')).toContain('code');
    await db('installation').where({ name: 'publishing.fill' }).del();
    expect(await reasonForWholeSite(db, dataDir, 'code')).toContain('another database');
  });

  once('the place of a closed poll in the sitemap is by its end, then its id', async () => {
    const { db } = await open();
    const hour = 3_600_000;
    const ends = [0, 1, 1, 2, 3, 90, 100];
    const ids = ends.map((_, n) => `poll-${n}`);
    await seedPolls(
      db,
      ends.map((end, n) => ({ id: ids[n]!, closedAt: testNow + end * hour })),
    );
    for (const [n, key] of ids.entries()) {
      const change = { kind: 'report', key } as const;
      const facts = await factsOf(db, [change]);
      expect(facts(change)).toMatchObject({ place: n + 1, total: ends.length });
    }
  });
});
