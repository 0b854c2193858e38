import { expect, test } from 'vitest';
import { allCategories, communitySorts, communityStates, topicKinds } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { fixedClock } from '#platform/clock.ts';
import { sweepVoteCodes } from '#api/integrity/vote-codes.service.ts';
import { guardedBallots } from '#api/voting/challenge-switch.service.ts';
import { sweepAttempts } from '#platform/attempts.ts';
import { findSession, removeExpiredSessions } from '#api/members/accounts/session-store.service.ts';
import { findUserByKey } from '#api/members/accounts/accounts.service.ts';
import { heldBadges } from '#api/members/badges/badges.service.ts';
import { progressFor } from '#api/members/badges/awards.service.ts';
import { commentsPage, repliesPage, repliesTo } from '#api/comments/comments.queries.ts';
import {
  accessRows,
  featuredPolls,
  findCommunityPoll,
  countListed,
  listedPolls,
  publicPollTimesOf,
} from '#api/polls/community/community-polls.queries.ts';
import type { ListFilter } from '#api/polls/community/community-polls.queries.ts';
import { rankPolls } from '#api/polls/community/ranking.service.ts';
import { reportQueue } from '#api/moderation/queue.service.ts';
import { claimJob, dueKinds, freeLeases, renewLeases } from '#platform/jobs/jobs.service.ts';
import type { Horizons } from '#platform/jobs/jobs.service.ts';
import { nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
import { demonstrationPollIds } from '#api/polls/managing.queries.ts';
import {
  archivedTimes,
  closedPollIdsAfter,
  findPoll,
  historicalPolls,
  mostVoted,
  openPolls,
  relatedPolls,
  unclosedPollIds,
} from '#api/polls/polls.queries.ts';
import { archivePage } from '#api/polls/polls.service.ts';
import { archiveYears, topicAddresses, topicsAfter } from '#api/polls/topics/topics.service.ts';
import { seriesPage, topicPage } from '#api/polls/topic-lists.service.ts';
import { newestActivities } from '#api/members/profile/timeline.service.ts';
import { areChangesDue, waitingChanges } from '#api/publishing/changes.service.ts';
import { endedPublishes, lastPublish, runningPublish } from '#api/publishing/job.service.ts';
import { pausedSince } from '#api/publishing/state.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { testNow } from '#api/testing/test-app.ts';
import { closeDueBallots } from '#api/voting/ballots.service.ts';
import { votesOverTime } from '#api/voting/option-days.service.ts';
import { recordedVotes, votedBallots } from '#api/voting/voting.service.ts';
import { earlyOpenings, unrecordedOpenings } from '#api/polls/lifecycle/opening.service.ts';

const now = testNow;
const voter = { device: 'f'.repeat(32), cookie: 'c'.repeat(32), userId: 'u' };
const page = { limit: 6, offset: 0 };
const topicNames = { category: 'science', tag: 'tea', series: 'drinks', year: String(new Date(now).getUTCFullYear()) };
const sorts = ['newest', 'oldest', 'most-voted', 'least-voted'] as const;

const publicLists = [null, 'Science'].flatMap((category) =>
  [undefined, ...communityStates].map((state) => ({ of: { visibility: 'public' }, category, state })),
);
/** Lists of community polls by category, state, and whose they are. */
const communityLists = [...publicLists, { of: { createdBy: 'u' } }, { of: { guest: 'u' } }] as ListFilter[];

const horizons: Horizons = new Map([
  ['mail', 1_000],
  ['delivery', 2_000],
]);

/** The periodic queries of every API process. */
const clockwork: readonly ((db: Database) => Promise<unknown>)[] = [
  (db) => areChangesDue(db, now),
  (db) => pausedSince(db),
  (db) => runningPublish(db),
  (db) => endedPublishes(db),
  (db) => lastPublish(db),
  (db) => waitingChanges(db),
  (db) => nextTransition(db, now),
  (db) => closeDueBallots(db, now),
  (db) => earlyOpenings(db, { kind: 'community', now }),
  (db) => unrecordedOpenings(db, { kind: 'poll', since: -1, now }),
  (db) => unrecordedOpenings(db, { kind: 'community', since: now - 1_000, now }),
  (db) => removeExpiredSessions(db, now),
  (db) => sweepAttempts(db, now),
  (db) => sweepVoteCodes(db, now),
  (db) => guardedBallots(db),
  (db) => rankPolls({ db, clock: fixedClock(now) }),
  (db) => dueKinds(db, horizons, now),
  (db) => claimJob(db, { kind: 'delivery', horizonMs: 1_000, now, lease: 'x', without: ['w'] }),
  (db) => renewLeases(db, { ids: [1, 2], lease: 'x', now }),
  (db) => freeLeases(db, () => true, now),
];

/** The queries of requests, in all their variants. */
const reads: readonly ((db: Database) => Promise<unknown>)[] = [
  (db) => openPolls(db, now),
  (db) => findPoll(db, 'p'),
  (db) => relatedPolls(db, 'Science', 'p'),
  (db) => votesOverTime(db, ['q', 'r']),
  (db) => recordedVotes(db, voter, ['p', 'q']),
  ...sorts.flatMap((sort) =>
    [null, 'Science'].map((category) => (db: Database) => historicalPolls(db, { page: 1, limit: 9, sort, category })),
  ),
  (db) => archivePage({ db, clock: fixedClock(now) }, { category: allCategories }),
  ...communityLists.flatMap((filter) => [
    ...communitySorts.map((sort) => (db: Database) => {
      const endsAfter = sort === 'ending-soon' ? { endsAfter: now } : {};
      return listedPolls(db, { ...filter, ...endsAfter, voted: votedBallots(db, voter) }, page, sort);
    }),
    (db: Database) => countListed(db, filter),
  ]),
  (db) => featuredPolls(db),
  (db) => reportQueue({ db, clock: fixedClock(now) }, { state: 'open' }),
  (db) => reportQueue({ db, clock: fixedClock(now) }, { state: 'handled' }),
  (db) => findCommunityPoll(db, 'p'),
  (db) => accessRows(db, ['p'], 'u'),
  (db) => commentsPage(db, 'p', { limit: 20, before: { id: 'c', createdAt: now } }),
  (db) => repliesTo(db, ['c', 'd'], false),
  (db) => repliesPage(db, { pollId: 'p', commentId: 'c' }, { limit: 20, after: { id: 'r', createdAt: now } }),
  (db) => findSession(db, 's', now),
  (db) => findUserByKey(db, 'anna'),
  (db) => findUserByKey(db, 'anna@example.org'),
  (db) => newestActivities(db, 'u', { type: undefined, before: null, limit: 20 }),
  (db) => heldBadges(db, 'u'),
  (db) => progressFor(db, 'u'),
  (db) => demonstrationPollIds(db),
  (db) => mostVoted(db, 'Science', 7),
  (db) => closedPollIdsAfter(db, 'p', 10),
  (db) => unclosedPollIds(db, now),
  (db) => archivedTimes(db, { page: 2, limit: 1, sort: 'oldest', category: null, total: 2 }),
  (db) => publicPollTimesOf(db, page),
  ...topicKinds.map((kind) => (db: Database) => topicPage({ db, clock: fixedClock(now) }, kind, topicNames[kind])),
  (db) => seriesPage({ db, clock: fixedClock(now) }),
  (db) => topicAddresses(db, ['p', 'q']),
  (db) => topicsAfter(db, { kind: 'tag', slug: 'tea' }, 10),
  (db) => archiveYears(db, 3),
];

/** The table of categories does not grow with activity; the other names are parts of statements. */
const wholeTable =
  /"(SCAN|SEARCH) (?!archive_categories|page|due|some|reported|ranked)\w+"|Seq Scan on (?!archive_categories)/;

/** An open and a handled report of each kind: for an empty list of ids, a database may plan to scan a table. */
async function seedReports(db: Database): Promise<void> {
  for (const id of ['u', 'v']) await seedMember(db, id);
  await seedDiscussedPoll(db, { id: 'd', createdBy: 'u' });
  await db('comments').insert({
    id: 'c',
    poll_id: 'd',
    user_id: 'u',
    content: 'Tea',
    created_at: now,
    updated_at: now,
  });
  for (const [user_id, handled_at] of [
    ['u', null],
    ['v', now],
  ] as const) {
    const report = { user_id, created_at: now, handled_at };
    await db('reports').insert({ ...report, kind: 'comment', subject: 'c', comment_id: 'c' });
    await db('reports').insert({ ...report, kind: 'poll', subject: 'd', poll_id: 'd' });
    await db('reports').insert({ ...report, kind: 'member', subject: 'u', member_id: 'u' });
  }
}

eachDatabase((open) => {
  test.each([
    ['the periodic queries of every API process', clockwork],
    ['the queries behind pages', reads],
  ])('%s is found without a full table scan', async (_, looks) => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'p' },
      ...['q', 'r'].map((id) => ({ id, category: 'Science', tags: ['Tea'], series: 'Drinks', closedAt: now - 1 })),
    ]);
    await seedReports(db);
    for (const look of looks)
      expect(await plansOf(db, () => look(db), { anyIndex: true }), look.toString()).not.toMatch(wholeTable);
  });

  test('a full table scan is detected', async () => {
    const { db } = await open();
    expect(await plansOf(db, () => db('publish_audits').max('started_at'), { anyIndex: true })).toMatch(wholeTable);
  });
});
