import type { Knex } from 'knex';

/**
 * SQLite’s search index also has the folded words of documents: words without variants of letters, and pairs of characters
 * of scripts without spaces. PostgreSQL’s has had that column from the start; the first start afterward fills it anew
 * (`search-index.service`).
 */
export async function up(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) await rebuild(knex, ['kind', 'title', 'details', 'body', 'folded']);
}

async function rebuild(knex: Knex, indexed: readonly string[]): Promise<void> {
  const columns = indexed.join(', ');
  const values = (row: 'new' | 'old') => indexed.map((column) => `${row}.${column}`).join(', ');
  const insertNew = `insert into search_index (rowid, ${columns}) values (new.key, ${values('new')});
    insert into search_titles (rowid, title) values (new.key, new.title);`;
  const deleteOld = `insert into search_index (search_index, rowid, ${columns}) values ('delete', old.key, ${values('old')});
    insert into search_titles (search_titles, rowid, title) values ('delete', old.key, old.title);`;
  for (const statement of [
    ...['inserted', 'updated', 'deleted'].map((event) => `drop trigger search_documents_${event}`),
    'drop table search_index',
    `create virtual table search_index using fts5 (
       ${columns}, content = 'search_documents', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2'
     )`,
    `create trigger search_documents_inserted after insert on search_documents begin ${insertNew} end`,
    `create trigger search_documents_updated after update of ${columns} on search_documents begin
       ${deleteOld} ${insertNew} end`,
    `create trigger search_documents_deleted after delete on search_documents begin ${deleteOld} end`,
    "insert into search_index (search_index) values ('rebuild')",
  ])
    await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) await rebuild(knex, ['kind', 'title', 'details', 'body']);
  // The version before rebuilds the documents, too.
  await knex('installation').where({ name: 'search index' }).del();
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
