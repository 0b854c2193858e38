/** Votes of one poll by minute (minutes since 1970). */
export type VotesByMinute = ReadonlyMap<number, number>;

/** A few minutes in which a poll got far more votes than usual. */
export interface VoteBurst {
  /** Its first minute. */
  readonly minute: number;
  readonly votes: number;
  /** Average votes of the same number of other minutes. Null: the poll was hardly open outside the burst. */
  readonly usual: number | null;
}

/** What counts as a burst. */
interface BurstRule {
  /** Length of a burst. */
  readonly minutes: number;
  /** Least votes of a burst: a school class behind one address must not look like an attack. */
  readonly votes: number;
  /** Least ratio to the usual votes. */
  readonly times: number;
}

/**
 * The busiest minutes of a poll between `from` and `to` (inclusive) if they stand out from the others, or null. A poll that
 * is equally busy all the time has no burst.
 */
export function voteBurst(
  votes: VotesByMinute,
  { from, to }: { readonly from: number; readonly to: number },
  rule: BurstRule,
): VoteBurst | null {
  const minutes = [...votes.keys()].filter((minute) => minute >= from && minute <= to).sort((a, b) => a - b);
  let total = 0;
  let inWindow = 0;
  let first = 0;
  let best = { minute: 0, votes: 0 };
  for (const minute of minutes) {
    const here = votes.get(minute) ?? 0;
    total += here;
    inWindow += here;
    for (; minutes[first]! <= minute - rule.minutes; first += 1) inWindow -= votes.get(minutes[first]!) ?? 0;
    if (inWindow > best.votes) best = { minute: minutes[first]!, votes: inWindow };
  }
  const others = to - from + 1 - rule.minutes;
  const usual = others < rule.minutes ? null : ((total - best.votes) * rule.minutes) / others;
  const standsOut = best.votes >= rule.votes && best.votes >= rule.times * (usual ?? 0);
  return standsOut ? { ...best, usual } : null;
}
