import type { ErrorCode } from '#contract/error-codes.ts';
import { voteCodeTexts } from './vote-code.ts';
import { receiptWarning } from './receipt-note.ts';

/** Voting on any poll. */
export const ballotTexts = {
  choiceStays: 'Your choice is still selected.',
  /** While the browser solves a challenge. */
  checking: 'Checking your browser…',
  counting: 'The results are on their way.',
  unreadStatus: 'Could not read the vote status.',
  announcePart: (text: string, percent: string) => `${text}: ${percent}`,
} as const;

/** On pages of open polls, without JavaScript or in a window that a sandboxed frame opened; the poll’s address follows. */
export const restrictedWindowTexts = {
  before:
    'Does voting not work here? If another site opened this window, it may restrict what the window can do. Copy this address into a new window:',
} as const;

/** The page with the results of an open poll for visitors who don’t vote. */
export const seenResultsTexts = {
  title: (question: string) => `Results so far: ${question}`,
  kicker: 'Results so far',
  text: 'You haven’t voted. If you vote on this poll later, your vote counts like any other; how many votes were cast after seeing results is published with the result.',
  mark: 'A cookie in this browser says that you were here. If you delete it, or vote with another browser, your vote isn’t among those.',
  vote: 'Vote on this poll',
  unavailable: 'We can’t show the results right now. Please reload this page in a moment.',
} as const;

/** The pages for a vote sent as a form, without JavaScript. */
export const formVoteTexts = {
  failed: 'Your vote was not recorded',
  back: 'Back to the poll',
  signIn: 'Sign in',
  voted: 'Your vote is recorded',
  again: (answer: string) =>
    `You had already voted on this poll. Your first vote, “${answer}”, counts; this one doesn’t.`,
  /** Where a browser can’t be checked. */
  hold: 'Send my vote for review',
  holdText:
    'Or send your vote as it is: it will be recorded and held, and counts once someone who runs the poll has reviewed it. If nobody does within seven days, it doesn’t count.',
  held: 'Your vote is recorded and held. It counts once someone who runs the poll has reviewed it; if nobody does within seven days, it doesn’t.',
  receipt: 'Your receipt',
  receiptNote: `With this you can find your vote in the published list. Copy it now; it disappears in an hour. Without JavaScript, our server drew the random number in it, so your browser can’t tell that nobody else has the same receipt. ${receiptWarning}`,
  promise: 'The signed promise for your vote',
  promiseNote:
    'We have signed that your vote will be in the result within an hour of the closing. Save this file now, too: with it, the verifier proves if the vote is missing then. The file has your vote.',
  savePromise: 'Save the promise as a file',
  recount: 'Recount this poll',
  unavailable: 'Your vote is recorded, but we can’t show the poll right now. Please reload this page in a moment.',
  /** Where a browser without JavaScript can confirm an address instead of solving the task. */
  insteadOfCheck:
    'We check each browser before it votes on this poll. The check needs JavaScript: turn it on and vote again, or confirm an email address here.',
  problems: {
    POLL_CLOSED: 'This poll ended before your vote arrived.',
    VALIDATION_FAILED: 'You didn’t choose an answer. Go back to the poll and choose one.',
    DEVICE_ID_REQUIRED:
      'Without JavaScript, we need a cookie to count your vote once. Allow cookies here, or turn JavaScript on, and vote again.',
    CHALLENGE_REQUIRED:
      'We check each browser before it votes on this poll. The check needs JavaScript: turn it on, and vote again.',
    EMAIL_REQUIRED: voteCodeTexts.addressText,
    API_UNREACHABLE:
      'We can’t reach the service right now. Please vote again in a moment; your vote counts once, even if it did go through.',
  } as Partial<Record<ErrorCode, string>>,
} as const;
