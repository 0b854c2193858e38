import type { PollCalendar } from '#api/admin/today/today.contract.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Openings and closings of weekly polls by month. */
export const calendarTexts = {
  intro: 'When weekly polls open and close, where none is open, and where more are open than readers look at.',
  previous: 'Previous month',
  next: 'Next month',
  current: 'This month',
  months: 'Months',
  weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  days: (month: string) => `Days of ${month}`,
  opens: 'Opens',
  closes: 'Closes',
  event: (what: string, time: string, question: string) => `${what} ${time}: ${question}`,
  none: 'No weekly poll opens or closes in this month.',
  throughout: 'Open all month',
  create: 'New poll',
  createFrom: (day: string) => `New poll for the next free weekly slot from ${day} on`,
  gap: 'No open poll',
  gaps: 'No weekly poll is open:',
  overlap: (polls: number) => `${number(polls)} open`,
  overlaps: 'More polls are open than readers look at:',
  period: (from: string, to: string) => `${from} – ${to}`,
  covered: 'A weekly poll is open at all times of this month.',
  more: (shown: number, total: number) => `Only the first ${number(shown)} of ${number(total)} polls are shown.`,
  today: 'Today',
  states: { open: null, scheduled: 'Scheduled', draft: 'Draft', closed: null } as const satisfies Record<
    PollCalendar['polls'][number]['state'],
    string | null
  >,
} as const;
