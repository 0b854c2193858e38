import type { Poll } from '#api/polls/polls.contract.ts';

/** When a ballot can be voted on. Times in milliseconds since 1970. */
export interface Lifespan {
  readonly isActive: boolean;
  readonly startsAt: number;
  /** Null: open until it is closed manually. */
  readonly endsAt: number | null;
  /** Null: not closed manually, and not yet by the sweep. */
  readonly closedAt: number | null;
}

export type Phase = 'upcoming' | 'open' | 'closed';

/**
 * The phase of a ballot: votes count while startsAt ≤ now < endsAt, active and not closed. A future start means upcoming,
 * even if inactive; a ballot that was closed before its start stays closed.
 */
export function phaseOf(span: Lifespan, now: number): Phase {
  if (span.closedAt !== null || (span.endsAt !== null && now >= span.endsAt)) return 'closed';
  if (now < span.startsAt) return 'upcoming';
  return span.isActive ? 'open' : 'closed';
}

/** When a ballot closed; null while it is open, or when the time was not recorded. */
export function closedMoment(span: Lifespan, now: number): number | null {
  if (span.closedAt !== null) return span.closedAt;
  return span.endsAt !== null && now >= span.endsAt ? span.endsAt : null;
}

/** The lifespan of a poll of the contract (ISO 8601 texts). */
export function lifespanOf(poll: Pick<Poll, 'isActive' | 'startsAt' | 'endsAt' | 'closedAt'>): Lifespan {
  return {
    isActive: poll.isActive,
    startsAt: Date.parse(poll.startsAt),
    endsAt: Date.parse(poll.endsAt),
    closedAt: poll.closedAt === null ? null : Date.parse(poll.closedAt),
  };
}
