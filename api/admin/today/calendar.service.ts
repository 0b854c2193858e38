import { calendarPolls } from './today.contract.ts';
import type { PollCalendar } from './today.contract.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import { coverageOf } from '#domain/poll-calendar.ts';
import type { Period } from '#domain/poll-calendar.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { localDayOf, monthBounds } from '#domain/time-zone.ts';
import { iso } from '#platform/clock.ts';
import type { TodayContext } from './today.service.ts';
import { draftsOfPeriod, firstPollStart, pollsOfPeriod } from './today.queries.ts';
import type { ScheduledPoll } from './today.queries.ts';

const states = { open: 'open', upcoming: 'scheduled', closed: 'closed' } as const;

/**
 * Weekly polls that are open in a month (`2026-11`) of the site’s time zone, the current one by default, and drafts that are planned
 * for it; with gaps and overlaps, to which drafts don’t count.
 */
export async function calendar(
  { db, clock, config: { timeZone } }: TodayContext,
  month = localDayOf(clock.now(), timeZone).slice(0, 7),
): Promise<PollCalendar> {
  const now = clock.now();
  const { from, to } = monthBounds(month, timeZone);
  const [polls, first] = [await pollsOfPeriod(db, from, to), await firstPollStart(db)];
  const drafts = (await draftsOfPeriod(db, from, to)).map((draft) => ({ ...draft, state: 'draft' as const }));
  const known: Period = { from: Math.max(from, first ?? to), to };
  const { gaps, overlaps } =
    known.from < to ? coverageOf(polls.filter(opens).map(openPeriod), known) : { gaps: [], overlaps: [] };
  return {
    month,
    polls: [
      ...drafts,
      ...polls.slice(0, calendarPolls - drafts.length).map((poll) => ({
        ...{ id: poll.id, question: poll.question, state: states[phaseOf(lifespanOf(poll), now)] },
        ...{ startsAt: iso(poll.starts_at), endsAt: iso(openPeriod(poll).to) },
      })),
    ],
    total: drafts.length + polls.length,
    gaps: gaps.map(present),
    overlaps: overlaps.map((overlap) => ({ ...present(overlap), polls: overlap.polls })),
  };
}

/** Whether people could vote at some time, or will. */
const opens = ({ is_active, closed_at }: ScheduledPoll) => Boolean(is_active) || closed_at !== null;

const openPeriod = ({ starts_at, ends_at, closed_at }: ScheduledPoll): Period => ({
  from: starts_at,
  to: closed_at ?? ends_at,
});

const present = ({ from, to }: Period) => ({ from: iso(from), to: iso(to) });
