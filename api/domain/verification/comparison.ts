import { isWritten } from './paper.ts';

/** The sources of a result besides its log: recorded votes, counters, the API’s answer, and the published page. */
export const resultSources = ['votes', 'counters', 'api', 'page'] as const;
export type ResultSource = (typeof resultSources)[number];

/** Counted votes per option, by option number, votes outside the log included; what is missing can’t be read. */
export type Totals = Readonly<Partial<Record<ResultSource, readonly number[]>>>;

/** An option whose votes a source counts differently from the log. */
export interface Difference {
  readonly source: ResultSource;
  /** Its number. */
  readonly option: number;
  readonly votes: number;
  readonly logged: number;
}

/** The numbers of options whose votes count under another one, with that one’s number. */
export type Merged = ReadonlyMap<number, number>;

/** Where these totals differ from those of the log: the one comparison of the server and of all readers. */
export function differencesFrom(logged: readonly number[], totals: Totals, merged: Merged = new Map()): Difference[] {
  const expected = together(logged, merged);
  return resultSources.flatMap((source) =>
    together(totals[source] ?? [], merged).flatMap((votes, option) => {
      const logged = expected[option] ?? 0;
      return votes === logged ? [] : [{ source, option, votes, logged }];
    }),
  );
}

/** Votes with those of merged options under the ones that they count for. */
function together(votes: readonly number[], merged: Merged): number[] {
  const sums = votes.map((count, option) => (merged.has(option) ? 0 : count));
  for (const [from, into] of merged) if (into < sums.length) sums[into]! += votes[from] ?? 0;
  return sums;
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#34': '"', '#39': "'" };

const unescaped = (text: string): string =>
  text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);

/** The number of votes that a page shows for each of these options, in their order; undefined if it shows no result. */
export function totalsOnPage(html: string, optionIds: readonly string[]): number[] | undefined {
  const shown = new Map<string, number>();
  // What people read, not a value beside it.
  for (const [, id = '', text = ''] of html.matchAll(
    /\sdata-votes-of="([^"]{0,100})"[^>]{0,200}>\s{0,100}([\d,]{1,20})/g,
  ))
    shown.set(unescaped(id), Number(text.replaceAll(',', '')));
  return votesById(shown, optionIds);
}

/** The votes of these options; undefined if one is missing, but for those of written answers, which nobody may see yet. */
export function votesById(shown: ReadonlyMap<string, number>, optionIds: readonly string[]): number[] | undefined {
  const votes = optionIds.flatMap((id) => shown.get(id) ?? (isWritten(id) && shown.size > 0 ? 0 : []));
  return votes.length === optionIds.length ? votes : undefined;
}
