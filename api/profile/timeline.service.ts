import type { BadgeKey } from '#contract/badges.ts';
import * as limits from '#contract/limits.ts';
import type { Activity, ActivityDays, ActivityPage, ActivityStats, TimelineActivity } from '#contract/profile.ts';
import type { ActivityType, PollKind } from '#contract/vocabulary.ts';
import { dayMs, dayOf } from '#domain/badges/calendar.ts';
import { currentStreak } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { activityTypeNames } from '#texts/activity.ts';
import { badgeWords } from '#texts/badges.ts';
import { inBatches } from '#api/badges/events.service.ts';
import { progressFor } from '#api/badges/projector.service.ts';
import { questionsSeenBy } from '#api/community-polls/access.service.ts';
import { createdPollsCount } from '#api/community-polls/community-polls.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import { choicesOf } from '#api/voting/voting.service.ts';

interface TimelineContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** A row of the timeline. Moments in milliseconds. */
interface ActivityRow {
  readonly id: number;
  readonly activity_type: ActivityType;
  readonly entity_id: string;
  readonly entity_type: Activity['entityType'];
  /** JSON. */
  readonly metadata: string;
  readonly created_at: number;
}

/** The last activity of the page before. */
interface Cursor {
  readonly createdAt: number;
  readonly id: number;
}

/** Polls whose questions one statement reads. */
const questionsPerStatement = 500;

interface PageQuery {
  readonly type?: ActivityType | undefined;
  readonly q?: string | undefined;
  /** `next` of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One page of a member's activities, newest first, with the number of all. */
export async function activityPage(
  context: TimelineContext,
  userId: string,
  { type, q = '', before, limit }: PageQuery,
): Promise<ActivityPage> {
  const { db } = context;
  const progress = await progressFor(db, userId);
  const stats = await statsOf(db, userId, progress);
  const term = q.trim().toLowerCase();
  const cursor = cursorOf(before);
  const found =
    term === ''
      ? await pageOf(context, userId, { type, cursor, limit })
      : await searchFor(context, userId, { type, cursor, limit, term });
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
  { type, cursor, limit }: { type: ActivityType | undefined; cursor: Cursor | null; limit: number },
): Promise<Page> {
  // One more than is shown tells whether there is a next page.
  const rows = await newestActivities(context.db, userId, { type, before: cursor, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    activities: await present(context, userId, shown),
    next: rows.length > limit ? nextOf(shown.at(-1)) : null,
  };
}

/** Searches the newest activities, the same ones for every page. */
async function searchFor(
  context: TimelineContext,
  userId: string,
  { type, cursor, limit, term }: { type: ActivityType | undefined; cursor: Cursor | null; limit: number; term: string },
): Promise<Page & Pick<ActivityPage, 'matching' | 'searched'>> {
  const newest = { type, before: null, limit: limits.activitySearchDepth };
  const rows = await newestActivities(context.db, userId, newest);
  const questions = await questionsFor(context, userId, rows);
  const matching = rows.filter((row) => matches(row, questions, term));
  const rest = matching.filter((row) => cursor === null || isAfter(row, cursor));
  const shown = rest.slice(0, limit);
  return {
    activities: await present(context, userId, shown, questions),
    next: rest.length > limit ? nextOf(shown.at(-1)) : null,
    matching: matching.length,
    searched: rows.length,
  };
}

/** The latest activities for the profile. */
export async function latestActivities(context: TimelineContext, userId: string): Promise<TimelineActivity[]> {
  const { activities } = await pageOf(context, userId, { type: undefined, cursor: null, limit: limits.profileRecent });
  return activities;
}

/** How much a member did, without counting rows. */
export async function statsOf(db: Database, userId: string, progress?: Readonly<Progress>): Promise<ActivityStats> {
  const { counts, badges } = progress ?? (await progressFor(db, userId));
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
  return rows.map((row) => presentWithPoll(row, questions, choices));
}

/** The questions of the polls that activities are about, by id, as far as the member may see them now. */
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
  for (const some of inBatches(ids('poll'), questionsPerStatement))
    for (const [id, question] of await questionsOf({ db, now }, some)) questions.set(id, question);
  for (const some of inBatches(ids('community'), questionsPerStatement))
    for (const [id, question] of await questionsSeenBy({ db, now }, some, userId)) questions.set(id, question);
  return questions;
}

/** Whether a term is in the type's name, the entity id, the poll's question, or the badge's name. */
function matches(row: ActivityRow, questions: ReadonlyMap<string, string>, term: string): boolean {
  const question = questions.get(pollOf(row)?.id ?? '');
  const badge = row.entity_type === 'badge' ? badgeWords[row.entity_id as BadgeKey]?.name : undefined;
  return [activityTypeNames[row.activity_type], row.entity_id, question, badge].some(
    (text) => text?.toLowerCase().includes(term) ?? false,
  );
}

function isAfter({ created_at, id }: ActivityRow, cursor: Cursor): boolean {
  return created_at < cursor.createdAt || (created_at === cursor.createdAt && id < cursor.id);
}

const nextOf = (row: ActivityRow | undefined) => (row === undefined ? null : `${row.created_at}-${row.id}`);

function cursorOf(next: string | undefined): Cursor | null {
  if (next === undefined) return null;
  const [createdAt = 0, id = 0] = next.split('-').map(Number);
  return { createdAt, id };
}

/** What a member did on each day of the last year, and the streaks of days with a visit while signed in. */
export async function activityDaysOf({ db, clock }: TimelineContext, userId: string): Promise<ActivityDays> {
  const today = dayOf(clock.now());
  const from = today - limits.activityDays + 1;
  const { days: active } = await progressFor(db, userId);
  const days = (await countsByDay(db, userId, from)).filter(({ day }) => day <= today);
  return {
    from: dateOf(from),
    to: dateOf(today),
    total: days.reduce((sum, { count }) => sum + count, 0),
    activeDays: days.length,
    streak: { current: currentStreak(active, today), longest: active.longest },
    days: days.map(({ day, count }) => ({ day: dateOf(day), count })),
  };
}

/** All days on which a member did something. */
export async function allDaysOf(db: Database, userId: string): Promise<ActivityDays['days']> {
  return (await countsByDay(db, userId)).map(({ day, count }) => ({ day: dateOf(day), count }));
}

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** All activities of a member, oldest first, with what the member may see of their polls now. */
export async function allActivities(context: TimelineContext, userId: string): Promise<TimelineActivity[]> {
  const own = context.db('activities').where({ user_id: userId });
  const rows = await own.orderBy(['created_at', 'id']).select<ActivityRow[]>();
  const activities: TimelineActivity[] = [];
  for (const some of inBatches(rows, questionsPerStatement)) activities.push(...(await present(context, userId, some)));
  return activities;
}

function presentActivity(row: ActivityRow): Activity {
  return {
    id: row.id,
    activityType: row.activity_type,
    entityId: row.entity_id,
    entityType: row.entity_type,
    metadata: JSON.parse(row.metadata) as Activity['metadata'],
    createdAt: iso(row.created_at),
  };
}

/** An activity with its poll and the option voted for, as far as its reader may see them. */
function presentWithPoll(
  row: ActivityRow,
  questions: ReadonlyMap<string, string>,
  choices: ReadonlyMap<string, string>,
): TimelineActivity {
  const about = pollOf(row);
  const question = about && questions.get(about.id);
  return {
    ...presentActivity(row),
    poll: about && question !== undefined && question !== null ? { ...about, question } : null,
    choice: row.activity_type === 'vote' ? (choices.get(row.entity_id) ?? null) : null,
  };
}

/** The poll that an activity is about; null for a badge. */
function pollOf({ entity_type, entity_id, metadata }: ActivityRow): { id: string; kind: PollKind } | null {
  switch (entity_type) {
    case 'poll':
      return { id: entity_id, kind: 'poll' };
    case 'community_poll':
      return { id: entity_id, kind: 'community' };
    case 'comment':
      return { id: (JSON.parse(metadata) as { pollId: string }).pollId, kind: 'community' };
    case 'badge':
      return null;
  }
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

/** The newest activities of a member, of one type or all, after a cursor; read from one index, however deep. */
export async function newestActivities(
  db: Database,
  userId: string,
  page: { readonly type: ActivityType | undefined; readonly before: Cursor | null; readonly limit: number },
): Promise<ActivityRow[]> {
  const { type, before, limit } = page;
  const rows = db('activities').where({ user_id: userId, ...(type !== undefined && { activity_type: type }) });
  if (before !== null) void rows.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
  return rows
    .orderBy([...newestFirst])
    .limit(limit)
    .select<ActivityRow[]>('id', 'activity_type', 'entity_id', 'entity_type', 'metadata', 'created_at');
}

/** How much a member did on each day, or on each since `from`; days since 1970. */
export async function countsByDay(
  db: Database,
  userId: string,
  from?: number,
): Promise<{ day: number; count: number }[]> {
  const days = db('activity_days').where({ user_id: userId }).orderBy('day');
  if (from !== undefined) void days.where('day', '>=', from);
  return days.select('day', 'count');
}
