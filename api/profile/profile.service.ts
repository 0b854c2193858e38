import type { UserSummary } from '#contract/account.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import type { Profile, UserExport } from '#contract/profile.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { accountOf } from '#api/accounts/accounts.service.ts';
import { knownAbout, progressFor } from '#api/activity/progress.service.ts';
import { commentsOf } from '#api/comments/comments.service.ts';
import { createdPolls } from '#api/community-polls/community-polls.service.ts';
import { votesOf } from '#api/voting/voting.service.ts';
import { newBadgesOf } from './badges.service.ts';
import { activitiesOf, badgesOf, invitationsOf, reportsOf, sessionEndsOf } from './profile.queries.ts';
import { presentActivity } from './timeline.presenter.ts';
import { allDaysOf, latestActivities, statsOf } from './timeline.service.ts';

/** Polls that an export of a member's data reads at once. */
export const exportBatch = 500;

/** What the use cases of this room read from. */
export interface ProfileContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** The figures of the progress box, and badges to tell of. */
export async function summaryOf({ db }: ProfileContext, userId: string): Promise<UserSummary> {
  const { badges, polls, activities } = await statsOf(db, userId, await progressFor(db, userId));
  return { badges, polls, activities, newBadges: await newBadgesOf(db, userId) };
}

/** What the profile shows of a member; the pages behind it have calls of their own. */
export async function profileOf(context: ProfileContext, userId: string): Promise<Profile> {
  const { db } = context;
  const { id, firstName, lastName, email, profileImageUrl, createdAt } = await accountOf(db, userId);
  const recent = { limit: limits.profileRecent, offset: 0 };
  return {
    user: { id, firstName, lastName, email, profileImageUrl, createdAt },
    activities: await latestActivities(context, userId),
    polls: await createdPolls(context, memberWith(userId), recent),
    badges: await badgesOf(db, userId),
    stats: await statsOf(db, userId, await progressFor(db, userId)),
  };
}

/** Everything that is kept about a member, for that member. */
export async function exportOf(context: ProfileContext, userId: string): Promise<UserExport> {
  const { db, clock } = context;
  const now = clock.now();
  const votes = await votesOf(db, userId);
  return {
    exportedAt: iso(now),
    user: await accountOf(db, userId),
    polls: await allCreatedPolls(context, userId),
    votes: votes.map((vote) => ({ ...vote, createdAt: iso(vote.createdAt) })),
    comments: await commentsOf(db, userId),
    reports: await reportsOf(db, userId),
    invitations: await invitationsOf(db, userId),
    activities: (await activitiesOf(db, userId)).map(presentActivity),
    badges: await badgesOf(db, userId),
    ...(await knownAbout(db, userId)),
    activityDays: await allDaysOf(db, userId),
    sessions: await sessionEndsOf(db, userId, now),
  };
}

/** Page by page, so that no statement names more polls than a database takes. */
async function allCreatedPolls(context: ProfileContext, userId: string): Promise<CommunityPoll[]> {
  const member = memberWith(userId);
  const polls: CommunityPoll[] = [];
  for (;;) {
    const page = await createdPolls(context, member, { limit: exportBatch, offset: polls.length });
    polls.push(...page);
    if (page.length < exportBatch) return polls;
  }
}

/** A member as a voter, whatever browser is asking. */
const memberWith = (userId: string) => ({ userId, fingerprint: null, cookie: null });
