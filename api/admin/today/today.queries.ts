import type { PollContent } from '#api/polls/poll-editor.contract.ts';
import { detectorScores } from '#domain/integrity/cluster.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import type { Database, Query } from '#platform/database.ts';

/** How many things wait, and the oldest’s time in milliseconds. */
export interface Waiting {
  readonly count: number;
  readonly oldest: number | null;
}

interface WaitingRow {
  readonly count: number | string;
  readonly oldest: number | string | null;
}

/** Rows of a table that `which` selects, and the smallest value of `column`. */
async function waiting(db: Database, table: string, column: string, which: (rows: Query) => unknown): Promise<Waiting> {
  const rows = db<object>(table);
  void which(rows);
  return presentWaiting(await rows.count({ count: '*' }).min({ oldest: column }).first<WaitingRow>());
}

const presentWaiting = ({ count, oldest }: WaitingRow): Waiting => ({
  ...{ count: Number(count), oldest: oldest === null ? null : Number(oldest) },
});

/** Reported comments, polls, and members that nobody has decided about. */
export async function openReports(db: Database): Promise<Waiting> {
  const reported = db('reports').whereNull('handled_at').groupBy('kind', 'subject').min({ reported_at: 'created_at' });
  const row = await db
    .from(reported.as('reported'))
    .count({ count: '*' })
    .min({ oldest: 'reported_at' })
    .first<WaitingRow>();
  return presentWaiting(row);
}

/** Appeals without a decision. */
export const openAppeals = (db: Database): Promise<Waiting> =>
  waiting(db, 'moderation_actions', 'appealed_at', (rows) => rows.whereNotNull('appealed_at').whereNull('decided_at'));

/** Decisions to hold votes, until the operator decides; `expires` is when the first one ends. */
export async function heldVotes(db: Database): Promise<Waiting & { readonly expires: number | null }> {
  const isHeld = (rows: Query) => rows.where('state', 'held').whereNot('reason', writtenReason);
  const expiry = isHeld(db<object>('vote_decisions')).min({ expires: 'expires_at' });
  const { expires } = await expiry.first<{ expires: number | string | null }>();
  const held = await waiting(db, 'vote_decisions', 'made_at', isHeld);
  return { ...held, expires: expires === null ? null : Number(expires) };
}

/** Polls that the detector flagged, without such votes, and that no operator has acted on since. */
export const flaggedPolls = (db: Database): Promise<Waiting> =>
  waiting(db, 'integrity_scores as s', 's.scored_at', (rows) =>
    rows
      .join('ballots as b', 'b.key', 's.ballot_key')
      .where('s.score', '>=', detectorScores.flagged)
      .whereRaw(
        "not exists (select 1 from vote_decisions where ballot_key = b.key and state = 'held' and reason <> ?)",
        [writtenReason],
      )
      .whereNull('b.erased_at')
      .whereRaw('not exists (select 1 from integrity_actions where ballot_id = b.id and at >= s.scored_at)'),
  );

/** Decisions about votes whose marks are not written yet, and have not progressed since `before`. */
export const unfinishedDecisions = (db: Database, before: number): Promise<Waiting> =>
  waiting(db, 'unfinished_decisions', 'touched_at', (rows) => rows.where('touched_at', '<', before));

/** Mail that the mail server has not accepted at the first attempt. */
export const failingMail = (db: Database): Promise<Waiting> =>
  waiting(db, 'jobs', 'first_due_at', (rows) => rows.where({ kind: 'mail' }).where('attempts', '>', 1));

/**
 * Imports and undos that ended halfway: they are marked as busy without a heartbeat since `before`, or the newest import
 * was interrupted.
 */
export const unfinishedImports = (db: Database, before: number): Promise<Waiting> =>
  waiting(db, 'poll_imports', 'started_at', (rows) =>
    rows.whereRaw("(busy and heartbeat_at < ?) or (state = 'stopped' and id = (select max(id) from poll_imports))", [
      before,
    ]),
  );

/** When a weekly poll is open, and its question. Times in milliseconds. */
export interface ScheduledPoll {
  readonly id: string;
  readonly question: string;
  readonly is_active: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly closed_at: number | null;
}

const scheduleColumns = ['b.id', 'p.question', 'b.is_active', 'b.starts_at', 'b.ends_at', 'b.closed_at'] as const;
const weeklyPolls = (db: Database) => db('ballots as b').join('polls as p', 'p.id', 'b.id').where('b.kind', 'poll');

/** Weekly polls that are not over at `now` and start before `until`, in order of their end. */
export async function currentPolls(db: Database, now: number, until: number): Promise<ScheduledPoll[]> {
  return weeklyPolls(db)
    .whereNull('b.closed_at')
    .where('b.ends_at', '>', now)
    .where('b.starts_at', '<', until)
    .orderBy(['b.ends_at', 'b.id'])
    .select(...scheduleColumns);
}

/** Weekly polls that are open at some time of a period, or would be, in order of their start. */
export async function pollsOfPeriod(db: Database, from: number, to: number): Promise<ScheduledPoll[]> {
  return weeklyPolls(db)
    .where('b.starts_at', '<', to)
    .where(
      (over) =>
        void over
          .where((open) => void open.whereNull('b.closed_at').where('b.ends_at', '>', from))
          .orWhere('b.closed_at', '>', from),
    )
    .orderBy(['b.starts_at', 'b.id'])
    .select(...scheduleColumns);
}

/** When the first weekly poll started; null without any. */
export async function firstPollStart(db: Database): Promise<number | null> {
  const row = await db('ballots')
    .where('kind', 'poll')
    .min({ first: 'starts_at' })
    .first<{ first: number | string | null }>();
  return row.first === null ? null : Number(row.first);
}

/** When the last weekly poll closed; null before. */
export async function lastPollClosed(db: Database): Promise<number | null> {
  const row = await db('ballots')
    .where('kind', 'poll')
    .whereNotNull('closed_at')
    .max({ last: 'closed_at' })
    .first<{ last: number | string | null }>();
  return row.last === null ? null : Number(row.last);
}

/** A draft of a weekly poll that isn’t published, with its planned times in ISO 8601. */
export interface PlannedPoll {
  readonly id: string;
  readonly question: string;
  readonly startsAt: string;
  readonly endsAt: string | null;
}

/** Drafts that are searched for planned times; older ones are forgotten rather than planned. */
const draftsRead = 200;

/** Drafts of unpublished polls with a planned start before `to` that don’t end before `from`, in order of their start. */
export async function draftsOfPeriod(db: Database, from: number, to: number): Promise<PlannedPoll[]> {
  const rows = await db('poll_drafts as d')
    .whereRaw('not exists (select 1 from polls where id = d.id)')
    .orderBy('d.changed_at', 'desc')
    .limit(draftsRead)
    .select<{ id: string; question: string; content: string }[]>('d.id', 'd.question', 'd.content');
  return rows
    .flatMap(({ id, question, content }) => {
      const { startsAt, endsAt } = JSON.parse(content) as Pick<PollContent, 'startsAt' | 'endsAt'>;
      if (startsAt === null || Date.parse(startsAt) >= to || Date.parse(endsAt ?? startsAt) < from) return [];
      return [{ id, question, startsAt, endsAt }];
    })
    .sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
}
