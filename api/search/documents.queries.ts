import { idList, insertRows, selectRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database } from '#platform/database.ts';
import type { SearchKind } from './search.contract.ts';

/** A row of `search_documents` without its key; times in milliseconds. */
export interface SearchDocument {
  readonly kind: SearchKind;
  /** Of a poll or community poll; null for an article. */
  readonly ballot_id: string | null;
  /** Of an article. */
  readonly slug: string | null;
  readonly title: string;
  readonly details: string;
  readonly body: string;
  readonly folded: string;
  readonly starts_at: number;
  readonly dated_at: number;
}

const columns = {
  ...({ kind: 'text', ballot_id: 'text', slug: 'text', title: 'text', details: 'text', body: 'text' } as const),
  ...({ folded: 'text', starts_at: 'bigint', dated_at: 'bigint' } as const),
} as const satisfies Columns;
const names = Object.keys(columns) as (keyof SearchDocument)[];
const changing = names.filter((name) => name !== 'ballot_id' && name !== 'slug');

/** Inserts documents, or updates those that have changed; all are of polls, or all of articles. */
export async function putDocuments(
  trx: Database,
  subject: 'ballot_id' | 'slug',
  documents: readonly SearchDocument[],
): Promise<void> {
  const update = changing.map((name) => `${name} = excluded.${name}`).join(', ');
  const isChanged = changing.map((name) => `search_documents.${name} <> excluded.${name}`).join(' or ');
  const onConflict = `on conflict (${subject}) do update set ${update} where ${isChanged}`;
  await insertRows(
    trx,
    'search_documents',
    columns,
    documents.map((document) => ({ ...document })),
    onConflict,
  );
  const ids = documents.flatMap((document) => document[subject] ?? []);
  await trx.raw(
    `insert into search_unlearned (document_key)
     select key from search_documents where ${subject} in ${idList(trx)} order by key on conflict do nothing`,
    [JSON.stringify(ids)],
  );
}

/** Deletes the documents of these polls or articles. */
export async function deleteDocuments(
  trx: Database,
  subject: 'ballot_id' | 'slug',
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await trx.raw(`delete from search_documents where ${subject} in ${idList(trx)}`, [JSON.stringify(ids)]);
}

/** What search needs of a poll that it may find. */
export interface FoundablePoll {
  readonly id: string;
  readonly kind: 'poll' | 'community';
  readonly category: string | null;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
  readonly created_at: number;
  readonly question: string;
  readonly description: string;
  /** JSON. */
  readonly tags: string;
  readonly author: string | null;
  readonly summary: string | null;
  /** HTML. */
  readonly analysis: string | null;
}

/**
 * The polls among these that search may find, now or once they start: public community polls, and weekly polls that have or
 * will have a page.
 */
export async function foundablePolls(db: Database, ids: readonly string[]): Promise<FoundablePoll[]> {
  return selectRows<FoundablePoll>(
    db,
    `select b.id, b.kind, b.category, b.starts_at, b.ends_at, b.closed_at, p.author, p.summary, p.analysis,
       coalesce(p.created_at, c.created_at) as created_at, coalesce(p.question, c.question) as question,
       coalesce(p.description, c.description) as description, coalesce(p.tags, c.tags) as tags
     from ballots b left join polls p on p.id = b.id left join community_polls c on c.id = b.id
     where b.id in ${idList(db)}
       and ((b.kind = 'poll' and p.id is not null and (b.closed_at is not null or b.is_active))
         or (b.kind = 'community' and c.visibility = 'public'))`,
    ids,
  );
}

/** Option texts by poll, in their order. */
export async function optionTexts(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await selectRows<{ ballot_id: string; text: string }>(
    db,
    `select ballot_id, text from ballot_options
     where ballot_id in ${idList(db)} and (written is null or written = 'approved') order by ballot_id, position`,
    ids,
  );
  return new Map([...Map.groupBy(rows, (row) => row.ballot_id)].map(([id, own]) => [id, own.map(({ text }) => text)]));
}
