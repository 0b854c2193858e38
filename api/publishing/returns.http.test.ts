import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileOf, releaseFiles } from '#contract/publishing.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { testNow } from '#api/testing/test-app.ts';
import { brokenReleases, filesWith, leftovers } from '#api/testing/whole-releases.ts';
import { insertTakedowns, priorities, recordChanges, recordRemoval } from './changes.service.ts';
import { disk } from './disk.ts';
import { beginJob } from './jobs.queries.ts';
import { Manifest } from './manifest.ts';
import { listReleases } from './overview.service.ts';
import { publishDue } from './publish.service.ts';
import { keptReleases, stateOf } from './releases.ts';
import { pinnedRelease, releasePin, rollbackRelease } from './return.service.ts';
import { currentHead, inReleases, objectPath } from './store.ts';
import { applyTakedowns, contentOf } from './takedowns.service.ts';
import { takedownIds } from './takedowns.queries.ts';

vi.mock('./jobs.queries.ts', { spy: true });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-returns-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const three = ['first', 'wrong', 'third'].map((id) => ({ id, closedAt: testNow, category: 'Food' }));

/** A site with closed polls, whose clock advances by a minute with each publish. */
async function createSite(db: Database) {
  const clock = fixedClock(testNow);
  await seedPolls(db, three);
  const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
  const { pages } = context;
  // As in real pages, lists link to polls.
  pages.list = async (address) =>
    address === '/historical'
      ? (await db('polls').orderBy('id').pluck<string[]>('id'))
          .map((id) => `<li><a href="/poll/${id}">What about ${id}?</a></li>`)
          .join('')
      : '';
  const drain = async () => {
    for (;;) {
      const outcome = await publishDue(context);
      if (outcome.status === 'failed') throw outcome.error;
      if (outcome.status === 'nothing-due') return;
    }
  };
  let count = 0;
  /** Publishes a change and returns the id of its release. */
  const publish = async () => {
    clock.set(clock.now() + 60_000);
    await editPoll({ db, clock }, 'first', { question: `Question ${(count += 1)}?` });
    await drain();
    return currentHead(dataDir)!.release;
  };
  const remove = (...ids: string[]) =>
    db.transaction(async (trx) => {
      await trx('ballots').whereIn('id', ids).del();
      await recordRemoval(trx, clock.now(), 'poll', ids);
    });
  await recordChanges(db, testNow, [{ kind: 'site', key: 'a test' }]);
  await drain();
  return {
    ...{ clock, context, drain, publish, remove },
    use: (id: string, options?: { pin?: boolean }) => rollbackRelease(context, id, options),
    apply: () => applyTakedowns(context),
    served: () => currentHead(dataDir)!.release,
  };
}

/** The served page of an address. */
function page(address: string): string | null {
  const file = new Manifest(dataDir, currentHead(dataDir)!.shards).get(address);
  return file && contentOf(dataDir, address, file).toString();
}

oneDatabase((open) => {
  test('[D9.16] each of the last releases can be served again, and the next change is newer than all of them', async () => {
    const { db } = await open();
    const { publish, use, served } = await createSite(db);
    const made = [await publish(), await publish(), await publish()];
    for (const id of made) {
      expect(await use(id)).toMatchObject({ id });
      expect(served()).toBe(id);
      expect(await db('site_releases').where({ is_current: true }).pluck('id')).toEqual([id]);
    }
    await use(made[0]!);
    expect(page('/poll/first')).toContain('Question 1?');
    const newest = await publish();
    expect([made.includes(newest), page('/poll/first')?.includes('Question 4?')]).toEqual([false, true]);
    expect(await use('20200101T000000Z-dead')).toBeNull();
    expect(brokenReleases(dataDir)).toEqual([]);
    expect(leftovers(dataDir)).toEqual([]);
  });

  test('an earlier release stays until something changes', async () => {
    const { db } = await open();
    const { clock, context, publish, use, served } = await createSite(db);
    const older = await publish();
    await publish();
    // Recorded before the return, and a list of related polls.
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'third' }]);
    clock.set(clock.now() + 1_000);
    await use(older);
    clock.set(clock.now() + 1_000);
    await recordChanges(db, clock.now(), [{ kind: 'related', key: 'Food' }], priorities.background);
    expect(await publishDue(context)).toEqual({ status: 'nothing-due' });
    expect(served()).toBe(older);
    expect(await publish()).not.toBe(older);
  });

  test('an earlier release stays if another publisher has published the change meanwhile', async () => {
    const { db } = await open();
    const { clock, context, publish, use, served } = await createSite(db);
    const older = await publish();
    await publish();
    await use(older);
    clock.set(clock.now() + 1_000);
    await editPoll({ db, clock }, 'third', { question: 'Changed?' });
    vi.mocked(beginJob).mockImplementationOnce(async (trx, ...args) => {
      await trx('publish_changes').del();
      return beginJob(trx, ...args);
    });
    expect(await publishDue(context)).toEqual({ status: 'nothing-due' });
    expect(served()).toBe(older);
    expect(await db('build_jobs').where({ status: 'running' })).toEqual([]);
  });

  test('a change after a return is published even if the first attempts fail', async () => {
    const { db } = await open();
    const { clock, context, publish, use, drain } = await createSite(db);
    const older = await publish();
    await publish();
    await use(older);
    await editPoll({ db, clock }, 'third', { question: 'Changed?' });
    const failing = vi.spyOn(disk, 'write').mockRejectedValue(new Error('no space left'));
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    failing.mockRestore();
    clock.set(clock.now() + 60 * 60_000);
    await drain();
    expect(page('/poll/third')).toContain('Changed?');
  });

  test('a return during a publish stays: the publish is canceled', async () => {
    const { db } = await open();
    const { context, clock, publish, use, served, drain } = await createSite(db);
    const older = await publish();
    await publish();
    await editPoll({ db, clock }, 'third', { question: 'Changed?' });
    let returned: ReturnType<typeof use> = Promise.resolve(null);
    context.pages.before = async () => {
      delete context.pages.before;
      clock.set(clock.now() + 1_000);
      await (returned = use(older));
    };
    expect(await publishDue(context)).toMatchObject({
      status: 'failed',
      error: { message: publishingTexts.overruled },
    });
    expect(await returned).toMatchObject({ id: older });
    expect(served()).toBe(older);
    await publish();
    await drain();
    expect(page('/poll/third')).toContain('Changed?');
    expect(brokenReleases(dataDir)).toEqual([]);
  });

  test('if returns and publishes coincide, the records of database and data folder agree', async () => {
    const { db, url } = await open();
    const other = openDatabase(url);
    try {
      const { clock, context, publish, drain } = await createSite(db);
      const older = await publish();
      for (let round = 0; round < 6; round += 1) {
        clock.set(clock.now() + 1_000);
        await editPoll({ db, clock }, 'third', { question: `Round ${round}?` });
        const returned = (async () => {
          for (let turn = 0; turn < (round % 3) * 20; turn += 1) await new Promise(setImmediate);
          return rollbackRelease({ db: other, clock, dataDir }, older);
        })();
        await publishDue(context);
        await returned;
        expect(await db('site_releases').where({ is_current: true }).pluck('id')).toEqual([
          currentHead(dataDir)!.release,
        ]);
        expect(brokenReleases(dataDir)).toEqual([]);
      }
      await publish();
      await drain();
      expect(page('/poll/third')).toContain('Round 5?');
    } finally {
      await other.destroy();
    }
  });

  test('[D9.16] a pinned release stays until it is unpinned, and then everything since is published', async () => {
    const { db } = await open();
    const { clock, context, publish, use, served, drain } = await createSite(db);
    const older = await publish();
    await publish();
    await use(older, { pin: true });
    expect(await pinnedRelease(db, dataDir)).toBe(older);
    await editPoll({ db, clock }, 'third', { question: 'Meanwhile?' });
    expect(await publishDue(context)).toEqual({ status: 'nothing-due' });
    clock.set(clock.now() + 1_000);
    expect(await releasePin(db, clock)).toBe(true);
    await drain();
    expect(served()).not.toBe(older);
    expect([page('/poll/third'), page('/poll/first')]).toEqual([
      expect.stringContaining('Meanwhile?'),
      expect.stringContaining('Question 2?'),
    ]);
    expect(await releasePin(db, clock)).toBe(false);
  });

  test('a pin of a release that is not in this data folder is ignored', async () => {
    const { db } = await open();
    const { use, served } = await createSite(db);
    await use(served(), { pin: true });
    await rm(inReleases(dataDir), { recursive: true });
    expect(await pinnedRelease(db, dataDir)).toBeNull();
  });

  test('a deleted poll leaves every kept release and every tree, and all stay complete', async () => {
    const { db } = await open();
    const { context, clock, publish, remove, apply, drain } = await createSite(db);
    await editPoll({ db, clock }, 'wrong', { question: 'Really wrong?' });
    await publish();
    context.pages.code = 'code2';
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'new code' }]);
    await drain();
    await publish();
    expect(filesWith(dataDir, 'wrong')).not.toEqual([]);
    await remove('wrong');
    expect(await takedownIds(db)).toEqual(['wrong']);
    expect(await apply()).toBe(true);
    await drain();
    expect(filesWith(dataDir, '/poll/wrong')).toEqual([]);
    expect(page('/historical')).toContain('/poll/third');
    expect(brokenReleases(dataDir)).toEqual([]);
    expect(leftovers(dataDir)).toEqual([]);
    expect([await takedownIds(db), await db('build_jobs').where({ status: 'running' })]).toEqual([[], []]);
  });

  test('after polls are removed, every kept release counts exactly the pages and bytes that it serves', async () => {
    const { db } = await open();
    const { clock, publish, remove, apply, drain, use } = await createSite(db);
    await editPoll({ db, clock }, 'wrong', { question: 'Really wrong?' });
    const older = await publish();
    await publish();
    await remove('wrong', 'third');
    await apply();
    await drain();
    await publish();
    await recordChanges(db, clock.now(), [{ kind: 'site', key: publishingTexts.reasons.command }]);
    await drain();
    const counts = ({ pages, bytes }: { readonly pages: number; readonly bytes: number }) => ({ pages, bytes });
    const expectExactCounts = () => {
      for (const { id } of keptReleases(dataDir)) {
        const files = [...stateOf(dataDir, id)!.manifest.entries()];
        const exact = {
          pages: files.filter(([address]) => fileOf(address).endsWith('.html')).length,
          bytes: files.reduce((sum, [, { size }]) => sum + size, 0),
        };
        expect(counts(listReleases(dataDir, null).find((one) => one.id === id)!)).toEqual(exact);
        if (currentHead(dataDir)!.release === id) expect(counts(currentHead(dataDir)!)).toEqual(exact);
      }
    };
    expectExactCounts();
    const [rendered, changed] = keptReleases(dataDir);
    expect(changed!.tree).not.toBe(rendered!.tree);
    expect(counts(changed!)).toEqual(counts(rendered!));
    // Not the newest release of its tree.
    await use(older);
    await remove('first');
    await apply();
    expectExactCounts();
  });

  test('[D9.16] returning to an older release does not restore a deleted poll', async () => {
    const { db } = await open();
    const { publish, use, remove } = await createSite(db);
    const older = await publish();
    await publish();
    await remove('wrong');
    expect(await use(older)).toMatchObject({ id: older });
    expect([page('/poll/wrong'), page('/historical')?.includes('/poll/wrong')]).toEqual([null, false]);
    expect(brokenReleases(dataDir)).toEqual([]);
  });

  test('an older release loses the pages of articles and the pictures that were taken down, but nothing else', async () => {
    const { db } = await open();
    const { clock, publish, use } = await createSite(db);
    const older = await publish();
    await publish();
    expect(page('/about')).not.toBeNull();
    await insertTakedowns(db, ['/about', '/blog/gone'], clock.now());
    await use(older, { pin: true });
    expect([page('/about'), page('/historical') === null, page('/poll/first') === null]).toEqual([null, false, false]);
    expect([await takedownIds(db), brokenReleases(dataDir)]).toEqual([[], []]);
  });

  test('[D9.16] polls whose deletion was not recorded don’t reappear with an older release either', async () => {
    const { db } = await open();
    const { clock, context, publish, use, drain } = await createSite(db);
    const older = await publish();
    await db('ballots').where({ id: 'wrong' }).del();
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'wrong' }]);
    await drain();
    expect(page('/poll/wrong')).toBeNull();
    await use(older);
    expect([page('/poll/wrong'), page('/historical')?.includes('/poll/wrong')]).toEqual([null, false]);
    expect(context.pages.rendered.length).toBeGreaterThan(0);
  });

  test('[D9.16] deleted polls leave a pinned release, too', async () => {
    const { db } = await open();
    const { publish, use, remove, apply, served } = await createSite(db);
    const older = await publish();
    await publish();
    await use(older, { pin: true });
    await remove('wrong');
    expect(await apply()).toBe(true);
    expect(served()).toBe(older);
    expect([page('/poll/wrong'), page('/historical')?.includes('/poll/wrong')]).toEqual([null, false]);
  });

  test('a deleted poll leaves the names even of a damaged tree, and the site is published again', async () => {
    const { db } = await open();
    const { remove, apply, drain } = await createSite(db);
    const head = currentHead(dataDir)!;
    for (const digest of Object.values(head.shards))
      await writeFile(inReleases(dataDir, releaseFiles.manifests, `${digest}.json`), '{');
    await remove('wrong');
    expect(await apply()).toBe(true);
    const names = await readdir(inReleases(dataDir, releaseFiles.current, releaseFiles.client, 'poll'));
    expect(names.filter((name) => name.startsWith('wrong'))).toEqual([]);
    await drain();
    expect(page('/poll/first')).not.toBeNull();
  });

  test('a list that can’t be read doesn’t keep a deleted poll in the other files', async () => {
    const { db } = await open();
    const { clock, publish, remove, apply } = await createSite(db);
    await editPoll({ db, clock }, 'wrong', { question: 'Really wrong?' });
    await publish();
    const damaged = keptReleases(dataDir)[0]!.changes.find(({ address }) => address === '/historical')!;
    await rm(objectPath(dataDir, '/historical', damaged.before!.hash, ''));
    await remove('wrong');
    expect(await apply()).toBe(true);
    expect([page('/poll/wrong'), page('/historical')?.includes('/poll/wrong')]).toEqual([null, false]);
    expect(await takedownIds(db)).toEqual([]);
  });

  test('a takedown that dies is repeated, and a takedown waits for a running publish', async () => {
    const { db } = await open();
    const { context, clock, publish, remove, apply } = await createSite(db);
    await publish();
    await remove('wrong');
    vi.spyOn(disk, 'rename').mockImplementation(() => {
      throw new Error('killed');
    });
    await expect(apply()).rejects.toThrow('killed');
    vi.restoreAllMocks();
    expect(await takedownIds(db)).toEqual(['wrong']);
    context.pages.before = async () => {
      expect(await apply()).toBe(false);
    };
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'third' }]);
    await publishDue(context);
    delete context.pages.before;
    expect(await apply()).toBe(true);
    expect(filesWith(dataDir, '/poll/wrong')).toEqual([]);
  });

  test('a takedown completes a publish that died first, so that it restores nothing', async () => {
    const { db } = await open();
    const { context, clock, remove, apply, drain } = await createSite(db);
    await seedPolls(db, [{ id: 'wrong-too', closedAt: testNow }]);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'wrong-too' }]);
    const killed = vi.spyOn(disk, 'link').mockImplementation(() => {
      throw new Error('killed');
    });
    expect(await publishDue(context)).toMatchObject({ status: 'failed', error: { message: 'killed' } });
    killed.mockRestore();
    await remove('wrong-too');
    expect(await apply()).toBe(true);
    expect([filesWith(dataDir, '/poll/wrong-too'), leftovers(dataDir)]).toEqual([[], []]);
    await drain();
    expect(filesWith(dataDir, '/poll/wrong-too')).toEqual([]);
    expect(brokenReleases(dataDir)).toEqual([]);
  });

  test('a publish whose last transaction is lost after its files were complete is recorded by the next one', async () => {
    const { db } = await open();
    const { context, clock, publish } = await createSite(db);
    const before = await publish();
    await editPoll({ db, clock }, 'first', { question: 'Changed?' });
    const lost = vi.spyOn(disk, 'remove').mockImplementation((path) => {
      rmSync(path, { force: true });
      if (path.endsWith(releaseFiles.pending)) throw new Error('lost');
    });
    expect(await publishDue(context)).toMatchObject({ status: 'failed', error: { message: 'lost' } });
    lost.mockRestore();
    const current = () => db('site_releases').where({ is_current: true }).pluck('id');
    const served = currentHead(dataDir)!.release;
    expect([await current(), page('/poll/first')?.includes('Changed?')]).toEqual([[before], true]);
    await db('publish_changes').update({ attempts: 0, due_at: 1 });
    expect(await publishDue(context)).toMatchObject({ status: 'published', release: null });
    expect([currentHead(dataDir)!.release, await current()]).toEqual([served, [served]]);
  });

  test('a publish that died and whose contents are gone is replaced by a new one of the whole site', async () => {
    const { db } = await open();
    const { context, clock, drain } = await createSite(db);
    await editPoll({ db, clock }, 'first', { question: 'Changed?' });
    const killed = vi.spyOn(disk, 'link').mockImplementation(() => {
      throw new Error('killed');
    });
    expect(await publishDue(context)).toMatchObject({ status: 'failed' });
    killed.mockRestore();
    const { after } = keptReleases(dataDir)[0]!.changes.find(({ address }) => address === '/poll/first')!;
    await rm(objectPath(dataDir, '/poll/first', after!.hash, '.gz'));
    await drain();
    expect(page('/poll/first')).toContain('Changed?');
    expect(leftovers(dataDir)).toEqual([]);
  });

  test('contents that are missing, or damaged without another size, are stored again', async () => {
    const { db } = await open();
    const { clock, drain } = await createSite(db);
    const path = (address: string, ending: '' | '.gz') =>
      objectPath(dataDir, address, new Manifest(dataDir, currentHead(dataDir)!.shards).get(address)!.hash, ending);
    const rebuild = async (key: string) => {
      await recordChanges(db, clock.now(), [{ kind: 'site', key }]);
      await drain();
    };
    await rm(path('/poll/first', '.gz'));
    await rm(path('/_astro/app.12345678.js', '.gz'));
    await rebuild('new settings');
    expect(brokenReleases(dataDir)).toEqual([]);
    const damaged = path('/poll/first', '.gz');
    await writeFile(damaged, Buffer.alloc((await readFile(damaged)).length));
    expect(brokenReleases(dataDir)).toContain('/poll/first');
    await rebuild(publishingTexts.reasons.command);
    expect(brokenReleases(dataDir)).toEqual([]);
  });

  test('a poll that is imported again is published again', async () => {
    const { db } = await open();
    const { clock, remove, apply, drain } = await createSite(db);
    await remove('wrong');
    await apply();
    await drain();
    await seedPolls(db, [{ id: 'wrong', closedAt: testNow }]);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'wrong' }]);
    await drain();
    expect(page('/poll/wrong')).not.toBeNull();
  });
});
