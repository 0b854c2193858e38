import type { UserSummary } from '#api/members/accounts/accounts.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import type { PollEvent, Profile, UserExport } from './profile.contract.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { accountOf } from '#api/members/accounts/accounts.service.ts';
import { codesLeft } from '#api/members/accounts/recovery-codes.service.ts';
import { emailOf } from '#api/members/accounts/email-changes.service.ts';
import { pictureExportOf } from '#api/members/accounts/pictures.service.ts';
import { operatorExportOf } from '#api/admin/operators/operators.service.ts';
import { passkeysOf } from '#api/members/accounts/passkeys.service.ts';
import { resetLinksOf } from '#api/members/accounts/reset-links.service.ts';
import { sessionsOf } from '#api/members/accounts/session-store.service.ts';
import { badgesOf, newBadgesOf } from '#api/members/badges/badges.service.ts';
import { pollSubject } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { blocksOf } from '#api/polls/community/blocks.service.ts';
import { commentsOf } from '#api/comments/comments.service.ts';
import { accessTo, questionsSeenBy } from '#api/polls/community/access.service.ts';
import { emailInvitesBy } from '#api/polls/community/email-invites.service.ts';
import { inviteLinksOf } from '#api/polls/community/invite-links.service.ts';
import { createdPolls } from '#api/polls/community/community-polls.service.ts';
import { accuracyOf } from '#api/polls/guesses/guesses.service.ts';
import { decisionsOf } from '#api/moderation/decisions.service.ts';
import { originsOf } from '#api/members/creation/creation.service.ts';
import { reportsBy } from '#api/moderation/reports.service.ts';
import { notificationExportOf, unreadCount } from '#api/members/notifications/notifications.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import { votesOf } from '#api/voting/voting.service.ts';
import { allActivities, allDaysOf, allEvents, latestActivities, statsOf } from './timeline.service.ts';

/** Polls of a member that an export reads at once. */
export const exportBatch = 500;

export interface ProfileContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** The figures of the progress box, new badges, and the number of unread notifications. */
export async function summaryOf(context: ProfileContext, userId: string, progress: Progress): Promise<UserSummary> {
  const { db } = context;
  const { badges, polls, activities } = await statsOf(db, userId, progress);
  const newBadges = await newBadgesOf(db, userId);
  return { badges, polls, activities, newBadges, unreadNotifications: await unreadCount(context, userId) };
}

/** The profile page of a member; the pages it links to have endpoints of their own. */
export async function profileOf(context: ProfileContext, userId: string, progress: Progress): Promise<Profile> {
  const { db } = context;
  const { id, firstName, lastName, email, profileImageUrl, createdAt } = await accountOf(
    db,
    userId,
    context.clock.now(),
  );
  const recent = { limit: limits.profileRecent, offset: 0 };
  return {
    user: { id, firstName, lastName, email, profileImageUrl, createdAt },
    activities: await latestActivities(context, userId),
    polls: await createdPolls(context, memberWith(userId), recent),
    badges: await badgesOf(db, userId),
    stats: await statsOf(db, userId, progress),
    accuracy: await accuracyOf(db, userId),
  };
}

/** Everything stored about a member, for that member. */
export async function exportOf(context: ProfileContext, userId: string, progress: Progress): Promise<UserExport> {
  const { db, clock } = context;
  const now = clock.now();
  const [votes, comments, reports, invitations] = [
    await votesOf(db, userId),
    await commentsOf(db, userId),
    await reportsBy(db, userId),
    await invitationsOf(db, userId),
  ];
  const ids = [...votes, ...comments, ...reports, ...invitations].flatMap(({ pollId }) => pollId ?? []);
  const questions = await allQuestions({ db, now }, [...new Set(ids)], userId);
  const named = <T extends { readonly pollId: string | null }>(one: T) => ({
    ...one,
    question: questions.get(one.pollId ?? '') ?? null,
  });
  return {
    exportedAt: iso(now),
    user: await accountOf(db, userId, now),
    polls: await allCreatedPolls(context, userId),
    votes: votes.map(({ option, further, ...vote }) => ({
      ...named(vote),
      option: questions.has(vote.pollId) ? option : null,
      ...(further && {
        further: further.map((other) => (questions.has(vote.pollId) ? other : { ...other, option: null })),
      }),
      createdAt: iso(vote.createdAt),
    })),
    comments: comments.map(named),
    reports: reports.map(named),
    decisions: (await decisionsOf(context, userId)).decisions,
    origins: await originsOf(db, userId),
    invitations: invitations.map(named),
    inviteLinks: await inviteLinksOf(db, userId),
    emailInvites: await emailInvitesBy(db, userId),
    blocked: await blocksOf(db, userId),
    activities: await allActivities(context, userId),
    badges: await badgesOf(db, userId),
    events: await allEvents(db, userId),
    progress,
    activityDays: await allDaysOf(db, userId),
    guesses: await accuracyOf(db, userId),
    notifications: await notificationExportOf(db, userId),
    sessions: await sessionsOf(db, userId, { now, current: null }),
    email: await emailOf(db, userId),
    passkeys: await passkeysOf(db, userId),
    operator: await operatorExportOf(db, userId),
    picture: await pictureExportOf(db, userId),
    recoveryCodes: await codesLeft(db, userId),
    resetLinks: await resetLinksOf(db, userId),
  };
}

/** The questions of the polls among these that the member may see, by id. */
async function allQuestions(
  at: { readonly db: Database; readonly now: number },
  ids: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, string>> {
  const questions = new Map<string, string>();
  for (let from = 0; from < ids.length; from += exportBatch) {
    const some = ids.slice(from, from + exportBatch);
    for (const found of [await questionsOf(at, some), await questionsSeenBy(at, some, userId)])
      for (const [id, question] of found) questions.set(id, question);
  }
  return questions;
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

/** A member as a voter, in any browser. */
const memberWith = (userId: string) => ({ userId, device: null, cookie: null });

/**
 * Records, once per poll, that a member opened a poll or copied its link. Throws what opening the poll would throw if the
 * member may not see it.
 */
export async function recordPollEvent(
  { db, clock }: ProfileContext,
  userId: string,
  type: 'poll.viewed' | 'poll.shared',
  { kind, id }: PollEvent,
): Promise<void> {
  const now = clock.now();
  if (kind === 'community') await accessTo({ db, now }, id, userId);
  else if (!(await questionsOf({ db, now }, [id])).has(id)) throw errors.pollNotFound();
  await record(db, { type, at: now, member: userId, subject: pollSubject(kind, id) });
}

/** Private polls a member is invited to. */
async function invitationsOf(
  db: Database,
  userId: string,
): Promise<Omit<UserExport['invitations'][number], 'question'>[]> {
  const rows = await db('community_poll_guests')
    .where({ user_id: userId })
    .orderBy(['invited_at', 'poll_id'])
    .select('poll_id', 'invited_at');
  return rows.map(({ poll_id: pollId, invited_at }) => ({ pollId, invitedAt: iso(invited_at) }));
}
