import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isSqlite } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';

/** The type of a column whose texts only the code knows. */
const ofCode = /^((?!Stored|Buffer)[A-Z]\w+(\['\w+'\])?|'[a-z-]+'( \| '[a-z-]+')*)/;
const read = (path: string) => readFileSync(new URL(`../../db/${path}`, import.meta.url), 'utf8');

/** The columns of `Rows` with their types, such as “polls.series” with “string | null”. */
const typed = (): Record<string, string> => {
  const file = ts.createSourceFile('tables.ts', read('tables.ts'), ts.ScriptTarget.Latest);
  const rows = file.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'Rows');
  const members = (of: ts.Node) =>
    (of as ts.InterfaceDeclaration | ts.TypeLiteralNode).members as ts.NodeArray<ts.Node>;
  const nameOf = (of: ts.Node) => (of as ts.PropertySignature).name.getText(file);
  const typeOf = (of: ts.Node) => (of as ts.PropertySignature).type!;
  return Object.fromEntries(
    members(rows!).flatMap((table) =>
      members(typeOf(table)).map((column) => [`${nameOf(table)}.${nameOf(column)}`, typeOf(column).getText(file)]),
    ),
  );
};

const added = globSync('migrations/*.ts', { cwd: new URL('../../db/', import.meta.url) })
  .map(read)
  .join('');

/** The only texts of columns, in the checks of the schema and of migrations: “'a' | 'b'”. */
const texts = Object.fromEntries([
  ...[...added.matchAll(/alter table (\w+) add column (\w+)[^`]*? check \(\2 in \(([^)]*)\)\)/g)].map(
    ([, table, column, list]) => [`${table}.${column}`, list!.replaceAll(/, ?/g, ' | ')],
  ),
  ...[...read('schema/sqlite.sql').matchAll(/^create table (\w+) \(\n([^]*?)^\)/gm)].flatMap(([, table, body]) =>
    [...body!.matchAll(/check \((\w+) in \(([^)]*)\)\)/g)].map(([, column, list]) => [
      `${table}.${column}`,
      list!.replaceAll(/, ?/g, ' | '),
    ]),
  ),
]);

const kinds: readonly [RegExp, string][] = [
  [/char|text/, 'string'],
  [/boolean/, 'StoredBoolean'],
  [/int/, 'number'],
  [/blob|bytea/, 'Buffer'],
  [/uuid/, 'StoredDigest'],
];

/** Columns that a trigger of SQLite fills. */
const filled = ['ballots.key', 'ballot_options.key'];

interface Column {
  readonly name: string;
  readonly kind: string;
  readonly nullable: boolean | 0 | 1;
}

eachDatabase((open) => {
  test('the types of all tables say what columns hold, and which can be null', async () => {
    const { db } = await open();
    const answer: unknown = await db.raw(
      isSqlite(db)
        ? `select m.name || '.' || c.name as name, lower(c.type) as kind, c."notnull" = 0 and c.pk = 0 as nullable
           from sqlite_schema m join pragma_table_xinfo(m.name) c where m.type = 'table'`
        : `select table_name || '.' || column_name as name, data_type as kind, is_nullable = 'YES' as nullable
           from information_schema.columns where table_schema = current_schema()`,
    );
    const types = typed();
    const columns = (Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows) as Column[];
    // The full-text search and the list of migrations belong to each database.
    const own = columns.filter(
      ({ name, kind }) => !/^(knex|sqlite|search_(index|titles))_?/.test(name) && kind !== 'tsvector',
    );
    const found = own.map(({ name, kind, nullable }): [string, string] => {
      const known = kinds.find(([pattern]) => pattern.test(kind))?.[1] ?? kind;
      const type = known === 'string' ? (texts[name] ?? ofCode.exec(types[name]!)?.[0] ?? known) : known;
      return [name, nullable && !filled.includes(name) ? `${type} | null` : type];
    });
    const stated = Object.entries(types).map(([name, type]) => [
      name,
      isSqlite(db) ? type.replace('StoredDigest', 'Buffer') : type,
    ]);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(found));
  });
});
