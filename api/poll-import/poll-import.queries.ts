import type { CountryShare } from '#contract/poll.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { PlannedPoll, StoredBallot, StoredOption } from './poll-plan.ts';

// Whole batches are passed as one JSON parameter: no limit on the number of parameters, one statement for hundreds of
// rows, and the same SQL for both engines.
type ColumnType = 'text' | 'bigint' | 'boolean';
/** Names and types of columns. */
export type Columns = Readonly<Record<string, ColumnType>>;
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** SQL for a table `v` of the rows in one JSON parameter. */
export function table(db: Database, columns: Columns): string {
  const names = Object.entries(columns);
  return isSqlite(db)
    ? `(select ${names.map(([name]) => `value->>'${name}' as ${name}`).join(', ')} from json_each(?)) as v`
    : `json_to_recordset(?::json) as v(${names.map(([name, type]) => `${name} ${type}`).join(', ')})`;
}

/** Inserts any number of rows in one statement. */
export async function insertRows(db: Database, target: string, columns: Columns, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns).join(', ');
  await db.raw(`insert into ${target} (${names}) select ${names} from ${table(db, columns)}`, [JSON.stringify(rows)]);
}

/** Updates what `where` matches for each row of `v`. */
async function updateRows(
  db: Database,
  target: string,
  columns: Columns,
  rows: readonly Row[],
  set: string,
  where: string,
): Promise<void> {
  if (rows.length === 0) return;
  await db.raw(`update ${target} set ${set} from ${table(db, columns)} where ${where}`, [JSON.stringify(rows)]);
}

/** Runs a select whose one parameter is a list of ids, see {@link idList}. */
async function selectRows<T>(db: Database, sql: string, ids: readonly string[]): Promise<T[]> {
  const result: unknown = await db.raw(sql, [JSON.stringify(ids)]);
  return (isSqlite(db) ? result : (result as { rows: unknown }).rows) as T[];
}

/** SQL for the ids of a JSON list, for use with `in`. */
function idList(db: Database): string {
  return isSqlite(db)
    ? '(select value from json_each(?))'
    : '(select value from json_array_elements_text(?::json) as list(value))';
}

interface BallotRow {
  readonly id: string;
  readonly is_active: boolean | 0 | 1;
  readonly category: string | null;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
}

interface PollRow {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  readonly tags: string;
  readonly author: string | null;
  readonly summary: string | null;
  readonly analysis: string | null;
  readonly methodology_notes: string | null;
  readonly country_breakdown: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly demonstration: boolean | 0 | 1;
}

interface OptionRow {
  readonly ballot_id: string;
  readonly option_id: string;
  readonly position: number;
  readonly offered: boolean | 0 | 1;
  readonly text: string;
  readonly base_votes: number;
  readonly votes: number;
}

/** Locks ballots in the order of their ids, so that writers never deadlock. */
export async function lockBallots(trx: Database, ids: readonly string[]): Promise<void> {
  if (isSqlite(trx)) return;
  await selectRows(trx, `select id from ballots where id in ${idList(trx)} order by id for update`, ids);
}

/** The ballots with these ids, with their options and, for polls, their texts. */
export async function findStoredBallots(db: Database, ids: readonly string[]): Promise<Map<string, StoredBallot>> {
  const list = idList(db);
  const ballots = await selectRows<BallotRow>(
    db,
    `select id, is_active, category, starts_at, ends_at, closed_at from ballots where id in ${list}`,
    ids,
  );
  if (ballots.length === 0) return new Map();
  const found = ballots.map(({ id }) => id);
  const polls = await selectRows<PollRow>(
    db,
    `select id, question, description, tags, author, summary, analysis, methodology_notes, country_breakdown,
       created_at, updated_at, demonstration from polls where id in ${list}`,
    found,
  );
  const options = await selectRows<OptionRow>(
    db,
    `select ballot_id, option_id, position, offered, text, base_votes, votes from ballot_options
       where ballot_id in ${list} order by ballot_id, position`,
    found,
  );
  const pollOf = new Map(polls.map((poll) => [poll.id, poll]));
  const optionsOf = Map.groupBy(options, (option) => option.ballot_id);
  return new Map(
    ballots.map((ballot) => [
      ballot.id,
      {
        id: ballot.id,
        isActive: Boolean(ballot.is_active),
        category: ballot.category,
        startsAt: ballot.starts_at,
        endsAt: ballot.ends_at,
        closedAt: ballot.closed_at,
        options: (optionsOf.get(ballot.id) ?? []).map(presentOption),
        poll: presentPoll(pollOf.get(ballot.id)),
      },
    ]),
  );
}

function presentOption(option: OptionRow): StoredOption {
  return {
    id: option.option_id,
    position: option.position,
    offered: Boolean(option.offered),
    text: option.text,
    baseVotes: option.base_votes,
    votes: option.votes,
  };
}

function presentPoll(poll: PollRow | undefined): StoredBallot['poll'] {
  if (!poll) return null;
  return {
    question: poll.question,
    description: poll.description,
    tags: JSON.parse(poll.tags) as string[],
    author: poll.author,
    summary: poll.summary,
    analysis: poll.analysis,
    methodologyNotes: poll.methodology_notes,
    countryBreakdown: JSON.parse(poll.country_breakdown) as CountryShare[],
    createdAt: poll.created_at,
    updatedAt: poll.updated_at,
    demonstration: Boolean(poll.demonstration),
  };
}

const ballotColumns = {
  id: 'text',
  kind: 'text',
  is_active: 'boolean',
  category: 'text',
  starts_at: 'bigint',
  ends_at: 'bigint',
  closed_at: 'bigint',
  base_votes: 'bigint',
  total_votes: 'bigint',
  in_totals: 'boolean',
} as const satisfies Columns;

const pollColumns = {
  id: 'text',
  question: 'text',
  description: 'text',
  tags: 'text',
  author: 'text',
  summary: 'text',
  analysis: 'text',
  methodology_notes: 'text',
  country_breakdown: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  demonstration: 'boolean',
} as const satisfies Columns;

const optionColumns = {
  ballot_id: 'text',
  option_id: 'text',
  position: 'bigint',
  offered: 'boolean',
  text: 'text',
  base_votes: 'bigint',
  votes: 'bigint',
} as const satisfies Columns;

/** In these rows, `base_votes` and `votes` (or `total_votes`) are both the change of the imported base. */
function ballotRow(poll: PlannedPoll) {
  return {
    id: poll.id,
    kind: 'poll',
    is_active: poll.isActive,
    category: poll.category,
    starts_at: poll.startsAt,
    ends_at: poll.endsAt,
    closed_at: poll.closedAt,
    base_votes: poll.baseChange,
    total_votes: poll.baseChange,
    in_totals: !poll.demonstration,
  };
}

function pollRow(poll: PlannedPoll) {
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    tags: JSON.stringify(poll.tags),
    author: poll.author,
    summary: poll.summary,
    analysis: poll.analysis,
    methodology_notes: poll.methodologyNotes,
    country_breakdown: JSON.stringify(poll.countryBreakdown),
    created_at: poll.createdAt,
    updated_at: poll.updatedAt,
    demonstration: poll.demonstration,
  };
}

function optionRows(poll: PlannedPoll, isNew: boolean) {
  return poll.options
    .filter((option) => option.isNew === isNew)
    .map((option) => ({
      ballot_id: poll.id,
      option_id: option.id,
      position: option.position,
      offered: option.offered,
      text: option.text,
      base_votes: option.baseChange,
      votes: option.baseChange,
    }));
}

/** Inserts new polls. */
export async function insertPolls(trx: Database, polls: readonly PlannedPoll[]): Promise<void> {
  await insertRows(trx, 'ballots', ballotColumns, polls.map(ballotRow));
  await insertRows(trx, 'polls', pollColumns, polls.map(pollRow));
  await insertRows(
    trx,
    'ballot_options',
    optionColumns,
    polls.flatMap((poll) => optionRows(poll, true)),
  );
}

/** Updates stored polls as planned. Counters change by differences, never to a value that was read before. */
export async function updatePolls(trx: Database, polls: readonly PlannedPoll[]): Promise<void> {
  if (polls.length === 0) return;
  const list = idList(trx);
  const key = { ballot_id: 'text', option_id: 'text' } as const satisfies Columns;
  const removed = polls.flatMap((poll) => poll.removedOptions.map((option_id) => ({ ballot_id: poll.id, option_id })));
  if (removed.length > 0)
    await trx.raw(
      `delete from ballot_options where (ballot_id, option_id) in
         (select ballot_id, option_id from ${table(trx, key)})`,
      [JSON.stringify(removed)],
    );
  // Positions are unique within a ballot, so they are first moved out of range.
  await trx.raw(`update ballot_options set position = -1 - position where ballot_id in ${list}`, [
    JSON.stringify(polls.map(({ id }) => id)),
  ]);
  await updateRows(
    trx,
    'ballot_options',
    optionColumns,
    polls.flatMap((poll) => optionRows(poll, false)),
    `position = v.position, offered = v.offered, text = v.text,
     base_votes = ballot_options.base_votes + v.base_votes, votes = ballot_options.votes + v.votes`,
    'ballot_options.ballot_id = v.ballot_id and ballot_options.option_id = v.option_id',
  );
  await insertRows(
    trx,
    'ballot_options',
    optionColumns,
    polls.flatMap((poll) => optionRows(poll, true)),
  );
  await updateRows(
    trx,
    'ballots',
    ballotColumns,
    polls.map(ballotRow),
    `is_active = v.is_active, category = v.category, starts_at = v.starts_at, ends_at = v.ends_at,
     closed_at = v.closed_at, base_votes = ballots.base_votes + v.base_votes,
     total_votes = ballots.total_votes + v.total_votes, in_totals = v.in_totals`,
    'ballots.id = v.id',
  );
  await updateRows(
    trx,
    'polls',
    pollColumns,
    polls.map(pollRow),
    Object.keys(pollColumns)
      .filter((name) => name !== 'id')
      .map((name) => `${name} = v.${name}`)
      .join(', '),
    'polls.id = v.id',
  );
}

interface GonePoll {
  readonly id: string;
  readonly category: string | null;
  readonly closed_at: number | null;
}

/** Deletes locked polls without votes and returns the change of the archive’s counters. */
export async function deletePolls(trx: Database, ids: readonly string[]): Promise<GonePoll[]> {
  if (ids.length === 0) return [];
  const list = idList(trx);
  const gone = await selectRows<GonePoll>(trx, `select id, category, closed_at from ballots where id in ${list}`, ids);
  await trx.raw(`delete from ballots where id in ${list}`, [JSON.stringify(ids)]);
  return gone;
}

type BallotTotals = Readonly<Record<'total_votes' | 'imported_votes' | 'total_polls', number>>;

/** The contribution of these ballots to the headline figures; they are locked, so no vote changes it. */
export async function totalsOf(trx: Database, ids: readonly string[]): Promise<BallotTotals> {
  const [totals] = await selectRows<Record<keyof BallotTotals, number | string>>(
    trx,
    `select coalesce(sum(total_votes), 0) as total_votes, coalesce(sum(base_votes), 0) as imported_votes,
       count(*) as total_polls
     from ballots where listed and in_totals and id in ${idList(trx)}`,
    ids,
  );
  // PostgreSQL sums 64-bit integers to a decimal, which arrives as text.
  const read = (name: keyof BallotTotals) => Number(totals?.[name]);
  return { total_votes: read('total_votes'), imported_votes: read('imported_votes'), total_polls: read('total_polls') };
}

export async function hasPolls(trx: Database): Promise<boolean> {
  return (await trx('polls').first('id')) !== undefined;
}

/** The properties of a poll that the archive’s counters depend on. */
interface Archived {
  readonly category: string | null;
  readonly closedAt: number | null;
}

/** Sums the changes of the archive’s counters; '' means no category. */
export class ArchiveMoves {
  readonly changes = new Map<string, number>();

  /** Adds the change of one poll; null if it did or does not exist. */
  move(before: Archived | null, after: Archived | null): void {
    if (before !== null && before.closedAt !== null) this.#add(before.category, -1);
    if (after !== null && after.closedAt !== null) this.#add(after.category, 1);
  }

  #add(category: string | null, by: number): void {
    this.changes.set(category ?? '', (this.changes.get(category ?? '') ?? 0) + by);
  }
}
