import type { Poll } from '#contract/poll.ts';

/** How far a visitor is with today’s polls. */
interface Progress {
  readonly answered: number;
  /** Id of the next unanswered poll in the list, starting after `pollId` and continuing at the beginning; null if none. */
  readonly next: string | null;
}

/** How many of these polls are answered, and which one to answer after the poll `pollId`. */
export function progressOf(polls: readonly Pick<Poll, 'id' | 'hasVoted' | 'isActive'>[], pollId: string): Progress {
  const place = polls.findIndex(({ id }) => id === pollId);
  const following = [...polls.slice(place + 1), ...polls.slice(0, place + 1)];
  return {
    answered: polls.filter(({ hasVoted }) => hasVoted).length,
    next: following.find(({ id, hasVoted, isActive }) => isActive && !hasVoted && id !== pollId)?.id ?? null,
  };
}
