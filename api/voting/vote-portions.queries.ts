import type { Database } from '#platform/database.ts';

/** The ids of votes above `after`, up to `through`. */
export interface IdRange {
  readonly after: number;
  readonly through: number;
}

/** Ids that one query searches. */
const searchedAtOnce = 20_000;

/** The next ids of a range, among which a query finds at most `most` votes, and whether it finds none. */
export async function nextPortion(
  { after, through }: IdRange,
  most: number,
  find: (ids: IdRange) => ReturnType<typeof votesWithin>,
): Promise<IdRange & { readonly isEmpty: boolean }> {
  const searched = Math.min(through, after + searchedAtOnce);
  const ids = (await find({ after, through: searched }).orderBy('id').limit(most).pluck('id')) as number[];
  return { after, through: ids.length < most ? searched : ids.at(-1)!, isEmpty: ids.length === 0 };
}

/** The next ids of a range in portions, in each of which a query finds at most `most` votes; reads them once. */
export async function nextPortions(
  { after, through }: IdRange,
  most: number,
  find: (ids: IdRange) => ReturnType<typeof votesWithin>,
): Promise<readonly (IdRange & { readonly isEmpty: boolean })[]> {
  const searched = Math.min(through, after + searchedAtOnce);
  const ids = await find({ after, through: searched }).orderBy('id').pluck<number[]>('id');
  const ends = ids.filter((_, place) => (place + 1) % most === 0);
  if (ends.at(-1) !== searched) ends.push(searched);
  return ends.map((end, place) => ({
    ...{ after: ends[place - 1] ?? after, through: end, isEmpty: place * most >= ids.length },
  }));
}

/** A query for the votes with these ids. */
export function votesWithin(db: Database, { after, through }: IdRange) {
  return db('votes').where('id', '>', after).where('id', '<=', through);
}
