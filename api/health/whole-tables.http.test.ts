import { expect, test } from 'vitest';
import { allCategories } from '#contract/vocabulary.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { fixedClock } from '#platform/clock.ts';
import { sweepAttempts } from '#platform/attempts.ts';
import { findSession, removeExpiredSessions } from '#api/accounts/sessions.queries.ts';
import { findUserByKey } from '#api/accounts/users.queries.ts';
import { findProgress } from '#api/activity/progress.queries.ts';
import { uncountedFacts } from '#api/activity/facts.queries.ts';
import { isWaiting, unnotedBallots, unnotedGuests, waitingMembers } from '#api/activity/notes.queries.ts';
import { commentsPage } from '#api/comments/comments.queries.ts';
import { guardedPolls } from '#api/community-polls/access.queries.ts';
import {
  featuredPolls,
  findCommunityPoll,
  pollsOf,
  publicPolls,
} from '#api/community-polls/community-polls.queries.ts';
import { closeDueBallots, nextTurn, startedSince } from '#api/lifecycle/lifecycle.queries.ts';
import { demonstrationPollIds } from '#api/polls/managing.queries.ts';
import { findPoll, historicalPolls, mostVoted, openPolls, relatedPolls } from '#api/polls/polls.queries.ts';
import { closedPollsAfter, mostVotedByCategory } from '#api/polls/reports.queries.ts';
import { archivePage } from '#api/polls/polls.service.ts';
import { earnedBadges, newestActivities } from '#api/profile/timeline.queries.ts';
import { claimDueJob, isWorkDue, newestJobStart, runningJob } from '#api/publishing/jobs.queries.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { testNow } from '#api/testing/test-app.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';

const now = testNow;
const voter = { fingerprint: 'f', cookie: 'c', userId: 'u' };
const page = { limit: 6, offset: 0 };
const sorts = ['newest', 'oldest', 'most-voted', 'least-voted'] as const;

/** What every API process asks by itself, every second or every few. */
const clockwork: readonly ((db: Database) => Promise<unknown>)[] = [
  (db) => isWorkDue(db, now),
  (db) => runningJob(db),
  // SQLite calls the few steps from the last row back a scan, too.
  (db) => (isSqlite(db) ? Promise.resolve() : newestJobStart(db)),
  (db) => claimDueJob(db, now, 'somebody'),
  (db) => nextTurn(db, now),
  (db) => startedSince(db, now - 1_000, now),
  (db) => closeDueBallots(db, now),
  (db) => removeExpiredSessions(db, now),
  (db) => sweepAttempts(db, now),
  (db) => waitingMembers(db, new Set()),
  (db) => unnotedBallots(db, ''),
  (db) => unnotedGuests(db),
];

/** What people's calls ask, in each of their ways. */
const reads: readonly ((db: Database) => Promise<unknown>)[] = [
  (db) => openPolls(db, now),
  (db) => findPoll(db, 'p'),
  (db) => relatedPolls(db, 'Science', 'p'),
  (db) => recordedVotes(db, voter, ['p', 'q']),
  ...sorts.flatMap((sort) =>
    [null, 'Science'].map((category) => (db: Database) => historicalPolls(db, { page: 1, limit: 9, sort, category })),
  ),
  (db) => archivePage({ db, clock: fixedClock(now) }, { category: allCategories }),
  (db) => publicPolls(db, page),
  (db) => publicPolls(db, { ...page, category: 'Science' }),
  (db) => featuredPolls(db),
  (db) => pollsOf(db, 'u', page),
  (db) => findCommunityPoll(db, 'p'),
  (db) => guardedPolls(db, ['p'], 'u'),
  (db) => commentsPage(db, 'p', { limit: 20, before: { id: 'c', createdAt: now } }),
  (db) => findSession(db, 's', now),
  (db) => findUserByKey(db, 'anna'),
  (db) => findUserByKey(db, 'anna@example.org'),
  (db) => newestActivities(db, 'u', { type: undefined, before: null, limit: 20 }),
  (db) => earnedBadges(db, 'u'),
  (db) => findProgress(db, 'u'),
  (db) => uncountedFacts(db, ['u']),
  (db) => isWaiting(db, 'u'),
  (db) => demonstrationPollIds(db),
  (db) => mostVoted(db, 'Science', 7),
  (db) => mostVotedByCategory(db),
  (db) => closedPollsAfter(db, 'p', 10),
];

/** One row for each category is no table that grows with what people do; the other names are of parts of statements. */
const wholeTable = /"(SCAN|SEARCH) (?!archive_categories|page|due|some)\w+"|Seq Scan on (?!archive_categories)/;

eachDatabase((open) => {
  test.each([
    ['what every API process looks for by itself', clockwork],
    ['what people read', reads],
  ])('%s is found without going through a whole table', async (_, looks) => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, ...['q', 'r'].map((id) => ({ id, category: 'Science', closedAt: now - 1 }))]);
    for (const look of looks)
      expect(await plansOf(db, () => look(db), { anyIndex: true }), look.toString()).not.toMatch(wholeTable);
  });

  test('a look that goes through a whole table is noticed', async () => {
    const { db } = await open();
    expect(await plansOf(db, () => db('build_jobs').max('started_at'), { anyIndex: true })).toMatch(wholeTable);
  });
});
