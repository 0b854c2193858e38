import type { Knex } from 'knex';

/**
 * The search index: a row for each poll, report, public community poll, and article, with its texts. SQLite keeps two FTS5
 * tables of them current, PostgreSQL generated columns. The first start afterward fills it (`search-index.service`).
 * And the words of titles and details with their variants without one letter, for spelling corrections.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('search_documents', (t) => {
    t.increments('key');
    t.string('kind', 16)
      .notNullable()
      .checkIn(['poll', 'report', 'community', 'article'], 'search_documents_kind')
      .comment('report: a closed weekly poll');
    t.string('ballot_id', 80).nullable().references('id').inTable('ballots').onDelete('CASCADE');
    t.string('slug', 120).nullable().references('slug').inTable('blog_posts').onDelete('CASCADE');
    t.text('title').notNullable();
    t.text('details').notNullable().comment('options, tags, and category');
    t.text('body').notNullable().comment('everything else, without markup');
    t.text('folded').notNullable().comment('words with diacritics, without them');
    t.bigInteger('starts_at').notNullable().comment('not found before');
    t.bigInteger('dated_at').notNullable().comment('the date that results show');
    t.unique(['ballot_id'], { indexName: 'search_documents_ballot' });
    t.unique(['slug'], { indexName: 'search_documents_slug' });
    t.check('(ballot_id is null) <> (slug is null)', [], 'search_documents_subject');
  });
  for (const statement of isPostgres(knex) ? postgres : sqlite) await knex.raw(statement);

  await knex.schema.createTable('search_unlearned', (t) => {
    t.integer('document_key').primary().references('key').inTable('search_documents').onDelete('CASCADE');
  });
  await knex.schema.createTable('search_spellings', (t) => {
    t.string('spelling', 24).notNullable().comment('the word, or the word without one of its letters');
    t.string('word', 24).notNullable();
    t.primary(['spelling', 'word']);
    t.index(['word'], 'search_spellings_word');
  });
}

const indexed = ['kind', 'title', 'details', 'body'];
const values = (row: 'new' | 'old') => indexed.map((column) => `${row}.${column}`).join(', ');
const insertNew = `insert into search_index (rowid, ${indexed.join(', ')}) values (new.key, ${values('new')});
  insert into search_titles (rowid, title) values (new.key, new.title);`;
const deleteOld = `insert into search_index (search_index, rowid, ${indexed.join(', ')}) values ('delete', old.key, ${values('old')});
  insert into search_titles (search_titles, rowid, title) values ('delete', old.key, old.title);`;
const external = "content = 'search_documents', content_rowid = 'key'";

const sqlite = [
  `create virtual table search_index using fts5 (
     ${indexed.join(', ')}, ${external}, tokenize = 'porter unicode61 remove_diacritics 2'
   )`,
  // Suggestions match prefixes of words, which need unstemmed text.
  `create virtual table search_titles using fts5 (
     title, ${external}, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
   )`,
  `create trigger search_documents_inserted after insert on search_documents begin ${insertNew} end`,
  `create trigger search_documents_updated after update of ${indexed.join(', ')} on search_documents begin
     ${deleteOld} ${insertNew} end`,
  `create trigger search_documents_deleted after delete on search_documents begin ${deleteOld} end`,
];

/** Consecutive documents of a section. */
const sectionSize = 8_192;
/** Removes what PostgreSQL’s parser would read as compounds, addresses, paths, or signed numbers. */
const words = (column: string) => `translate(${column}, '-_/.:@+&#=<>~', '             ')`;
const stems = (column: string) => `to_tsvector('search_stems', ${words(column)})`;

const postgres = [
  // PostgreSQL’s English dictionary drops stop words, so texts made only of these could not be found.
  'create text search dictionary search_stem (template = pg_catalog.snowball, language = english)',
  'create text search configuration search_stems (copy = pg_catalog.simple)',
  `alter text search configuration search_stems alter mapping for asciiword, word, numword, asciihword, hword, numhword,
     hword_asciipart, hword_part, hword_numpart with search_stem`,
  // Lexemes that begin with a space are not words: the kind, and the section of the table. `head` ranks results.
  `alter table search_documents
     add column words tsvector generated always as (
       array_to_tsvector(array[' ' || kind, ' ' || (key / ${sectionSize})::text])
       || ${['title', 'details', 'body', 'folded'].map(stems).join(' || ')}
     ) stored,
     add column head tsvector generated always as (
       setweight(${stems('title')}, 'A') || setweight(${stems('details')}, 'B')
     ) stored,
     add column title_words tsvector generated always as (to_tsvector('pg_catalog.simple', ${words('title')})) stored`,
  // Narrow rows, because a search for a common word visits thousands.
  'alter table search_documents set (toast_tuple_target = 256)',
  `alter table search_documents alter column body set storage external, alter column words set storage external,
     alter column title_words set storage main`,
  // Every search would read the list of pending entries.
  'create index search_documents_words on search_documents using gin (words) with (fastupdate = off)',
  'create index search_documents_title_words on search_documents using gin (title_words) with (fastupdate = off)',
];

export async function down(knex: Knex): Promise<void> {
  for (const table of ['search_spellings', 'search_unlearned']) await knex.schema.dropTable(table);
  if (!isPostgres(knex)) for (const table of ['search_index', 'search_titles']) await knex.schema.dropTable(table);
  await knex.schema.dropTable('search_documents');
  await knex('installation').where({ name: 'search index' }).del();
  if (!isPostgres(knex)) return;
  await knex.raw('drop text search configuration search_stems');
  await knex.raw('drop text search dictionary search_stem');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
