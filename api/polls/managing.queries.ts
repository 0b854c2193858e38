import type { ManagedState } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { isSqlite } from '#platform/database.ts';

/** A poll as the operator's list reads it; moments in milliseconds. */
export interface ManagedRow {
  readonly id: string;
  readonly question: string;
  readonly category: string | null;
  readonly demonstration: boolean | 0 | 1;
  readonly is_active: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly closed_at: number | null;
  readonly base_votes: number;
  readonly total_votes: number;
}

// As phaseOf decides.
const conditions: Readonly<Record<ManagedState, string>> = {
  closed: '(b.closed_at is not null or b.ends_at <= :now or (not b.is_active and b.starts_at <= :now))',
  scheduled: '(b.closed_at is null and b.ends_at > :now and b.starts_at > :now)',
  open: '(b.closed_at is null and b.ends_at > :now and b.starts_at <= :now and b.is_active)',
};

/** One page of polls, and how many there are in all: open ones, scheduled ones, closed ones; the newest first. */
export async function managedRows(
  db: Database,
  filter: { now: number; state: ManagedState | undefined; search: string; limit: number; offset: number },
): Promise<{ rows: ManagedRow[]; total: number }> {
  const { now, state, search, limit, offset } = filter;
  const found = db('ballots as b').join('polls as p', 'p.id', 'b.id').where('b.kind', 'poll');
  if (state !== undefined) void found.whereRaw(conditions[state], { now });
  const like = isSqlite(db) ? 'like' : 'ilike';
  for (const word of search.split(/\s+/).filter((part) => part !== '')) {
    const pattern = `%${word.replace(/[!%_]/g, '!$&')}%`;
    void found.whereRaw(`(p.question ${like} ? escape '!' or p.id ${like} ? escape '!')`, [pattern, pattern]);
  }
  const { count } = await found.clone().count({ count: '*' }).first<{ count: number | string }>();
  const rows = await found
    .orderByRaw(
      `case when ${conditions.closed} then 2 when b.starts_at > :now then 1 else 0 end, b.starts_at desc, b.id`,
      { now },
    )
    .limit(limit)
    .offset(offset)
    .select<ManagedRow[]>(
      ...['b.id', 'p.question', 'b.category', 'p.demonstration', 'b.is_active', 'b.starts_at', 'b.ends_at'],
      ...['b.closed_at', 'b.base_votes', 'b.total_votes'],
    );
  return { rows, total: Number(count) };
}

/** The part of a poll that decides what may be done with it. */
export interface HeldPoll {
  readonly is_active: boolean | 0 | 1;
  readonly category: string | null;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly closed_at: number | null;
  readonly total_votes: number;
}

/** Takes a poll out of reach of votes and other changes until the transaction ends; undefined when there is none. */
export async function holdPoll(trx: Database, id: string): Promise<HeldPoll | undefined> {
  // A write, not a look: on SQLite it makes the transaction the one that writes, on PostgreSQL others wait for the row.
  const [held] = await trx('ballots')
    .where({ id, kind: 'poll' })
    .update({ kind: 'poll' })
    .returning<HeldPoll[]>(['is_active', 'category', 'starts_at', 'ends_at', 'closed_at', 'total_votes']);
  return held;
}

/** The columns of `polls` that are texts. */
export interface TextColumns {
  readonly question: string;
  readonly description: string;
  readonly tags: string;
  readonly author: string | null;
  readonly summary: string | null;
  readonly analysis: string | null;
  readonly methodology_notes: string | null;
}

export async function textsOf(trx: Database, id: string): Promise<TextColumns> {
  return trx('polls')
    .where({ id })
    .first<TextColumns>('question', 'description', 'tags', 'author', 'summary', 'analysis', 'methodology_notes');
}

export async function optionTexts(trx: Database, id: string): Promise<{ option_id: string; text: string }[]> {
  return trx('ballot_options').where({ ballot_id: id }).orderBy('position').select('option_id', 'text');
}

/** Writes texts, and that the poll was changed: its `updated_at` is always another one afterwards. */
export async function touchPoll(
  trx: Database,
  id: string,
  now: number,
  texts: Partial<TextColumns> = {},
): Promise<void> {
  const updated_at = trx.raw('case when updated_at = ? then updated_at + 1 else ? end', [now, now]);
  await trx('polls')
    .where({ id })
    .update({ ...texts, updated_at });
}

export async function writeOptionText(trx: Database, id: string, optionId: string, text: string): Promise<void> {
  await trx('ballot_options').where({ ballot_id: id, option_id: optionId }).update({ text });
}

export async function writeBallot(
  trx: Database,
  id: string,
  change: Partial<Pick<HeldPoll, 'is_active' | 'category' | 'ends_at' | 'closed_at'>>,
): Promise<void> {
  await trx('ballots').where({ id }).update(change);
}

/** Ids of polls that came with the software, in order. */
export async function demonstrationPollIds(db: Database): Promise<string[]> {
  // In the words of the partial index.
  return db('polls').whereRaw('demonstration').orderBy('id').pluck<string[]>('id');
}

export async function isDemonstrationPoll(trx: Database, id: string): Promise<boolean> {
  return (await trx('polls').where({ id, demonstration: true }).first('id')) !== undefined;
}
