import { choiceOf } from '#api/voting/choices.model.ts';
import type { BallotMethod } from '#contract/vocabulary.ts';
import type { BallotPaper } from './integrity-log.contract.ts';
import { choiceText, writtenOptions } from '#domain/verification/paper.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';

/** The log of a poll, or a site-wide log, whose `ballot_id` is null. */
export type LogRow = Row<'vote_logs'>;

/** The log of a poll that exists. */
export type PollLogRow = LogRow & {
  readonly [Column in 'ballot_id' | 'ballot_key' | 'paper' | 'tag' | 'wording']: NonNullable<LogRow[Column]>;
};

export type ResultRow = Row<'vote_log_results'>;

/**
 * A number that the installation keeps: `since`, ids up to which votes are in no log; `watermark`, up to which they are
 * collected; `actions`, up to which integrity actions are in the log.
 */
export async function logNumber(db: Database, name: 'since' | 'watermark' | 'actions'): Promise<number> {
  const row = await db('installation')
    .where({ name: `integrity.${name}` })
    .first('value');
  return Number(row?.value ?? 0);
}

/** Moves the watermark; false when it is not where the caller believes. */
export async function moveWatermark(trx: Database, from: number, to: number): Promise<boolean> {
  const moved = await trx('installation')
    .where({ name: 'integrity.watermark', value: String(from) })
    .update({ value: String(to) });
  return moved === 1;
}

/** The newest site-wide log; undefined before the first. */
export async function siteLog(db: Database): Promise<LogRow | undefined> {
  return db('vote_logs').whereNull('ballot_id').orderBy('key', 'desc').first();
}

/** The site-wide log with this origin. */
export async function siteLogOf(db: Database, origin: string): Promise<LogRow | undefined> {
  return db('vote_logs').where({ origin }).whereNull('ballot_id').first();
}

/**
 * The origin of the site-wide log that has the entries of a public poll’s log: the one that it was opened in. Null if somebody
 * has removed them.
 */
export async function siteOriginOf(db: Database, log: Pick<LogRow, 'key'>): Promise<string | null> {
  const row = await db('vote_log_entries as e')
    .join('vote_logs as l', 'l.key', 'e.log_key')
    .where('e.poll_log_key', log.key)
    .orderBy('e.number')
    .first<{ origin: string } | undefined>('l.origin');
  return row?.origin ?? null;
}

/** The log of a poll that exists; undefined where there is none. */
export async function logOfBallot(db: Database, ballotId: string): Promise<PollLogRow | undefined> {
  return db('vote_logs')
    .where({ ballot_id: ballotId })
    .whereNotNull('ballot_key')
    .whereNotNull('paper')
    .orderBy('key', 'desc')
    .first<PollLogRow | undefined>();
}

export async function logsOfBallots(db: Database, ballotKeys: readonly number[]): Promise<PollLogRow[]> {
  const rows: PollLogRow[] = [];
  for (let from = 0; from < ballotKeys.length; from += 500)
    rows.push(
      ...(await db('vote_logs')
        .whereIn('ballot_key', ballotKeys.slice(from, from + 500))
        .select<PollLogRow[]>()),
    );
  return rows;
}

/** The note of the newest checkpoint of a log. */
export async function newestNote(db: Database, log: Pick<LogRow, 'key'>): Promise<string> {
  const row = await db('vote_log_checkpoints').where({ log_key: log.key }).orderBy('number', 'desc').first('note');
  if (row === undefined) throw new Error(`Log ${log.key} has no checkpoint.`);
  return row.note;
}

/** Sizes of a poll’s log at its checkpoints, from the first with votes on. */
export async function checkpointSizes(db: Database, logKey: number): Promise<number[]> {
  return db('vote_log_checkpoints').where({ log_key: logKey }).where('number', '>', 0).orderBy('number').pluck('size');
}

/** The parts of a site-wide log’s origin: host and path, such as “weathervane.example/integrity”, and its place among those that continue each other. */
export interface OriginParts {
  readonly base: string;
  readonly generation: number;
}

/** The parts of a site-wide log’s origin. */
export function partsOf(origin: string): OriginParts {
  const [, base, generation] = /^(.*)\/log(?:\/(\d+))?$/.exec(origin) ?? [];
  if (base === undefined) throw new Error(`${origin} is not the origin of a site-wide log.`);
  return { base, generation: Number(generation ?? 1) };
}

/** The origin of a poll’s next log: no two logs ever have the same, not even after a restore. */
export async function unusedOrigin(trx: Database, site: string, ballotId: string): Promise<string> {
  const { base, generation } = partsOf(site);
  for (let number = generation; ; number++) {
    const origin = `${base}/poll/${ballotId}${number === 1 ? '' : `/${number}`}`;
    if ((await trx('vote_logs').where({ origin }).first('key')) === undefined) return origin;
  }
}

/** A ballot with the texts of its poll, as far as the log needs them. */
export interface BallotFacts {
  readonly id: string;
  readonly key: number;
  readonly kind: string;
  /** Its entries go into the site-wide log, which has the result, too. */
  readonly is_public: boolean | 0 | 1;
  readonly closed_at: number | null;
  readonly base_votes: number;
  readonly total_votes: number;
  readonly set_aside_votes: number;
  readonly method: BallotMethod;
  readonly min_choices: number;
  readonly max_choices: number;
  readonly publish_ballots: boolean | 0 | 1;
  /** Voters may write another answer. */
  readonly write_ins: boolean | 0 | 1;
  readonly question: string;
  /** When the texts of a weekly poll were changed last, or a written answer was decided about; null for neither. */
  readonly updated_at: number | null;
}

/** These ballots by key; without those whose polls are gone. */
export async function ballotFacts(db: Database, keys: readonly number[]): Promise<BallotFacts[]> {
  return db('ballots as b')
    .leftJoin('polls as p', 'p.id', 'b.id')
    .leftJoin('community_polls as c', 'c.id', 'b.id')
    .whereIn('b.key', [...keys])
    .whereRaw('coalesce(p.id, c.id) is not null')
    .select(
      ...['b.id', 'b.key', 'b.kind', 'b.closed_at', 'b.base_votes', 'b.total_votes', 'b.set_aside_votes'],
      ...[
        'b.publish_ballots',
        'b.method',
        'b.min_choices',
        'b.max_choices',
        'b.write_ins',
        db.raw(
          'coalesce(p.updated_at, (select max(decided_at) from ballot_options o where o.ballot_id = b.id)) as updated_at',
        ),
        db.raw('coalesce(p.question, c.question) as question'),
      ],
      db.raw("(b.listed and coalesce(c.result_visibility, '') <> 'creator') as is_public"),
    );
}

/** An option of a ballot: `base` are its votes that are in no log. */
export interface OptionFacts {
  readonly key: number;
  readonly option_id: string;
  readonly text: string;
  readonly written: Row<'ballot_options'>['written'];
  readonly merged_into: number | null;
  readonly base: number;
}

/** The options of a ballot in their order. */
export async function optionFacts(db: Database, ballotId: string): Promise<OptionFacts[]> {
  return db('ballot_options as o')
    .leftJoin('vote_log_earlier as e', 'e.option_key', 'o.key')
    .where('o.ballot_id', ballotId)
    .orderBy('o.position')
    .select(
      ...['o.key', 'o.option_id', 'o.text', 'o.written', 'o.merged_into'],
      db.raw('o.base_votes + coalesce(e.votes, 0) as base'),
    );
}

/** The options on a paper. */
function optionsOnPaper(
  ballot: Pick<BallotFacts, 'write_ins'>,
  options: readonly OptionFacts[],
): BallotPaper['options'] {
  const asked = options.filter(({ written }) => written === null);
  const textOf = (id: string) => {
    const own = options.find(({ option_id }) => option_id === id);
    if (own?.written === 'approved') return own.text;
    return own?.merged_into == null ? undefined : options.find(({ key }) => key === own.merged_into)?.text;
  };
  return [
    ...asked.map(({ option_id: id, text: label }) => ({ id, label })),
    ...(ballot.write_ins ? writtenOptions.map(({ id, label }) => ({ id, label: textOf(id) ?? label })) : []),
  ];
}

/** The paper of a ballot with its current wording. */
export function paperOf(
  origin: string,
  ballot: Pick<BallotFacts, 'id' | 'question' | 'method' | 'min_choices' | 'max_choices' | 'write_ins'>,
  options: readonly OptionFacts[],
): BallotPaper {
  return {
    origin,
    poll: ballot.id,
    question: ballot.question,
    options: optionsOnPaper(ballot, options),
    choice: choiceText(choiceOf(ballot)),
  };
}

/** Keys of ballots that have opened and not closed, and have no log: at most `most`. */
export async function ballotsToOpen(db: Database, now: number, most: number): Promise<number[]> {
  return db('ballots as b')
    .whereNull('b.closed_at')
    .where('b.starts_at', '<=', now)
    .whereNotExists(db('vote_logs as l').whereRaw('l.ballot_key = b.key').select(db.raw('1')))
    .orderBy('b.key')
    .limit(most)
    .pluck<number[]>('b.key');
}

/** Logs of polls that are open, and those of closed polls that were reopened, by whether the ballot has closed. */
export async function logsToClose(db: Database, most: number): Promise<PollLogRow[]> {
  return openLogs(db).whereNotNull('b.closed_at').orderBy('l.key').limit(most).select('l.*');
}

function openLogs(db: Database) {
  return db('vote_logs as l')
    .join('ballots as b', 'b.key', 'l.ballot_key')
    .whereNotNull('l.ballot_key')
    .whereNull('l.closed_at');
}

/** Logs with at least `atLeast` waiting leaves that published before `before`. */
export async function logsToPublish(
  db: Database,
  atLeast: number,
  before: number,
  most: number,
): Promise<PollLogRow[]> {
  return db('vote_logs')
    .where('waiting', '>', 0)
    .where('waiting', '>=', atLeast)
    .where('published_at', '<=', before)
    .whereNotNull('ballot_key')
    .whereNull('closed_at')
    .whereNull('problem')
    .orderBy('published_at')
    .limit(most)
    .select<PollLogRow[]>();
}

/** Logs whose result is due. */
export async function logsWithResultDue(db: Database, most: number): Promise<PollLogRow[]> {
  return db('vote_logs')
    .where('result_due', true)
    .whereNotNull('ballot_key')
    .whereNotNull('closed_at')
    .orderBy('key')
    .limit(most)
    .select<PollLogRow[]>();
}

/** Ballots that have closed and whose logs have no result because of a problem that is not stored on them yet. */
export async function ballotsWithProblem(db: Database, most: number): Promise<number[]> {
  return db('vote_logs as l')
    .join('ballots as b', 'b.key', 'l.ballot_key')
    .whereNotNull('l.problem')
    .whereNotNull('b.closed_at')
    .whereNull('b.log_difference')
    .whereRaw('(l.closed_at is null or l.result_due)')
    .orderBy('b.key')
    .limit(most)
    .pluck<number[]>('b.key');
}

/** Logs of polls whose texts or imported votes may have changed since they were compared. */
export async function logsToCompare(db: Database, most: number): Promise<PollLogRow[]> {
  return db('vote_logs as l')
    .leftJoin('polls as p', 'p.id', 'l.ballot_id')
    .leftJoin(
      db('ballot_options')
        .whereNotNull('decided_at')
        .groupBy('ballot_id')
        .max('decided_at as at')
        .select('ballot_id')
        .as('d'),
      'd.ballot_id',
      'l.ballot_id',
    )
    .whereNotNull('l.ballot_key')
    .whereRaw('(p.updated_at > l.checked_at or d.at > l.checked_at)')
    .orderBy('l.key')
    .limit(most)
    .select('l.*');
}

/** A row of `integrity_actions` of a poll with a log, with its decision. */
export interface ActionRow {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly votes: number;
  readonly reason: string;
  readonly number: number;
  readonly ballot_id: string;
}

/** Actions on decisions after `afterId`, oldest first. */
export async function decisionActionsAfter(db: Database, afterId: number, most: number): Promise<ActionRow[]> {
  return db('integrity_actions as a')
    .join('vote_decisions as d', 'd.key', 'a.decision_key')
    .where('a.id', '>', afterId)
    .orderBy('a.id')
    .limit(most)
    .select('a.id', 'a.at', 'a.action', 'a.votes', 'd.reason', 'd.number', 'a.ballot_id');
}

/** The newest action on a decision about this ballot, or 0. */
export async function newestActionOf(db: Database, ballotId: string): Promise<number> {
  const row = await db('integrity_actions')
    .where({ ballot_id: ballotId })
    .whereNotNull('decision_key')
    .max('id as id')
    .first<{ id: number | null }>();
  return row.id ?? 0;
}

/** All decisions about a ballot with the newest action on each, by number. */
export async function decisionsWithActions(
  db: Database,
  ballotId: string,
): Promise<(ActionRow & { readonly decision_key: number })[]> {
  const newest = db('integrity_actions')
    .where({ ballot_id: ballotId })
    .whereNotNull('decision_key')
    .groupBy('decision_key')
    .max('id');
  return db('integrity_actions as a')
    .join('vote_decisions as d', 'd.key', 'a.decision_key')
    .whereIn('a.id', newest)
    .orderBy('d.number')
    .select(...['a.id', 'a.at', 'a.action', 'a.votes', 'd.reason', 'd.number', 'a.ballot_id', 'a.decision_key']);
}

/** Texts of the entries of a site-wide log in a range of numbers. */
export async function entryTexts(db: Database, logKey: number, from: number, to: number): Promise<string[]> {
  return db('vote_log_entries')
    .where({ log_key: logKey })
    .where('number', '>=', from)
    .where('number', '<', to)
    .orderBy('number')
    .pluck('text');
}

/** The tags of a poll’s papers with corrected wordings, in their order. */
export async function amendmentsOf(db: Database, logKey: number): Promise<string[]> {
  const texts = await db('vote_log_entries')
    .where({ poll_log_key: logKey })
    .whereLike('text', 'weathervane/amend/v1%')
    .orderBy('number')
    .pluck('text');
  return texts.map((text) => text.split('\n')[2]!);
}

/** The public keys that the site-wide log has announced, newest first, as base64. */
export async function announcedKeys(
  db: Database,
): Promise<{ publicKey: string; announcedAt: number; handover: string | null }[]> {
  return db('vote_log_keys')
    .orderBy([{ column: 'announced_at', order: 'desc' }, 'public_key'])
    .select({ publicKey: 'public_key', announcedAt: 'announced_at', handover: 'handover' });
}

/** Whether a log that no poll has any more was taken from it by hand, with its votes: those that began again are older or empty. */
const wasTaken = `(l.size + l.waiting > 0
  and l.key > (select max(s.key) from vote_logs s where s.ballot_id is null)
  and exists (select 1 from ballots x where x.id = l.ballot_id))`;

const withoutPoll = (db: Database) => db('vote_logs as l').whereNull('l.ballot_key').whereNotNull('l.paper');

/**
 * Logs of polls that were deleted, and those that began again, as far as something is kept of them. Not those that were taken
 * from their polls: they can be given back.
 */
export async function endedLogs(db: Database, most: number): Promise<{ key: number }[]> {
  return withoutPoll(db).whereRaw(`not ${wasTaken}`).orderBy('l.key').limit(most).select('l.key');
}

/** Ballots without a stored difference from which a log was taken. */
export async function ballotsWithoutTheirLog(db: Database, most: number): Promise<number[]> {
  return withoutPoll(db)
    .join('ballots as b', 'b.id', 'l.ballot_id')
    .whereNull('b.log_difference')
    .whereRaw(wasTaken)
    .orderBy('b.key')
    .limit(most)
    .pluck<number[]>('b.key');
}

/** Rows of an ended log that one transaction deletes: votes wait for it. */
const deletedAtOnce = 200;

/** Deletes rows of a log from one of its tables; false when none are left. */
export async function deleteSome(trx: Database, table: string, logKey: number): Promise<boolean> {
  // Neither database deletes a limited number; both have an address for each row.
  const address = isSqlite(trx) ? 'rowid' : 'ctid';
  const some = trx(table).where({ log_key: logKey }).limit(deletedAtOnce).select(trx.raw(address));
  return (await trx(table).whereRaw(`${address} in (?)`, [some]).del()) === deletedAtOnce;
}
