import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import * as limits from '#contract/limits.ts';
import type {
  Activity,
  ActivityDays,
  ActivityPage,
  ActivityStats,
  TimelineActivity,
  UserExport,
} from './profile.contract.ts';
import type { ActivityType, PollKind } from '#contract/vocabulary.ts';
import { dayMs, dayOf } from '#domain/badges/calendar.ts';
import { currentStreak } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { activityTypeNames } from '#texts/activity.ts';
import { badgeWords } from '#texts/badges.ts';
import { questionsSeenBy } from '#api/polls/community/access.service.ts';
import { createdPollsCount } from '#api/polls/community/community-polls.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import { choicesOf } from '#api/voting/voting.service.ts';

interface TimelineContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** What the timeline shows of a member's events, by the name of the activity. */
const shownTypes = {
  vote: 'vote.cast',
  poll_created: 'poll.created',
  comment: 'comment.posted',
  badge_earned: 'badge.earned',
} as const satisfies Record<ActivityType, string>;
const activityOf = Object.fromEntries(Object.entries(shownTypes).map(([activity, type]) => [type, activity])) as Record<
  (typeof shownTypes)[ActivityType],
  ActivityType
>;
/** Those that a day is counted by: a badge is earned by one of them, or by others. */
const countedTypes = [shownTypes.vote, shownTypes.poll_created, shownTypes.comment];

/** An event of the timeline. */
interface ActivityRow {
  readonly id: number;
  readonly type: (typeof shownTypes)[ActivityType];
  readonly kind: 'poll' | 'community-poll' | 'comment' | 'badge';
  readonly subject: string;
  /** JSON. */
  readonly after: string;
  /** Milliseconds; of a vote, the start of its day. */
  readonly at: number;
}

/** The last activity of the page before: within a day, ids are in order of time. */
interface Cursor {
  readonly day: number;
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
  { userId, progress }: { readonly userId: string; readonly progress: Progress },
  { type, q = '', before, limit }: PageQuery,
): Promise<ActivityPage> {
  const stats = await statsOf(context.db, userId, progress);
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

/** How much a member did. */
export async function statsOf(db: Database, userId: string, { counts, badges }: Progress): Promise<ActivityStats> {
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
  const voted = rows.filter((row) => row.type === 'vote.cast' && questions.has(row.subject));
  const choices = await choicesOf(
    context.db,
    userId,
    voted.map(({ subject }) => subject),
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
  for (const some of inBatches(ids('poll')))
    for (const [id, question] of await questionsOf({ db, now }, some)) questions.set(id, question);
  for (const some of inBatches(ids('community')))
    for (const [id, question] of await questionsSeenBy({ db, now }, some, userId)) questions.set(id, question);
  return questions;
}

/** Whether a term is in the type's name, the entity id, the poll's question, or the badge's name. */
function matches(row: ActivityRow, questions: ReadonlyMap<string, string>, term: string): boolean {
  const question = questions.get(pollOf(row)?.id ?? '');
  const badge = row.kind === 'badge' ? badgeWords[row.subject as BadgeKey]?.name : undefined;
  return [activityTypeNames[activityOf[row.type]], row.subject, question, badge].some(
    (text) => text?.toLowerCase().includes(term) ?? false,
  );
}

const cursorAt = ({ at, id }: ActivityRow): Cursor => ({ day: dayOf(at), id });

const isAfter = (row: ActivityRow, cursor: Cursor) => newestFirst(cursor, cursorAt(row)) < 0;

const newestFirst = (a: Cursor, b: Cursor) => b.day - a.day || b.id - a.id;

function nextOf(row: ActivityRow | undefined): string | null {
  if (row === undefined) return null;
  const { day, id } = cursorAt(row);
  return `${day}-${id}`;
}

function cursorOf(next: string | undefined): Cursor | null {
  if (next === undefined) return null;
  const [day = 0, id = 0] = next.split('-').map(Number);
  return { day, id };
}

/** What a member did on each day of the last year, and the streaks of days with a visit while signed in. */
export async function activityDaysOf(
  { db, clock }: TimelineContext,
  userId: string,
  { days: active }: Progress,
): Promise<ActivityDays> {
  const today = dayOf(clock.now());
  const from = today - limits.activityDays + 1;
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
  const rows = await newestActivities(context.db, userId, { type: undefined, before: null });
  const activities: TimelineActivity[] = [];
  for (const some of inBatches(rows.toReversed())) activities.push(...(await present(context, userId, some)));
  return activities;
}

function inBatches<T>(list: readonly T[]): T[][] {
  const starts = Array.from({ length: Math.ceil(list.length / questionsPerStatement) }, (_, n) => n);
  return starts.map((n) => list.slice(n * questionsPerStatement, (n + 1) * questionsPerStatement));
}

/** An activity with its poll and the option voted for, as far as its reader may see them. */
function presentWithPoll(
  row: ActivityRow,
  questions: ReadonlyMap<string, string>,
  choices: Awaited<ReturnType<typeof choicesOf>>,
): TimelineActivity {
  const about = pollOf(row);
  const question = about && questions.get(about.id);
  const choice = row.type === 'vote.cast' ? choices.get(row.subject) : undefined;
  return {
    id: row.id,
    activityType: activityOf[row.type],
    entityId: row.subject,
    entityType: row.kind === 'community-poll' ? 'community_poll' : row.kind,
    metadata: metadataOf(row),
    createdAt: iso(choice?.at ?? row.at),
    poll: about && question !== undefined && question !== null ? { ...about, question } : null,
    choice: choice?.texts.join(', ') ?? null,
  };
}

/** What is said about an activity besides its subject. */
function metadataOf({ type, after }: ActivityRow): Activity['metadata'] {
  const { poll, category, ...more } = JSON.parse(after) as Record<string, unknown>;
  switch (type) {
    case 'vote.cast':
      return { category };
    case 'comment.posted':
      return { pollId: poll };
    default:
      return { category, ...more };
  }
}

/** The poll that an activity is about; null for a badge. */
function pollOf({ kind, subject, after }: ActivityRow): { id: string; kind: PollKind } | null {
  switch (kind) {
    case 'poll':
      return { id: subject, kind: 'poll' };
    case 'community-poll':
      return { id: subject, kind: 'community' };
    case 'comment':
      return { id: (JSON.parse(after) as { poll: string }).poll, kind: 'community' };
    case 'badge':
      return null;
  }
}

/** The newest activities of a member, of one type or all, after a cursor; of each type they are read from one index. */
export async function newestActivities(
  db: Database,
  userId: string,
  page: { readonly type: ActivityType | undefined; readonly before: Cursor | null; readonly limit?: number },
): Promise<ActivityRow[]> {
  const { type, before, limit } = page;
  const day = `at / ${dayMs}`;
  const rows: ActivityRow[] = [];
  for (const one of type === undefined ? Object.values(shownTypes) : [shownTypes[type]]) {
    const newest = db('events').where({ member_id: userId, type: one });
    if (before !== null)
      void newest.whereRaw(`${day} <= ? and (${day} < ? or id < ?)`, [before.day, before.day, before.id]);
    if (limit !== undefined) void newest.limit(limit);
    rows.push(
      ...(await newest
        .orderByRaw(`${day} desc, id desc`)
        .select<ActivityRow[]>('id', 'type', 'subject_kind as kind', 'subject', 'after', 'at')),
    );
  }
  return rows.sort((a, b) => newestFirst(cursorAt(a), cursorAt(b))).slice(0, limit);
}

/** How much a member did on each day, or on each since `from`; days since 1970. */
export async function countsByDay(db: Database, userId: string, from = 0): Promise<{ day: number; count: number }[]> {
  const rows = await db('events')
    .where({ member_id: userId })
    .whereIn('type', countedTypes)
    .whereRaw(`at / ${dayMs} >= ?`, [from])
    .groupByRaw(`at / ${dayMs}`)
    .orderByRaw('1')
    .select<{ day: number; count: number | string }[]>(db.raw(`at / ${dayMs} as day`), db.raw('count(*) as count'));
  return rows.map(({ day, count }) => ({ day, count: Number(count) }));
}

/** Every event of a member, oldest first, for the export. */
export async function allEvents(db: Database, userId: string): Promise<UserExport['events']> {
  const rows = await db('events')
    .where({ member_id: userId })
    .orderBy(['at', 'id'])
    .select('type', 'at', 'subject', 'after');
  return rows.map(({ at, after, ...event }) => ({
    ...event,
    createdAt: iso(at),
    details: JSON.parse(after ?? '{}') as Record<string, unknown>,
  }));
}
