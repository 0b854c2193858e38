import type { BadgeKey } from '#contract/badges.ts';
import * as limits from '#contract/limits.ts';
import type { ActivityDays, ActivityPage, ActivityStats, TimelineActivity } from '#contract/profile.ts';
import type { ActivityType } from '#contract/vocabulary.ts';
import { dayMs, dayOf } from '#domain/badges/calendar.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { currentRun } from '#domain/badges/recent.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { activityTypeNames } from '#texts/activity.ts';
import { badgeWords } from '#texts/badges.ts';
import { progressFor } from '#api/activity/progress.service.ts';
import { questionsSeenBy } from '#api/community-polls/access.service.ts';
import { createdPollsCount } from '#api/community-polls/community-polls.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import { choicesOf } from '#api/voting/voting.service.ts';
import { pollOf, presentTimelineActivity } from './timeline.presenter.ts';
import { countsByDay, newestActivities } from './timeline.queries.ts';
import type { ActivityRow, TimelinePlace } from './timeline.queries.ts';

interface TimelineContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** Polls whose questions one statement asks for. */
const questionsAtOnce = 500;

/** What a page of the timeline shows. */
interface TimelinePage {
  readonly type?: ActivityType | undefined;
  readonly q?: string | undefined;
  /** What the page before answered as `next`. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One page of a member's activities, newest first, with how many there are. */
export async function activityPage(
  context: TimelineContext,
  userId: string,
  { type, q = '', before, limit }: TimelinePage,
): Promise<ActivityPage> {
  const { db } = context;
  const progress = await progressFor(db, userId);
  const stats = await statsOf(db, userId, progress);
  const sought = q.trim().toLowerCase();
  const place = placeOf(before);
  const found =
    sought === ''
      ? await pageOf(context, userId, { type, place, limit })
      : await searchFor(context, userId, { type, place, limit, sought });
  return {
    matching: type === undefined ? stats.activities : ofType(progress, type),
    searched: null,
    ...found,
    total: stats.activities,
    stats,
  };
}

type Page = Pick<ActivityPage, 'activities' | 'next'>;

async function pageOf(
  context: TimelineContext,
  userId: string,
  { type, place, limit }: { type: ActivityType | undefined; place: TimelinePlace | null; limit: number },
): Promise<Page> {
  // One more than is shown tells whether there is a next page.
  const rows = await newestActivities(context.db, userId, { type, before: place, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    activities: await present(context, userId, shown),
    next: rows.length > limit ? nameOf(shown.at(-1)) : null,
  };
}

/** Looks through the newest activities, however far the page is, so that every page is of the same search. */
async function searchFor(
  context: TimelineContext,
  userId: string,
  search: { type: ActivityType | undefined; place: TimelinePlace | null; limit: number; sought: string },
): Promise<Page & Pick<ActivityPage, 'matching' | 'searched'>> {
  const { type, place, limit, sought } = search;
  const newest = { type, before: null, limit: limits.activitySearchDepth };
  const rows = await newestActivities(context.db, userId, newest);
  const questions = await questionsFor(context, userId, rows);
  const matching = rows.filter((row) => isFound(row, questions, sought));
  const rest = matching.filter((row) => place === null || isBehind(row, place));
  const shown = rest.slice(0, limit);
  return {
    activities: await present(context, userId, shown, questions),
    next: rest.length > limit ? nameOf(shown.at(-1)) : null,
    matching: matching.length,
    searched: rows.length,
  };
}

/** The latest activities for the profile. */
export async function latestActivities(context: TimelineContext, userId: string): Promise<TimelineActivity[]> {
  const { activities } = await pageOf(context, userId, { type: undefined, place: null, limit: limits.profileRecent });
  return activities;
}

/** How much a member did, without counting rows. */
export async function statsOf(db: Database, userId: string, progress: Progress): Promise<ActivityStats> {
  const { counts, badges } = progress;
  const polls = await createdPollsCount(db, userId);
  const activities = counts.votes + counts.polls + counts.comments + badges.length;
  return { votes: counts.votes, polls, comments: counts.comments, badges: badges.length, activities };
}

function ofType({ counts, badges }: Progress, type: ActivityType): number {
  switch (type) {
    case 'vote':
      return counts.votes;
    case 'poll_created':
      return counts.polls;
    case 'comment':
      return counts.comments;
    case 'badge_earned':
      return badges.length;
  }
}

async function present(
  context: TimelineContext,
  userId: string,
  rows: readonly ActivityRow[],
  known?: ReadonlyMap<string, string>,
): Promise<TimelineActivity[]> {
  const questions = known ?? (await questionsFor(context, userId, rows));
  const voted = rows.filter((row) => row.activity_type === 'vote' && questions.has(row.entity_id));
  const choices = await choicesOf(
    context.db,
    userId,
    voted.map((row) => row.entity_id),
  );
  return rows.map((row) => presentTimelineActivity(row, questions, choices));
}

/** What the polls ask that activities are about: those that are there, and that the member may see now. */
async function questionsFor(
  { db, clock }: TimelineContext,
  userId: string,
  rows: readonly ActivityRow[],
): Promise<ReadonlyMap<string, string>> {
  const about = rows.map(pollOf).filter((poll) => poll !== null);
  const ids = (kind: 'poll' | 'community') => [
    ...new Set(about.filter((poll) => poll.kind === kind).map(({ id }) => id)),
  ];
  const questions = new Map<string, string>();
  const now = clock.now();
  for (const some of inPortions(ids('poll')))
    for (const [id, question] of await questionsOf({ db, now }, some)) questions.set(id, question);
  for (const some of inPortions(ids('community')))
    for (const [id, question] of await questionsSeenBy({ db, now }, some, userId)) questions.set(id, question);
  return questions;
}

function inPortions(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / questionsAtOnce) }, (_, n) =>
    ids.slice(n * questionsAtOnce, (n + 1) * questionsAtOnce),
  );
}

/** Whether a search finds an activity: by its type's name, its entity id, what its poll asks, or its badge's name. */
function isFound(row: ActivityRow, questions: ReadonlyMap<string, string>, sought: string): boolean {
  const question = questions.get(pollOf(row)?.id ?? '');
  const badge = row.entity_type === 'badge' ? badgeWords[row.entity_id as BadgeKey]?.name : undefined;
  return [activityTypeNames[row.activity_type], row.entity_id, question, badge].some(
    (text) => text?.toLowerCase().includes(sought) ?? false,
  );
}

function isBehind({ created_at, id }: ActivityRow, place: TimelinePlace): boolean {
  return created_at < place.createdAt || (created_at === place.createdAt && id < place.id);
}

const nameOf = (row: ActivityRow | undefined) => (row === undefined ? null : `${row.created_at}-${row.id}`);

function placeOf(name: string | undefined): TimelinePlace | null {
  if (name === undefined) return null;
  const [createdAt = 0, id = 0] = name.split('-').map(Number);
  return { createdAt, id };
}

/** What a member did on each day of about a year, and the streaks of being here. */
export async function activityDaysOf({ db, clock }: TimelineContext, userId: string): Promise<ActivityDays> {
  const today = dayOf(clock.now());
  const from = today - limits.activityDays + 1;
  const { days: here } = await progressFor(db, userId);
  const days = (await countsByDay(db, userId, from)).filter(({ day }) => day <= today);
  return {
    from: dateOf(from),
    to: dateOf(today),
    total: days.reduce((sum, { count }) => sum + count, 0),
    activeDays: days.length,
    streak: { current: currentRun(here, today), longest: here.longest },
    days: days.map(({ day, count }) => ({ day: dateOf(day), count })),
  };
}

/** All days on which a member did something, for the export. */
export async function allDaysOf(db: Database, userId: string): Promise<ActivityDays['days']> {
  return (await countsByDay(db, userId)).map(({ day, count }) => ({ day: dateOf(day), count }));
}

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
