import * as limits from '#contract/limits.ts';
import type { ReportCategory } from '#contract/vocabulary.ts';

/** Why something is reported. */
export const reportCategoryTexts = {
  spam: 'Spam or advertising',
  abuse: 'Harassment or hate',
  private: 'Private information about someone',
  illegal: 'Something illegal or dangerous',
  other: 'Something else',
} as const satisfies Record<ReportCategory, string>;

/** The dialog to report a poll, a comment, or the member who created it. */
export const reportTexts = {
  button: 'Report',
  pollButton: 'Report poll',
  reported: 'Reported',
  label: (name: string) => `Report comment by ${name}`,
  title: { poll: 'Report this poll?', comment: 'Report this comment?' },
  text: 'A moderator will look at it and decide. The author won’t know who reported it; you’ll be notified of the decision.',
  textSignedOut: 'A moderator will look at it and decide. The author won’t know that you reported it.',
  email: 'Email address (optional)',
  emailHint: 'Only for questions about this report. It’s deleted once the report is decided.',
  counter: (length: number) => `${length}/${limits.commentLength} characters`,
  category: 'What’s wrong?',
  author: 'Report its author instead',
  reason: 'Reason (optional)',
  confirm: 'Send Report',
  cancel: 'Cancel',
  pending: 'Just a moment...',
  failed: 'We couldn’t send the report. Please try again.',
  thanks: { title: 'Thank you', text: 'A moderator will look at your report.' },
} as const;
