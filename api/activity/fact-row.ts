import type { FactEvent } from '#domain/badges/facts.ts';
import { dayOf } from '#domain/badges/calendar.ts';

/** A fact as it is kept; unique by user, fact and subject. Moments in milliseconds. */
export interface FactRow {
  readonly user_id: string;
  readonly fact: string;
  readonly subject: string;
  readonly at: number;
  /** Of a fact that is a total, else null. */
  readonly amount: number | null;
  /** JSON of what else the fact has. */
  readonly details: string;
}

/** A badge that was earned is kept in `badges`, and nowhere else. */
export type KeptFact = Exclude<FactEvent, { fact: 'badge_earned' }>;

/** A fact about a member, ready to be kept. */
export function rowOf(userId: string, event: KeptFact): FactRow {
  const { fact, at, ...details } = event;
  return {
    user_id: userId,
    fact,
    subject: subjectOf(event),
    at,
    amount: amountOf(event),
    details: JSON.stringify(details),
  };
}

/** The fact in a row. */
export function eventOf({ fact, at, details }: Pick<FactRow, 'fact' | 'at' | 'details'>): KeptFact {
  const { membersBefore, ...rest } = JSON.parse(details) as { membersBefore?: number };
  // A process of the previous release writes the number of members before a sign-up; the first hundred were early.
  const early = membersBefore === undefined ? {} : { early: membersBefore < 100 };
  return { ...rest, ...early, fact, at } as KeptFact;
}

/** What makes two facts of one kind two. */
function subjectOf(event: KeptFact): string {
  switch (event.fact) {
    case 'account_created':
      return '';
    case 'day_active':
      return String(dayOf(event.at));
    case 'vote_cast':
      return event.ballotId;
    case 'comment_posted':
      return event.commentId;
    case 'invite_accepted':
      return `${event.pollId}/${event.guestId}`;
    default:
      return event.pollId;
  }
}

function amountOf(event: KeptFact): number | null {
  if (event.fact === 'own_poll_voted') return event.votes;
  return event.fact === 'own_poll_commented' ? event.comments : null;
}
