import { randomInt } from 'node:crypto';
import type { PollContent } from './poll-editor.contract.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';

/** A draft; times in milliseconds. */
export interface Draft {
  readonly id: string;
  /** Grows by one with each save. */
  readonly version: number;
  readonly content: PollContent;
  /** What was published when its fields were changed; null: nothing. */
  readonly base: PollContent | null;
  readonly created_at: number;
  readonly changed_at: number;
  readonly changed_by: string;
}

type DraftRow = Omit<Draft, 'content' | 'base'> & { readonly content: string; readonly base: string | null };

/** What was stored before there were these fields has what all polls had. */
const parse = (json: string): PollContent => ({
  ...{ protection: 'browser', provenance: {}, seriesNote: null, optionOrder: 'fixed' },
  ...(JSON.parse(json) as PollContent),
});
const draftOf = ({ content, base, ...row }: DraftRow): Draft => ({
  ...row,
  content: parse(content),
  base: base === null ? null : parse(base),
});

/** The draft of a poll. */
export async function findDraft(db: Database, id: string): Promise<Draft | null> {
  const row = await db('poll_drafts').where({ id }).first();
  return row === undefined ? null : draftOf(row);
}

/** Until the end of the transaction, the poll can’t be deleted or unpublished, but voted on. SQLite has one writer anyway. */
export async function holdPoll(trx: Database, id: string): Promise<void> {
  if (!isSqlite(trx)) await trx('ballots').where({ id }).forKeyShare().select('id');
}

/**
 * Inserts the first version of a draft; violates a unique constraint if there is one. Its number is random: an editor that
 * still shows an earlier draft of the poll, which was discarded or published, must not match it.
 */
export async function insertDraft(trx: Database, draft: Omit<Draft, 'version'>): Promise<void> {
  const { content, base } = draft;
  await trx('poll_drafts').insert({
    ...{ ...draft, version: randomInt(1, 2 ** 30), question: content.question },
    ...{ content: JSON.stringify(content), base: base === null ? null : JSON.stringify(base) },
  });
}

/** Replaces the content and base of a draft if its version is `version`; false if it is another, or the draft is gone. */
export async function updateDraft(
  trx: Database,
  { id, version, content, base, changed_at, changed_by }: Omit<Draft, 'created_at'>,
): Promise<boolean> {
  const texts = { content: JSON.stringify(content), base: base === null ? null : JSON.stringify(base) };
  const changed = { ...texts, question: content.question, changed_at, changed_by };
  return (
    (await trx('poll_drafts')
      .where({ id, version })
      .update({ ...changed, version: version + 1 })) > 0
  );
}

/** Deletes a draft, with `version` only if that is its version; false if it did not exist. */
export async function deleteDraft(trx: Database, id: string, version?: number): Promise<boolean> {
  const draft = version === undefined ? { id } : { id, version };
  return (await trx('poll_drafts').where(draft).del()) > 0;
}

/** Restricts a query to rows whose columns contain each word of a search. */
export function matchWords<T extends { whereRaw(sql: string, values: readonly string[]): unknown }>(
  db: Database,
  found: T,
  search: string,
  columns: readonly [string, string],
): T {
  const like = isSqlite(db) ? 'like' : 'ilike';
  for (const word of search.split(/\s+/).filter((part) => part !== '')) {
    const pattern = `%${word.replace(/[!%_]/g, '!$&')}%`;
    void found.whereRaw(`(${columns.map((column) => `${column} ${like} ? escape '!'`).join(' or ')})`, [
      pattern,
      pattern,
    ]);
  }
  return found;
}

/** One page of the drafts of polls that aren’t published, newest first, and how many there are. */
export async function draftPage(
  db: Database,
  { search, limit, offset }: { readonly search: string; readonly limit: number; readonly offset: number },
): Promise<{ drafts: Draft[]; total: number }> {
  const found = matchWords(db, db('poll_drafts as d'), search, ['d.question', 'd.id']).whereNotExists(
    db('polls as p').whereRaw('p.id = d.id').select(db.raw('1')),
  );
  const { count } = await found.clone().count({ count: '*' }).first<{ count: number | string }>();
  const rows = await found
    .orderBy([{ column: 'd.changed_at', order: 'desc' }, { column: 'd.id' }])
    .limit(limit)
    .offset(offset)
    .select<DraftRow[]>('d.*');
  return { drafts: rows.map(draftOf), total: Number(count) };
}

/** When the drafts of these polls were last changed, and by whom, by id. */
export async function draftTimes(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<Draft, 'changed_at' | 'changed_by'>>> {
  const rows = await db('poll_drafts').whereIn('id', ids).select('id', 'changed_at', 'changed_by');
  return new Map(rows.map((row) => [row.id, row]));
}

/** What was published of a poll at some time. */
export interface Version {
  readonly poll_id: string;
  /** Counted per poll from 1. */
  readonly number: number;
  readonly content: PollContent;
  readonly created_at: number;
  /** Null: an import, or unknown. */
  readonly created_by: string | null;
}

/** Versions of a poll, newest first: at most `count`, all of them older than `before`. */
export async function findVersions(
  db: Database,
  pollId: string,
  { before, count }: { readonly before?: number | undefined; readonly count: number },
): Promise<Version[]> {
  const found = db('poll_versions').where({ poll_id: pollId }).orderBy('number', 'desc').limit(count);
  if (before !== undefined) void found.where('number', '<', before);
  const rows = await found.select('*');
  return rows.map((row) => ({ ...row, content: parse(row.content) }));
}

/** Inserts a version of a poll that the transaction has locked. */
export async function insertVersion(trx: Database, version: Version): Promise<void> {
  await trx('poll_versions').insert({ ...version, content: JSON.stringify(version.content) });
}

/** A deleted poll; its time in milliseconds. */
export interface DeletedPoll {
  readonly id: string;
  readonly deleted_at: number;
  readonly reason: string;
  readonly redirect_to: string | null;
}

/** When and why a poll was deleted; null if it was not. */
export async function findDeletedPoll(db: Database, id: string): Promise<DeletedPoll | null> {
  return (await db('deleted_polls').where({ id }).first()) ?? null;
}

/** Records that a poll is deleted, and deletes its draft and versions. */
export async function insertDeletedPoll(trx: Database, poll: DeletedPoll): Promise<void> {
  await trx('deleted_polls').insert(poll);
  await trx('poll_drafts').where({ id: poll.id }).del();
  await trx('poll_versions').where({ poll_id: poll.id }).del();
}

/** How a series is repeated. */
export async function findRecurrence(db: Database, series: string): Promise<Row<'recurrences'> | null> {
  return (await db('recurrences').where({ series }).first()) ?? null;
}
