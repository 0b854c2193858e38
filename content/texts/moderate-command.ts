import * as limits from '#contract/limits.ts';
import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Output of `npm run operate -- moderate`. */
export const moderateTexts = {
  usage: `Lists what members reported, and decides about comments, community polls, and members.

  npm run operate -- moderate reported                                list what is waiting for a decision, newest report first
  npm run operate -- moderate ACTION KIND ID... --reason "WHY"        decide about one or more of a kind
  npm run operate -- moderate suspend member NAME... --reason "WHY" --days 7
  npm run operate -- moderate --help                                  show this help

  ACTION       for KIND              effect
  hide         comment, poll         nobody but the creator of a poll sees it anywhere
  show         comment, poll         takes hide back
  delete       comment, poll         for good, with the votes and comments of a poll
  close        poll                  ends the voting
  suspend      member                hides everything by the member, who can't take part; without --days, for good
  lift         member                ends a suspension, and shows what it hid
  dismiss      comment, poll, member leaves what was reported as it is

Members are given by username. The reason is required; the members concerned read it, and the audit log keeps it. The exit
code is 0 on success, 1 if something does not exist, and 2 if the command line is invalid.`,
  noVerb: 'Missing command: use reported, or ACTION KIND ID... --reason "WHY" (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb} (see --help).`,
  noWords: 'reported takes no arguments.',
  unknownKind: (action: ModerationAction, kinds: readonly string[]) =>
    `Name what to decide about: npm run operate -- moderate ${action} ${kinds.join('|')} ID... --reason "WHY"`,
  noId: (action: ModerationAction, kind: ReportedKind) =>
    `Missing id: npm run operate -- moderate ${action} ${kind} ID... --reason "WHY" (npm run operate -- moderate reported lists them).`,
  noReason: 'Missing reason: add --reason "WHY". The members concerned read it, and the audit log keeps it.',
  badDays: '--days takes a whole number from 1 to 365, and only with suspend.',
  missing: (kind: ReportedKind, id: string) => `There is no ${kind} ${id}. Nothing about it was changed.`,
  changed: (action: ModerationAction, kind: ReportedKind, id: string) => `${action}: ${kind} ${id}`,
  unchanged: (kind: ReportedKind, id: string) => `${kind} ${id} already was like that.`,
  none: 'No reports are waiting for a decision.',
  title: (count: number) =>
    count === 1
      ? 'One entry is waiting for a decision.'
      : `${count > limits.reportsShown ? `More than ${number(limits.reportsShown)}` : number(count)} entries are waiting for a decision, newest report first.`,
  more: '…and more with older reports.',
  heads: {
    kind: 'kind',
    id: 'id',
    state: 'state',
    reports: 'reports',
    reportedAt: 'last report (UTC)',
    author: 'author',
    title: 'poll or name',
  },
  states: { hidden: 'hidden', shown: 'shown' },
  nobody: '–',
  text: 'text',
  reasons: 'reasons',
} as const;
