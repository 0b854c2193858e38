import * as limits from '#contract/limits.ts';
import type { Poll } from '#api/polls/polls.contract.ts';

/** A visitor’s progress through today’s polls. */
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

const dayMs = 86_400_000;

/**
 * The open polls in the order in which to answer them at the moment `now`: unanswered before answered; those that close
 * within two days first, by closing time; then by votes per day.
 */
export function byWorthAnswering<T extends Pick<Poll, 'id' | 'hasVoted' | 'startsAt' | 'endsAt' | 'totalVotes'>>(
  polls: readonly T[],
  now: number,
): T[] {
  const closing = ({ endsAt }: T) => {
    const end = Date.parse(endsAt);
    return end - now <= limits.closingSoonMs ? end : Infinity;
  };
  const votesPerDay = ({ totalVotes, startsAt }: T) => totalVotes / Math.max(1, (now - Date.parse(startsAt)) / dayMs);
  const ranked = polls.map((poll) => ({ poll, end: closing(poll), lively: votesPerDay(poll) }));
  return ranked
    .sort(
      (a, b) =>
        Number(a.poll.hasVoted) - Number(b.poll.hasVoted) ||
        compare(a.end, b.end) ||
        compare(b.lively, a.lively) ||
        compare(b.poll.startsAt, a.poll.startsAt) ||
        compare(a.poll.id, b.poll.id),
    )
    .map(({ poll }) => poll);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The polls in the order of these ids, others after them in their own order, so that nothing moves on an open page. */
export function inOrderOf<T extends { readonly id: string }>(ids: readonly string[], polls: readonly T[]): T[] {
  const place = ({ id }: T) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return polls.toSorted((a, b) => place(a) - place(b));
}
