/**
 * The limits that recorded votes are counted against, in the order in which a vote meets them: what is refused for its own
 * address uses up nothing of its neighbors'.
 */
export const recordedVoteLimits = ['vote', 'pollVotes', 'pollVotesNearby'] as const;

/** A counter in the database of one limit in one window, shared by all processes (handbook decision 121). */
export interface VoteCounter {
  readonly limit: (typeof recordedVoteLimits)[number] | 'rejectedVotes';
  /** Keyed digest of the limit, of whom it is for, and of its window. */
  readonly key: string;
  readonly points: number;
  /** When the window ends, in milliseconds. */
  readonly resetsAt: number;
}
