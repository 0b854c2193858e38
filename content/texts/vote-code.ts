import { mailedCodeMinutes } from '#contract/limits.ts';

/** Confirming an address for a vote, in the dialog of the ballot and on pages without JavaScript. */
export const voteCodeTexts = {
  title: 'Confirm your email address',
  addressText: 'A vote on this poll needs a confirmed email address. We’ll send a code to it.',
  email: 'Email address',
  emailHint: 'It’s used for one vote on this poll. It isn’t stored with the vote, and we send nothing else to it.',
  send: 'Send the code',
  sending: 'Sending…',
  codeText: (email: string) => `We’ve sent six digits to ${email}. They’re valid for ${mailedCodeMinutes} minutes.`,
  code: 'Code',
  codeHint: 'No mail? Check the spam folder, or use another address.',
  vote: 'Vote',
  voting: 'Voting…',
  other: 'Use another address',
  cancel: 'Cancel',
  failed: 'The code couldn’t be sent.',
  voteFailed: 'Your vote couldn’t be sent.',
  incomplete: 'Enter the six digits from the mail.',
} as const;
