import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { historicalSorts } from '#contract/vocabulary.ts';
import { featuredList, publicListPage } from '#api/community-polls/community-polls.service.ts';
import { relatedPolls } from '#api/polls/polls.queries.ts';
import { activePollsFor, archivePage, pollFor } from '#api/polls/polls.service.ts';
import { badgeTrackerOf } from '#api/badges/badges.service.ts';
import { profileOf } from '#api/profile/profile.service.ts';
import { activityPage } from '#api/profile/timeline.service.ts';
import { statisticsNow } from '#api/statistics/statistics.service.ts';
import type { Database } from '#platform/database.ts';
import { benchTexts } from './texts.ts';
import { busiest, pollId } from './made-up.ts';
import type { Story } from './made-up.ts';

const texts = benchTexts.scale;

/** One thing that is asked: how a service finds it, and where a reader does. */
export interface Ask {
  readonly name: string;
  /** Path of the call, of the `nth` time. */
  readonly path: (nth: number) => string;
  readonly find: (db: Database, nth: number) => Promise<unknown>;
  /** Whether it needs the busiest member's session. */
  readonly signedIn?: true;
}

const context = (db: Database) => ({ db, clock: { now: () => Date.now() } });

/** The calls whose cost might grow with the number of polls, votes and members. */
export function asksOf({ polls }: Story): Ask[] {
  const weekly = Math.floor(polls * 0.8);
  const deep = Math.max(2, Math.floor(weekly / 2 / limits.historicalPageSize));
  const archive = (name: string, query: Parameters<typeof archivePage>[1]): Ask => ({
    name,
    path: () => pathOf('historicalPolls', {}, query),
    find: (db) => archivePage(context(db), query),
  });
  const community = (name: string, query: { offset?: number; category?: 'Science' }): Ask => ({
    name,
    path: () => pathOf('communityPolls', {}, query),
    find: (db) => publicListPage(context(db), { limit: limits.communityPageSize, offset: 0, ...query }, null),
  });
  /** Another closed weekly poll each time, from everywhere. */
  const closedPoll = (nth: number) => pollId(5 * Math.floor(((nth * 0.618) % 1) * (polls / 5 - 10)));
  const offset = Math.floor(polls / 10);
  return [
    ...historicalSorts.map((sort) => archive(texts.archive(sort), { sort })),
    archive(texts.archivePage(deep), { page: deep }),
    ...(['climate', 'category-7'] as const).flatMap((category) =>
      (['newest', 'least-voted'] as const).map((sort) => archive(texts.archiveOf(category, sort), { category, sort })),
    ),
    {
      name: texts.closed,
      path: (nth) => pathOf('poll', { id: closedPoll(nth) }),
      find: (db, nth) => pollFor(context(db), closedPoll(nth), null),
    },
    {
      name: texts.related,
      path: (nth) => pathOf('relatedPolls', { category: 'climate', id: closedPoll(nth) }),
      find: (db, nth) => relatedPolls(db, 'climate', closedPoll(nth)),
    },
    { name: texts.active, path: () => pathOf('activePolls'), find: (db) => activePollsFor(context(db), null) },
    {
      name: texts.statistics,
      path: () => pathOf('statistics'),
      find: (db) => statisticsNow(db, context(db).clock.now()),
    },
    community(texts.community, {}),
    community(texts.communityFrom(offset), { offset }),
    community(texts.communityOf('Science'), { category: 'Science' }),
    {
      name: texts.featured,
      path: () => pathOf('featuredCommunityPolls'),
      find: (db) => featuredList(context(db), null),
    },
    {
      name: texts.profile,
      path: () => pathOf('profile'),
      find: (db) => profileOf(context(db), busiest),
      signedIn: true,
    },
    {
      name: texts.activities,
      path: () => pathOf('activities'),
      find: (db) => activityPage(context(db), busiest, { limit: limits.activityPageSize }),
      signedIn: true,
    },
    { name: texts.badges, path: () => pathOf('badges'), find: (db) => badgeTrackerOf(db, busiest), signedIn: true },
  ];
}
