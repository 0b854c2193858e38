import { idList, insertRows, selectRows, table, updateRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database } from '#platform/database.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { rankOf } from '#domain/protection.ts';
import type { Totals } from './statistics.service.ts';

/**
 * The ballot of a weekly poll as an import stores it; times in milliseconds. Votes are changes of the imported base, so that
 * votes cast meanwhile survive.
 */
export interface ImportedBallot {
  readonly id: string;
  readonly isActive: boolean;
  readonly category: string | null;
  readonly publishBallots: boolean;
  readonly protection: Protection;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly closedAt: number | null;
  /** Of a demo poll, which counts toward no headline figure. */
  readonly demonstration: boolean;
  readonly baseChange: number;
  readonly options: readonly ImportedOption[];
  readonly removedOptions: readonly string[];
}

/** An option of such a ballot. */
export interface ImportedOption {
  readonly id: string;
  readonly isNew: boolean;
  readonly position: number;
  readonly offered: boolean;
  readonly text: string;
  readonly baseChange: number;
}

const ballotColumns = {
  id: 'text',
  kind: 'text',
  is_active: 'boolean',
  category: 'text',
  publish_ballots: 'boolean',
  protection: 'bigint',
  starts_at: 'bigint',
  ends_at: 'bigint',
  closed_at: 'bigint',
  base_votes: 'bigint',
  total_votes: 'bigint',
  in_totals: 'boolean',
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
function ballotRow(ballot: ImportedBallot) {
  return {
    id: ballot.id,
    kind: 'poll',
    is_active: ballot.isActive,
    category: ballot.category,
    publish_ballots: ballot.publishBallots,
    protection: rankOf(ballot.protection),
    starts_at: ballot.startsAt,
    ends_at: ballot.endsAt,
    closed_at: ballot.closedAt,
    base_votes: ballot.baseChange,
    total_votes: ballot.baseChange,
    in_totals: !ballot.demonstration,
  };
}

function optionRows(ballot: ImportedBallot, isNew: boolean) {
  return ballot.options
    .filter((option) => option.isNew === isNew)
    .map((option) => ({
      ballot_id: ballot.id,
      option_id: option.id,
      position: option.position,
      offered: option.offered,
      text: option.text,
      base_votes: option.baseChange,
      votes: option.baseChange,
    }));
}

/** Inserts new ballots with their options. */
export async function insertBallots(trx: Database, ballots: readonly ImportedBallot[]): Promise<void> {
  await insertRows(trx, 'ballots', ballotColumns, ballots.map(ballotRow));
  await insertRows(
    trx,
    'ballot_options',
    optionColumns,
    ballots.flatMap((ballot) => optionRows(ballot, true)),
  );
}

/** Ids of ballots that an update closes or reopens. */
export interface TurnedBallots {
  readonly closed: ReadonlySet<string>;
  readonly reopened: ReadonlySet<string>;
}

/**
 * Updates locked ballots and their options. Counters change by differences, never to a value that was
 * read before. Returns those that this closes and reopens.
 */
export async function updateBallots(trx: Database, ballots: readonly ImportedBallot[]): Promise<TurnedBallots> {
  if (ballots.length === 0) return { closed: new Set(), reopened: new Set() };
  const list = idList(trx);
  const open = await selectRows<{ id: string }>(
    trx,
    `select id from ballots where closed_at is null and id in ${list}`,
    ballots.map(({ id }) => id),
  );
  const wasOpen = new Set(open.map(({ id }) => id));
  const key = { ballot_id: 'text', option_id: 'text' } as const satisfies Columns;
  const removed = ballots.flatMap(({ id, removedOptions }) =>
    removedOptions.map((option_id) => ({ ballot_id: id, option_id })),
  );
  if (removed.length > 0)
    await trx.raw(
      `delete from ballot_options where (ballot_id, option_id) in
         (select ballot_id, option_id from ${table(trx, key)})`,
      [JSON.stringify(removed)],
    );
  // Positions are unique within a ballot, so they are first moved out of range.
  await trx.raw(`update ballot_options set position = -1 - position where ballot_id in ${list}`, [
    JSON.stringify(ballots.map(({ id }) => id)),
  ]);
  await updateRows(
    trx,
    'ballot_options',
    optionColumns,
    ballots.flatMap((ballot) => optionRows(ballot, false)),
    `position = v.position, offered = v.offered, text = v.text,
     base_votes = ballot_options.base_votes + v.base_votes, votes = ballot_options.votes + v.votes`,
    'ballot_options.ballot_id = v.ballot_id and ballot_options.option_id = v.option_id',
  );
  await insertRows(
    trx,
    'ballot_options',
    optionColumns,
    ballots.flatMap((ballot) => optionRows(ballot, true)),
  );
  await updateRows(
    trx,
    'ballots',
    ballotColumns,
    ballots.map(ballotRow),
    `is_active = v.is_active, category = v.category, publish_ballots = v.publish_ballots, protection = v.protection,
     starts_at = v.starts_at, ends_at = v.ends_at,
     closed_at = v.closed_at, erased_at = case when v.closed_at is null then null else ballots.erased_at end,
     base_votes = ballots.base_votes + v.base_votes,
     total_votes = ballots.total_votes + v.total_votes, in_totals = v.in_totals`,
    'ballots.id = v.id',
  );
  const changed = (toOpen: boolean) => {
    const turned = ballots.filter(({ id, closedAt }) => (closedAt === null) === toOpen && wasOpen.has(id) !== toOpen);
    return new Set(turned.map(({ id }) => id));
  };
  return { closed: changed(false), reopened: changed(true) };
}

/** What the archive's counters need of a deleted ballot. */
interface GoneBallot {
  readonly id: string;
  readonly category: string | null;
  readonly closed_at: number | null;
}

/** Deletes locked ballots without votes, with all that refers to them, and returns which existed. */
export async function deleteUnvotedBallots(trx: Database, ids: readonly string[]): Promise<GoneBallot[]> {
  if (ids.length === 0) return [];
  const list = idList(trx);
  const gone = await selectRows<GoneBallot>(
    trx,
    `delete from ballots where id in ${list} and total_votes + set_aside_votes = base_votes
     returning id, category, closed_at`,
    ids,
  );
  return gone;
}

/** The contribution of these ballots to the headline figures; they are locked, so no vote changes it. */
export async function totalsOf(trx: Database, ids: readonly string[]): Promise<Totals> {
  const [totals] = await selectRows<Record<keyof Totals, number | string>>(
    trx,
    `select coalesce(sum(total_votes), 0) as total_votes, coalesce(sum(set_aside_votes), 0) as set_aside_votes, coalesce(sum(base_votes), 0) as imported_votes,
       count(*) as total_polls
     from ballots where listed and in_totals and id in ${idList(trx)}`,
    ids,
  );
  // PostgreSQL sums 64-bit integers to a decimal, which arrives as text.
  const read = (name: keyof Totals) => Number(totals?.[name]);
  return {
    total_votes: read('total_votes'),
    set_aside_votes: read('set_aside_votes'),
    imported_votes: read('imported_votes'),
    total_polls: read('total_polls'),
  };
}
