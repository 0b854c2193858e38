/** A period in milliseconds; `to` is not part of it. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Open polls at a time beyond which readers rarely reach the last ones. */
export const manyOpenPolls = 8;

/** The longest time without an open poll that is no gap: a day without a time ends in its last minute. */
const minuteMs = 60_000;

/** Periods without an open poll, and those with more than `most` of them, with the largest number. */
export interface Coverage {
  readonly gaps: readonly Period[];
  readonly overlaps: readonly (Period & { readonly polls: number })[];
}

/** Where a window of time has no open poll or more than `most`, given when polls are open. */
export function coverageOf(open: readonly Period[], window: Period, most = manyOpenPolls): Coverage {
  const steps = open
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => from < to)
    .flatMap(({ from, to }) => [
      { at: from, change: 1 },
      { at: to, change: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const gaps: Period[] = [];
  const overlaps: (Period & { polls: number })[] = [];
  let count = 0;
  let at = window.from;
  const add = (to: number) => {
    if (to === at) return;
    const last = overlaps.at(-1);
    if (count === 0 && to - at > minuteMs) gaps.push({ from: at, to });
    else if (count > most && last?.to === at)
      overlaps[overlaps.length - 1] = { from: last.from, to, polls: Math.max(last.polls, count) };
    else if (count > most) overlaps.push({ from: at, to, polls: count });
    at = to;
  };
  for (const step of steps) {
    add(step.at);
    count += step.change;
  }
  add(window.to);
  return { gaps, overlaps };
}
