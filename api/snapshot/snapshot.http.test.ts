import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { ReportRecord } from '#contract/page-data.ts';
import { snapshotFiles } from '#contract/snapshot.ts';
import type { CommunityAddresses, ReportIndex, SiteSnapshot, TextsSnapshot } from '#contract/snapshot.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { writeSnapshot } from './snapshot.service.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-snapshot-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settings = { siteName: 'The Cock & Arrow', supportEmail: 'a_b@example.org', publicUrl: 'https://polls.example' };
const write = (db: Database, pagesDigest = 'code') =>
  writeSnapshot({ db, clock: fixedClock(testNow), settings, folder, pagesDigest });

/** The reports, read by the offsets of the index as the build does. */
function reports(): Map<string, ReportRecord> {
  const index = JSON.parse(readFileSync(join(folder, snapshotFiles.reportIndex), 'utf8')) as ReportIndex;
  const bytes = readFileSync(join(folder, snapshotFiles.reports));
  return new Map(
    index.map(({ id, offset, length }) => [
      id,
      JSON.parse(bytes.subarray(offset, offset + length).toString('utf8')) as ReportRecord,
    ]),
  );
}

const closedAt = testNow - 86_400_000;

eachDatabase((open) => {
  test('[D4.5 D4.9] has the open polls, the first page of the archive, and every closed poll', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'open-one' },
      { id: 'upcoming', startsAt: testNow + 1_000 },
      ...Array.from({ length: 11 }, (_, i) => ({
        id: `closed-${i}`,
        closedAt: closedAt + i,
        question: `Grüße №${i}?`,
      })),
    ]);
    await write(db);
    const site = JSON.parse(readFileSync(join(folder, snapshotFiles.site), 'utf8')) as SiteSnapshot;
    expect(site.activePolls.map(({ id }) => id)).toEqual(['open-one']);
    expect(site.archive).toMatchObject({ total: 11, categories: ['all', 'General'] });
    expect(site.archive.polls.map(({ id }) => id)).toEqual(Array.from({ length: 9 }, (_, i) => `closed-${10 - i}`));
    expect(site.statistics.totalPolls).toBe(12);
    const all = reports();
    expect(all.size).toBe(11);
    for (const [id, { poll }] of all) expect([poll.id, poll.hasVoted]).toEqual([id, false]);
    expect(all.get('closed-3')?.poll.question).toBe('Grüße №3?');
  });

  test('[D4.7] links a report to the six most voted others of its category, like the endpoint for related polls', async () => {
    const { db } = await open();
    await seedPolls(db, [
      ...Array.from({ length: 8 }, (_, i) => ({ id: `p${i}`, closedAt, votes: [10 * i] })),
      { id: 'elsewhere', closedAt, votes: [1_000], category: 'Science' },
      { id: 'nowhere', closedAt, votes: [1_000], category: null },
    ]);
    await write(db);
    const related = (id: string) =>
      reports()
        .get(id)
        ?.related.map((poll) => poll.id);
    expect(related('p7')).toEqual(['p6', 'p5', 'p4', 'p3', 'p2', 'p1']);
    expect(related('p0')).toEqual(['p7', 'p6', 'p5', 'p4', 'p3', 'p2']);
    expect(related('elsewhere')).toEqual([]);
    expect(related('nowhere')).toEqual([]);
    const app = await startTestApp(db);
    for (const id of ['p7', 'p0']) {
      const answer = await app.fetch(`/api/polls/related/General/${id}`);
      expect(await answer.json()).toEqual(reports().get(id)?.related);
    }
    await app.close();
  });

  test('detects changed reports: those whose record, related polls, code, or settings changed', async () => {
    const { db } = await open();
    const science = ['s1', 's2'].map((id) => ({ id, closedAt, category: 'Science' }));
    await seedPolls(db, [{ id: 'a', closedAt }, { id: 'b', closedAt }, ...science]);
    const before = (await write(db)).reports;
    expect((await write(db)).reports).toEqual(before);
    await db('polls').where({ id: 'a' }).update({ question: 'Another question?' });
    const after = (await write(db)).reports;
    const changed = [...after.keys()].filter((id) => after.get(id) !== before.get(id));
    // b links to a and shows its question.
    expect(changed).toEqual(['a', 'b']);
    const newCode = (await write(db, 'other code')).reports;
    expect([...newCode.keys()].filter((id) => newCode.get(id) === after.get(id))).toEqual([]);
  });

  test('[D6.4] has the newest public community polls and the featured ones, without data about members', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Petrova' });
    for (let i = 0; i < 8; i++) {
      app.clock.set(testNow + i * 1_000);
      await made(anna, { question: `Public ${i}?`, description: 'long '.repeat(400) });
    }
    const hidden = [
      await made(anna, { question: 'Unlisted?', visibility: 'unlisted' }),
      await made(anna, { question: 'Private?', visibility: 'private' }),
    ];
    const oldest = await db('community_polls').where({ question: 'Public 0?' }).first<{ id: string }>('id');
    await db('community_polls').where({ id: oldest.id }).update({ featured: true });
    // A manual database change can't publish a non-public poll.
    await db('community_polls')
      .whereIn(
        'id',
        hidden.map(({ id }) => id),
      )
      .update({ featured: true });
    await castVote(visitor(app), oldest.id);
    await write(db);
    const text = readFileSync(join(folder, snapshotFiles.site), 'utf8');
    const { community } = JSON.parse(text) as SiteSnapshot;
    expect(community.polls.map(({ question }) => question)).toEqual([7, 6, 5, 4, 3, 2].map((i) => `Public ${i}?`));
    expect(community.featured).toMatchObject([{ question: 'Public 0?', totalVotes: 1, visibility: 'public' }]);
    for (const { description } of community.polls) expect(description.length).toBeLessThan(410);
    for (const secret of ['anna', 'Anna', 'Petrova', 'Unlisted?', 'Private?']) expect(text).not.toContain(secret);
    const listed = readFileSync(join(folder, snapshotFiles.communityAddresses), 'utf8');
    expect((JSON.parse(listed) as CommunityAddresses).map(({ changedAt }) => changedAt)).toEqual(
      [7, 6, 5, 4, 3, 2, 1, 0].map((i) => new Date(testNow + i * 1_000).toISOString()),
    );
    for (const { id } of hidden) expect(listed).not.toContain(id);
    await app.close();
  });

  test('[D8.1 D8.2 D8.3] has every article as the blog endpoints return it, and the static pages with the settings filled in', async () => {
    const { db } = await open();
    await write(db);
    const texts = JSON.parse(readFileSync(join(folder, snapshotFiles.texts), 'utf8')) as TextsSnapshot;
    const app = await startTestApp(db);
    expect(texts.articles).toEqual(await (await app.fetch('/api/blogs')).json());
    expect(texts.articles.length).toBeGreaterThanOrEqual(14);
    expect(texts.pages.terms.content).toContain('The Cock &amp; Arrow');
    expect(texts.pages.about.content).toContain('mailto:a_b@example.org');
    await app.close();
  });

  test('is refused when a row violates the contract, with the poll and the reason', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'odd', closedAt }]);
    await db('polls').where({ id: 'odd' }).update({ country_breakdown: '[{"name":"France","percentage":140}]' });
    await expect(write(db)).rejects.toThrow(/report of poll “odd” doesn’t match the contract: Percentage/);
  });
});
