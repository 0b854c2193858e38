import type { Database } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';
import { inPortions } from './portions.ts';
import type { FactRow } from './fact-row.ts';

/** Events or votes that one transaction counts toward badges. */
export const factsPerTransaction = 500;
/** Events that a recount of a whole history reads at once. */
export const recountedFacts = 1_000;

/** A fact in the database. */
export interface StoredFact extends FactRow {
  readonly id: number;
}

const columns = ['id', 'user_id', 'fact', 'subject', 'at', 'amount', 'details'] as const;

/** Keeps facts that are no totals; what is there already stays as it is. */
export async function addFacts(db: Database, rows: readonly FactRow[]): Promise<void> {
  for (const some of inPortions(rows))
    await db('facts').insert(some).onConflict(['user_id', 'fact', 'subject']).ignore();
}

/** Keeps totals: one that is there grows, and is to be counted again, or stays. */
export async function raiseTotals(db: Database, rows: readonly FactRow[]): Promise<void> {
  // In one order everywhere, so that two who raise the same totals do not wait for each other in a circle.
  const sorted = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  for (const row of sorted)
    await db('facts')
      .insert(row)
      .onConflict(['user_id', 'fact', 'subject'])
      .merge({ at: row.at, amount: row.amount, details: row.details, counted: false })
      .where('facts.amount', '<', row.amount);
}

/** The oldest facts of some members that are not part of their progress yet. */
export async function uncountedFacts(trx: Database, userIds: readonly string[]): Promise<StoredFact[]> {
  return trx('facts')
    .whereIn('user_id', userIds)
    .whereRaw('not counted')
    .orderBy(['at', 'id'])
    .limit(factsPerTransaction)
    .select<StoredFact[]>(...columns);
}

/** Notes that facts are part of the progress. A total that has grown since it was read is not. */
export async function markCounted(trx: Database, facts: readonly StoredFact[]): Promise<void> {
  const ids = facts.filter(({ amount }) => amount === null).map(({ id }) => id);
  if (ids.length > 0) await trx('facts').whereIn('id', ids).update({ counted: true });
  const totals = facts.filter(({ amount }) => amount !== null);
  for (const { id, amount } of totals.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
    await trx('facts').where({ id, amount }).update({ counted: true });
}

/** Where a page of a whole history begins: behind this fact. */
export interface Place {
  readonly at: number;
  readonly id: number;
}

/** Facts of a member that are part of the progress, in order of time. */
export async function countedFacts(db: Database, userId: string, after: Place | null): Promise<StoredFact[]> {
  const page = db('facts').where({ user_id: userId, counted: true });
  if (after !== null) void page.whereRaw('(at, id) > (?, ?)', [after.at, after.id]);
  return page
    .orderBy(['at', 'id'])
    .limit(recountedFacts)
    .select<StoredFact[]>(...columns);
}

/** Every fact about a member, in order of time. */
export async function allFacts(db: Database, userId: string): Promise<StoredFact[]> {
  return db('facts')
    .where({ user_id: userId })
    .orderBy(['at', 'id'])
    .select<StoredFact[]>(...columns);
}

/** When the first account was made that a person signs in to; there is one. */
export async function firstAccountAt(trx: Database): Promise<number> {
  const first = await trx('users').whereNot({ password: dummyHash }).min({ at: 'created_at' }).first<{ at: number }>();
  return first.at;
}

const placeOf = ({ user_id, fact, subject }: FactRow) => `${user_id} ${fact} ${subject}`;
