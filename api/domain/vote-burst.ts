/** Votes of one poll in each minute of the time that was looked at, by the minute's number since 1970. */
export type VotesByMinute = ReadonlyMap<number, number>;

/** A few minutes in which a poll got far more votes than otherwise. */
export interface VoteBurst {
  /** First minute of it. */
  readonly minute: number;
  readonly votes: number;
  /** Votes that as many minutes had otherwise, on average. Null: the poll has hardly been open otherwise. */
  readonly usual: number | null;
}

/** What counts as a burst, and where it is looked for. */
export interface BurstRule {
  /** How long a burst is. */
  readonly minutes: number;
  /** Fewer votes are none: a school class behind one address must not look like an attack. */
  readonly votes: number;
  /** As many times the usual. */
  readonly times: number;
}

/**
 * The fullest minutes of a poll if they stand out from the others between `from` and `to` (numbers of minutes, `to`
 * included), or null. A poll that is as busy all the time has no burst, however busy it is.
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
