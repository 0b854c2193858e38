import type { ModerationEntry } from '#api/moderation/moderation.contract.ts';
import type { ReportedKind } from '#contract/vocabulary.ts';

/** Messages of the API about moderation, and reasons that nobody wrote. */
export const moderationApiTexts = {
  notApplicable: 'This can’t be done to what was selected.',
  noAppeal: 'You have already appealed this decision, or it can’t be appealed.',
  decidedAlready: 'This appeal has already been decided.',
  timeIsUp: 'This suspension has already ended.',
} as const;

const nouns = { comment: 'comment', poll: 'poll', member: 'account' } as const satisfies Record<ReportedKind, string>;

type Decided = Pick<ModerationEntry, 'action' | 'kind' | 'granted'>;

/** What a decision means for the member whom it is about, as a sentence without its end; `question`: “…” or ''. */
export function decisionText({ action, kind, granted }: Decided, question = ''): string {
  if (granted !== null) return granted ? 'Your appeal was granted' : 'Your appeal was refused';
  const yours = `Your ${nouns[kind]}${question === '' ? '' : kind === 'comment' ? ` on ${question}` : ` ${question}`}`;
  switch (action) {
    case 'hide':
      return kind === 'poll' ? `${yours} was taken down` : `${yours} was hidden by a moderator`;
    case 'delete':
      return kind === 'poll' ? `${yours} was deleted` : `${yours} was removed`;
    case 'show':
      return `${yours} is shown again`;
    case 'close':
      return `${yours} was closed by a moderator`;
    case 'suspend':
      return 'Your account is suspended';
    case 'lift':
      return 'Your account is no longer suspended';
    case 'dismiss':
      return `${yours} stays as it is`;
  }
}

/** What became of a report, for the member who made it. */
export function reportOutcomeText({ action, kind }: Decided): string {
  const reported = kind === 'member' ? 'a member' : `a ${nouns[kind]}`;
  return action === 'dismiss' || action === 'show' || action === 'lift'
    ? `We reviewed your report of ${reported} and took no action`
    : `We acted on your report of ${reported}`;
}

/** In place of forms that suspended members can’t use. */
export const suspendedFormTexts = {
  text: 'You can’t do this while your account is suspended.',
  path: '/profile/moderation',
  why: 'Why, and how to appeal',
} as const;

/** The page with decisions about a member, and appeals. */
export const decisionsTexts = {
  path: suspendedFormTexts.path,
  pageTitle: 'Moderator Decisions',
  description: 'What moderators decided about your account, polls, and comments, and your appeals.',
  loading: 'Loading decisions',
  failedTitle: 'We couldn’t load the decisions',
  emptyTitle: 'No decisions',
  emptyText: 'Moderators haven’t made any decisions about your account, polls, or comments.',
  emptyAction: 'Go to your profile',
  suspended: (until: string | null) =>
    until === null ? 'Your account is suspended permanently.' : `Your account is suspended until ${until}.`,
  suspendedNow: 'Your account is suspended.',
  suspendedText:
    'You can’t vote, comment, create polls, or upload a picture, and your polls and comments are hidden. You can still appeal, and download your data or delete your account on the account page.',
  see: 'See the decision',
  account: 'Account page',
  list: 'Decisions, newest first',
  about: (label: string) => `“${label}”`,
  reason: (reason: string) => `Reason: ${reason}`,
  until: (day: string) => `until ${day}`,
  ended: (day: string) => `reversed on ${day}`,
  appeal: 'Appeal',
  appealLabel: 'Why should this be decided differently?',
  appealHint: 'You can appeal a decision once. A moderator reads what you write.',
  send: 'Send Appeal',
  sending: 'Sending...',
  noText: 'Please explain why.',
  failed: 'We couldn’t send your appeal. Please try again.',
  yours: (text: string) => `Your appeal: ${text}`,
  waiting: 'Your appeal is being reviewed.',
  granted: (reason: string) => `Your appeal was granted: ${reason}`,
  refused: (reason: string) => `Your appeal was refused: ${reason}`,
} as const;
