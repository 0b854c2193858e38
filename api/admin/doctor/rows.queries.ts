import { isSqlite } from '#platform/database.ts';
import type { Database, Query } from '#platform/database.ts';
import type { Reference } from './schema.queries.ts';

/** The number of invalid rows, with examples. */
export interface WrongRows {
  readonly count: number;
  readonly examples: readonly string[];
}

/** The number of examples. */
const named = 3;

/** Rows whose foreign key has no matching row. */
export async function orphansOf(
  db: Database,
  { child, columns, parent, parentColumns }: Reference,
): Promise<WrongRows> {
  const query = db({ c: child }).whereNotExists(
    db({ p: parent })
      .select(db.raw('1'))
      .whereRaw(
        columns.map(() => '?? = ??').join(' and '),
        columns.flatMap((column, place) => [`p.${parentColumns[place] ?? ''}`, `c.${column}`]),
      ),
  );
  for (const column of columns) query.whereNotNull(`c.${column}`);
  const { count } = await query.clone().count({ count: '*' }).first<{ count: number | string }>();
  if (Number(count) === 0) return { count: 0, examples: [] };
  const rows = await query
    .clone()
    .limit(named)
    .select<Record<string, string>[]>(columns.map((column) => `c.${column}`));
  return { count: Number(count), examples: rows.map((row) => Object.values(row).join('/')) };
}

/** Related rows that no foreign key covers. */
export const consistencyChecks = {
  pollWithoutTexts: (db) =>
    db({ b: 'ballots' })
      .leftJoin({ p: 'polls' }, 'p.id', 'b.id')
      .leftJoin({ c: 'community_polls' }, 'c.id', 'b.id')
      .whereNull('p.id')
      .whereNull('c.id'),
  wrongKind: (db) =>
    db({ b: 'ballots' })
      .leftJoin({ p: 'polls' }, 'p.id', 'b.id')
      .leftJoin({ c: 'community_polls' }, 'c.id', 'b.id')
      .whereRaw("(p.id is not null and b.kind <> 'poll') or (c.id is not null and b.kind <> 'community')"),
  copiedCategory: (db) =>
    db({ b: 'ballots' })
      .join({ c: 'community_polls' }, 'c.id', 'b.id')
      .whereRaw("coalesce(c.category, '') <> coalesce(b.category, '')"),
  listedWrongly: (db) =>
    db({ b: 'ballots' })
      .join({ c: 'community_polls' }, 'c.id', 'b.id')
      .whereRaw("b.listed <> (c.visibility = 'public')"),
} satisfies Record<string, (db: Database) => Query>;

/** The ballots found by one check of {@link consistencyChecks}. */
export async function inconsistentRows(db: Database, what: keyof typeof consistencyChecks): Promise<WrongRows> {
  const found = consistencyChecks[what](db);
  const { count } = await found.clone().count({ count: '*' }).first<{ count: number | string }>();
  return { count: Number(count), examples: await found.clone().orderBy('b.id').limit(named).pluck<string[]>('b.id') };
}

/** Ballots that are still open although they ended before `before`. */
export async function overdueBallots(db: Database, before: number): Promise<WrongRows> {
  const found = db('ballots').whereNull('closed_at').where('ends_at', '<', before);
  const { count } = await found.clone().count({ count: '*' }).first<{ count: number | string }>();
  return { count: Number(count), examples: await found.clone().orderBy('ends_at').limit(named).pluck('id') };
}

/** Polls that were closed before their start: imports of earlier releases stored inactive scheduled polls this way. */
export async function closedBeforeStart(db: Database, now: number): Promise<WrongRows> {
  const found = db('ballots').where({ kind: 'poll' }).where('starts_at', '>', now).whereNotNull('closed_at');
  const { count } = await found.clone().count({ count: '*' }).first<{ count: number | string }>();
  return { count: Number(count), examples: await found.clone().orderBy('id').limit(named).pluck('id') };
}

/** The latest time of any event in the database; null if there is none. */
export async function latestMoment(db: Database): Promise<number | null> {
  const known: number[] = [];
  for (const [table, column, newestFirst] of moments) {
    const row = await db(table).orderBy(newestFirst, 'desc').first<Record<string, number> | undefined>(column);
    if (row?.[column] !== undefined) known.push(row[column]);
  }
  return known.length === 0 ? null : Math.max(...known);
}

/** Tables with times, and a column that grows with them: the id where the time has no index. */
const moments = [
  ['votes', 'created_at', 'id'],
  ['users', 'created_at', 'created_at'],
  ['comments', 'created_at', 'created_at'],
  ['events', 'at', 'id'],
] as const;

/** The database server’s time in milliseconds since 1970; null if it is this machine’s. */
export async function databaseClock(db: Database): Promise<number | null> {
  if (isSqlite(db)) return null;
  const { rows } = await db.raw<{ rows: { now: string }[] }>(
    'select extract(epoch from clock_timestamp()) * 1000 as now',
  );
  return Number(rows[0]?.now);
}
