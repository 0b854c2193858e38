/** Iterations of one try: about a millisecond on a desktop computer, in every browser and in native code alike. */
export const challengeCost = 5_000;

/** Tries that a challenge takes at most; half of them on average. 200 are under a second on a cheap phone. */
const fewestTries = 200;

/** Votes of one subnet in an hour that share the lowest difficulty: a class of forty. The difficulty grows with each as many more. */
const easyVotes = 40;
/** Times the lowest difficulty that a challenge is at most: half a minute on a cheap phone. */
const hardest = 32;

/** How long a solution is accepted, in milliseconds. */
export const challengeMs = 5 * 60_000;

/** Tries that a challenge takes at most, by the recent votes on the poll from the voter’s subnet. */
export function challengeTries(nearby: number): number {
  return fewestTries * Math.min(hardest, Math.max(1, Math.ceil(nearby / easyVotes)));
}

/** Whether a challenge issued with these tries is still hard enough: the network may have cast a few votes since. */
export const isHardEnough = (tries: number, nearby: number): boolean => tries * 2 >= challengeTries(nearby);
