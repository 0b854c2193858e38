import type { Database } from '#platform/database.ts';

/** The ids of votes above `after`, up to `through`. */
export interface IdRange {
  readonly after: number;
  readonly through: number;
}

/** Ids that one query searches. */
const searchedAtOnce = 20_000;

/**
 * The next ids of a range in batches, in each of which a query finds at most `most` votes, and whether it finds none; reads
 * them once, and no more votes than `limit`.
 */
export async function nextRanges(
  { after, through }: IdRange,
  most: number,
  find: (ids: IdRange) => ReturnType<typeof votesWithin>,
  limit = searchedAtOnce,
): Promise<readonly (IdRange & { readonly isEmpty: boolean })[]> {
  const searched = Math.min(through, after + searchedAtOnce);
  const ids = await find({ after, through: searched }).orderBy('id').limit(limit).pluck('id');
  const last = ids.length < limit ? searched : ids.at(-1)!;
  const ends = ids.filter((_, place) => (place + 1) % most === 0);
  if (ends.at(-1) !== last) ends.push(last);
  return ends.map((end, place) => ({
    ...{ after: ends[place - 1] ?? after, through: end, isEmpty: place * most >= ids.length },
  }));
}

/** The first of {@link nextRanges}; reads only its votes. */
export async function nextRange(...[range, most, find]: Parameters<typeof nextRanges>) {
  return (await nextRanges(range, most, find, most))[0]!;
}

/** A query for the votes with these ids. */
export function votesWithin(db: Database, { after, through }: IdRange) {
  return db('votes').where('id', '>', after).where('id', '<=', through);
}
