import type { Poll } from '#contract/poll.ts';

/** When a ballot can be voted on. Moments are milliseconds since 1970 in UTC. */
export interface Lifespan {
  readonly isActive: boolean;
  readonly startsAt: number;
  /** Null: it stays open until somebody closes it. */
  readonly endsAt: number | null;
  /** Null: nobody has closed it and its end has not been noticed yet. */
  readonly closedAt: number | null;
}

export type Phase = 'upcoming' | 'open' | 'closed';

/**
 * Where a ballot stands at a moment: votes count while starts_at ≤ now < ends_at, active and not closed. One that is to
 * start later has no result to show, even if it is not active; one that somebody closed before its start stays closed.
 */
export function phaseOf(span: Lifespan, now: number): Phase {
  if (span.closedAt !== null || (span.endsAt !== null && now >= span.endsAt)) return 'closed';
  if (now < span.startsAt) return 'upcoming';
  return span.isActive ? 'open' : 'closed';
}

/** The moment at which a ballot closed; null while it is not closed, or where nobody wrote the moment down. */
export function closedMoment(span: Lifespan, now: number): number | null {
  if (span.closedAt !== null) return span.closedAt;
  return span.endsAt !== null && now >= span.endsAt ? span.endsAt : null;
}

/** The lifespan of a poll as the contract shows it (ISO 8601 texts). */
export function lifespanOf(poll: Pick<Poll, 'isActive' | 'startsAt' | 'endsAt' | 'closedAt'>): Lifespan {
  return {
    isActive: poll.isActive,
    startsAt: Date.parse(poll.startsAt),
    endsAt: Date.parse(poll.endsAt),
    closedAt: poll.closedAt === null ? null : Date.parse(poll.closedAt),
  };
}
