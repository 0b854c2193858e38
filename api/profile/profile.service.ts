import type { UserSummary } from '#contract/account.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { limits } from '#contract/limits.ts';
import type { UserExport } from '#contract/profile.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { accountOf } from '#api/accounts/accounts.service.ts';
import { commentsOf } from '#api/comments/comments.service.ts';
import { createdPolls, createdPollsCount } from '#api/community-polls/community-polls.service.ts';
import { votesOf } from '#api/voting/voting.service.ts';
import { activitiesOf, badgesOf, countOf, invitationsOf, reportsOf, sessionEndsOf } from './profile.queries.ts';

/** What the use cases of this room read from. */
export interface ProfileContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** The figures of the progress box, counted in indexes. */
export async function summaryOf({ db }: ProfileContext, userId: string): Promise<UserSummary> {
  const [badges, polls, activities] = await Promise.all([
    countOf(db, 'badges', userId),
    createdPollsCount(db, userId),
    countOf(db, 'activities', userId),
  ]);
  return { badges, polls, activities };
}

/** Everything that is kept about a member, for that member. */
export async function exportOf(context: ProfileContext, userId: string): Promise<UserExport> {
  const { db, clock } = context;
  const now = clock.now();
  const votes = await votesOf(db, userId);
  return {
    exportedAt: new Date(now).toISOString(),
    user: await accountOf(db, userId),
    polls: await allCreatedPolls(context, userId),
    votes: votes.map((vote) => ({ ...vote, createdAt: new Date(vote.createdAt).toISOString() })),
    comments: await commentsOf(db, userId),
    reports: await reportsOf(db, userId),
    invitations: await invitationsOf(db, userId),
    activities: await activitiesOf(db, userId),
    badges: await badgesOf(db, userId),
    sessions: await sessionEndsOf(db, userId, now),
  };
}

/** Page by page, so that no statement names more polls than a database takes. */
async function allCreatedPolls(context: ProfileContext, userId: string): Promise<CommunityPoll[]> {
  const member = { userId, fingerprint: null, cookie: null };
  const polls: CommunityPoll[] = [];
  for (;;) {
    const page = await createdPolls(context, member, { limit: limits.exportBatch, offset: polls.length });
    polls.push(...page);
    if (page.length < limits.exportBatch) return polls;
  }
}
