import { raw } from 'objection';
import type { ManagedState } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { matchWords } from './drafts.queries.ts';
import { PollModel } from './poll.model.ts';

/** A poll as the operator's list reads it; times in milliseconds. */
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

/** States of polls that are not only drafts. */
export type PublishedState = Exclude<ManagedState, 'draft'>;

// The same conditions as phaseOf in the domain.
const conditions: Readonly<Record<PublishedState, string>> = {
  closed: '(b.closed_at is not null or b.ends_at <= :now or (not b.is_active and b.starts_at <= :now))',
  scheduled: '(b.closed_at is null and b.ends_at > :now and b.starts_at > :now)',
  open: '(b.closed_at is null and b.ends_at > :now and b.starts_at <= :now and b.is_active)',
};

/** One page of polls and the total: open ones first, then scheduled, then closed; the newest first. */
export async function managedRows(
  db: Database,
  filter: { now: number; state: PublishedState | undefined; search: string; limit: number; offset: number },
): Promise<{ rows: ManagedRow[]; total: number }> {
  const { now, state, search, limit, offset } = filter;
  const polls = db('ballots as b').join('polls as p', 'p.id', 'b.id').where('b.kind', 'poll');
  const found = matchWords(db, polls, search, ['p.question', 'p.id']);
  if (state !== undefined) void found.whereRaw(conditions[state], { now });
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

/** The columns of `polls` that the operator can edit. */
export type TextColumns = Pick<
  PollModel,
  | ('question' | 'description' | 'tags' | 'series' | 'author' | 'summary' | 'analysis')
  | ('methodology_notes' | 'country_breakdown' | 'provenance' | 'series_note')
>;

/** Writes texts, and a new `updated_at` that always differs from the old one. */
export async function touchPoll(
  trx: Database,
  id: string,
  now: number,
  texts: Partial<TextColumns> = {},
): Promise<void> {
  const updated_at = raw('case when updated_at = ? then updated_at + 1 else ? end', [now, now]);
  await PollModel.query(trx)
    .findById(id)
    .patch({ ...texts, updated_at });
}

/** Ids of the polls of the demonstration data, in order. */
export async function demonstrationPollIds(db: Database): Promise<string[]> {
  // Worded like the partial index.
  return db('polls').whereRaw('demonstration').orderBy('id').pluck('id');
}

/**
 * The questions of weekly polls by id, also before their start; of one that an operator has deleted or unpublished, as it
 * was then.
 */
export async function operatorQuestions(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stored = await db('polls').whereIn('id', ids).select('id', 'question');
  const removed = await db('events')
    .where({ subject_kind: 'poll' })
    .whereNotNull('actor')
    .whereIn('subject', ids)
    .whereIn('type', ['poll.removed', 'poll.unpublish'])
    .orderBy('id')
    .select('subject', 'before');
  return new Map([
    ...removed.map(({ subject, before }) => [subject, (JSON.parse(before!) as { question: string }).question] as const),
    ...stored.map(({ id, question }) => [id, question] as const),
  ]);
}
