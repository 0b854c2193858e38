import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';

const number = (value: number) => value.toLocaleString('en-US');
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

/** Reports and appeals on the admin page. */
export const queueTexts = {
  heading: 'Reports and appeals',
  text: 'Polls, comments, and members that were reported. Select some, choose what to do, and give a reason: the members concerned read it. Everything is recorded in the log below.',
  none: 'Nothing is waiting for a decision.',
  noneHandled: 'No reports have been handled.',
  state: 'Reports',
  states: { open: 'Waiting', handled: 'Handled' },
  list: 'Reported, newest report first',
  found: (total: number, shown: number) =>
    total > shown
      ? `More than ${number(shown)} entries; the newest ${number(shown)} are listed here`
      : plural(total, 'entry', 'entries'),
  kinds: { comment: 'Comment', poll: 'Poll', member: 'Member' } as const satisfies Record<ReportedKind, string>,
  select: (kind: ReportedKind, title: string) => `Select: ${queueTexts.kinds[kind].toLowerCase()} ${title}`,
  selectAll: 'Select all on this page',
  on: 'on',
  by: (name: string) => `by ${name}`,
  formerMember: 'by a former member',
  hidden: 'Hidden',
  suspended: 'Suspended',
  reported: (count: number) => plural(count, 'report', 'reports'),
  reason: (category: string, reason: string | null) => (reason === null ? category : `${category}: ${reason}`),
  anonymous: 'without an account',
  action: 'Action',
  actions: {
    hide: 'Hide',
    show: 'Show again',
    delete: 'Delete for good',
    close: 'Close the poll',
    suspend: 'Suspend the member',
    lift: 'End the suspension',
    dismiss: 'Leave as it is',
  } as const satisfies Record<ModerationAction, string>,
  days: 'For how long',
  forGood: 'For good',
  dayCounts: (days: number) => plural(days, 'day', 'days'),
  scope: 'Applies to',
  scopes: {
    each: 'What is selected',
    member: 'Everything by the same members',
    network: 'Everything by the same members and networks',
  },
  memberScopes: { each: 'This member', network: 'This member and all who used the same networks' },
  scopeHint: 'Networks are known for what was created within the same week in the last 30 days.',
  reasonLabel: 'Reason, sent to the members concerned',
  memberReasonLabel: 'Reason, sent to the member',
  cancel: 'Cancel',
  noReason: 'Please give a reason.',
  noSelection: 'Please select something first.',
  confirm: (count: number) => (count === 0 ? 'Decide' : `Decide about ${plural(count, 'entry', 'entries')}`),
  check: 'How much is that?',
  scopeCounts: (name: string, { members, polls, comments }: { members: number; polls: number; comments: number }) =>
    `${name}: ${plural(members, 'member', 'members')}, ${plural(polls, 'poll', 'polls')}, ${plural(comments, 'comment', 'comments')} still shown`,
  sameMember: 'Same members',
  sameNetwork: 'Same networks',
  done: ({ changed, unchanged, missing }: { changed: number; unchanged: number; missing: number }) => ({
    title: `${plural(changed, 'change', 'changes')} made`,
    text: [
      ...(unchanged > 0 ? [`${number(unchanged)} already were like that.`] : []),
      ...(missing > 0 ? [`${number(missing)} no longer exist.`] : []),
    ].join(' '),
  }),
  appeals: 'Appeals',
  appealOf: (member: string | null) => (member === null ? 'A former member appeals' : `${member} appeals`),
  appealReason: 'Answer, sent to the member',
  grant: 'Grant',
  refuse: 'Refuse',
  appealDone: (granted: boolean) => ({
    title: granted ? 'Appeal granted' : 'Appeal refused',
    text: 'The member is told, with your answer.',
  }),
  grantName: (label: string) => `Grant: appeal about ${label}`,
  refuseName: (label: string) => `Refuse: appeal about ${label}`,
  log: 'Log of decisions',
  logEmpty: 'No decisions have been recorded.',
  actors: { operator: 'with the shared password', terminal: 'in a terminal', system: 'automatically' } as Readonly<
    Record<string, string>
  >,
  pages: 'Pages of reports',
  logPages: 'Pages of the log',
} as const;
