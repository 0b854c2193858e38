import type { TodayItem, TodayKind } from '#api/admin/today/today.contract.ts';
import type { OperatorPermission } from '#contract/vocabulary.ts';
import { permissionTexts } from './operators.ts';

const number = (value: number) => value.toLocaleString('en-US');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

type Item = Pick<TodayItem, 'count' | 'poll'>;

/** What needs a decision: one sentence each. */
const itemTexts = {
  disk: () => 'The server is running out of disk space.',
  'results-differ': ({ count }) => `${some(count, 'result doesn’t match its log', 'results don’t match their logs')}.`,
  'vote-log': ({ count }) => `The vote log has ${some(count, 'problem', 'problems')}.`,
  witnesses: ({ count }) => `${some(count, 'witness has', 'witnesses have')} not cosigned the vote log for a day.`,
  'no-open-poll': () => 'No weekly poll is open.',
  'votes-held': ({ count }) => `${some(count, 'group of votes is', 'groups of votes are')} held until you decide.`,
  'decisions-unfinished': ({ count }) =>
    `${some(count, 'decision', 'decisions')} about votes ${count === 1 ? 'is' : 'are'} unfinished.`,
  reports: ({ count }) => `${some(count, 'report waits', 'reports wait')} for a decision.`,
  appeals: ({ count }) => `${some(count, 'appeal waits', 'appeals wait')} for an answer.`,
  flags: ({ count }) => `${some(count, 'poll has', 'polls have')} votes that look automated.`,
  'publish-failed': ({ count }) =>
    count === 1 ? 'The last publish failed.' : `The last ${number(count)} publishes failed.`,
  'publish-paused': ({ count }) =>
    count === 0 ? 'Publishing is paused.' : `Publishing is paused, and ${some(count, 'change waits', 'changes wait')}.`,
  'mail-failed': ({ count }) => `The mail server has not accepted ${some(count, 'mail', 'mails')} yet.`,
  'webhooks-paused': ({ count }) =>
    `${some(count, 'webhook was', 'webhooks were')} paused after five days of failures.`,
  'imports-unfinished': () => 'An import, or undoing one, ended halfway.',
  backup: () => 'There is no recent backup.',
  'poll-gap': ({ count }) =>
    count === 1
      ? 'At one time this week, no weekly poll will be open.'
      : `At ${number(count)} times this week, no weekly poll will be open.`,
  'polls-ending': ({ count, poll }) =>
    count === 1 && poll !== null ? `“${poll.question}” ends today.` : `${number(count)} weekly polls end today.`,
} as const satisfies Record<TodayKind, (item: Item) => string>;

/** The first admin page. */
export const todayTexts = {
  heading: 'Needs a decision',
  text: 'What waits for a decision, most urgent first. Each line leads to the page where you decide, or says who does.',
  decidedBy: (permission: OperatorPermission) => `For ${permissionTexts[permission]}`,
  list: 'What needs a decision, most urgent first',
  item: (item: Pick<TodayItem, 'kind' | 'count' | 'poll'>): string => itemTexts[item.kind](item),
  levels: { urgent: 'Urgent', open: null, note: 'Today' } as const satisfies Record<TodayItem['level'], string | null>,
  none: 'Nothing needs a decision right now.',
  polls: (open: number, scheduled: number) =>
    `${some(open, 'weekly poll is', 'weekly polls are')} open; ${scheduled === 0 ? 'no others' : `${number(scheduled)} more`} will open within a week.`,
  /** Before a time; what it is depends on the kind. */
  since: { 'no-open-poll': 'The last one closed', 'publish-paused': 'Paused', backup: 'Last backup:' } as Partial<
    Record<TodayKind, string>
  >,
  oldest: 'Oldest:',
  due: {
    'votes-held': 'Counted after all unless you decide before',
    'no-open-poll': 'The next one opens',
    'poll-gap': 'The first time begins',
  } as Partial<Record<TodayKind, string>>,
  first: 'The first one:',
  noBackup: 'No backup has been made with npm run backup.',
  actionName: (item: Pick<TodayItem, 'kind' | 'count' | 'poll'>): string =>
    `${todayTexts.actions[item.kind]}: ${itemTexts[item.kind](item)}`,
  actions: {
    disk: 'Publishing',
    'results-differ': 'Flagged votes',
    'vote-log': 'Flagged votes',
    witnesses: 'Flagged votes',
    'no-open-poll': 'Calendar',
    'votes-held': 'Decide',
    'decisions-unfinished': 'Flagged votes',
    reports: 'Decide',
    appeals: 'Answer',
    flags: 'Look',
    'publish-failed': 'Publishing',
    'publish-paused': 'Publishing',
    'mail-failed': 'Setup',
    'webhooks-paused': 'Settings',
    'imports-unfinished': 'Imports',
    backup: 'Setup',
    'poll-gap': 'Calendar',
    'polls-ending': 'Polls',
  } as const satisfies Record<TodayKind, string>,
} as const;
