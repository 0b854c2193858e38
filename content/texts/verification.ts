import { leastRankedBallots } from '#contract/limits.ts';
import { receiptWarning } from './receipt-note.ts';

/** Verdicts of a recount: in the browser, and in the downloadable verifier. */
export const verdictTexts = {
  ok: 'The list matches the signed checkpoints. This shows that no logged vote was changed or removed. It can’t show that every vote came from a different person.',
  'bad-format': 'The list of votes isn’t in the documented format, so it can’t be checked.',
  'bad-order': 'The list of votes isn’t sorted, or contains a vote twice.',
  'wrong-origin': 'These files belong to another poll.',
  'wrong-paper': 'The question or the options differ from those the votes were cast on.',
  'unknown-key':
    'The signatures are by a key that isn’t trusted here. Compare the key with a copy from outside the site.',
  'bad-signature': 'A checkpoint’s signature is wrong: its text was changed after it was signed.',
  'bad-site-log': 'The site-wide log contradicts its own signed checkpoint.',
  'size-mismatch': 'The list has more or fewer votes than the signed checkpoints: votes were removed or added.',
  'root-mismatch': 'The list differs from the signed checkpoints: at least one vote was changed or replaced.',
  'not-in-site-log':
    'A checkpoint or a decision of this poll is missing from the site-wide log: history may have been rewritten.',
  'file-not-in-site-log': 'The site-wide log has another list of votes as this poll’s result.',
  'tally-mismatch': 'The votes on the list don’t add up to the published totals.',
  'closed-log-grew': 'Votes were added to the log after the result, though the poll was never reopened.',
  'small-batch': 'A group of votes in the log is too small to hide who voted how.',
  'site-differs':
    'The list matches the signed checkpoints, but the site says that its recorded votes or its totals don’t.',
  'broken-promise':
    'A vote is missing from the list that the site has signed to include. The files of this poll, saved with this vote, prove it to anyone.',
  'history-rewritten':
    'The site-wide log no longer contains what was seen of it earlier. Keep both versions, and show them to someone you trust.',
  'not-cosigned':
    'A witness that you require hasn’t cosigned the log with this result. The log may have been shown differently to others.',
} as const;

/** The page that recounts a poll, and what is found about the reader’s receipts. */
export const recountTexts = {
  title: 'Recount This Poll',
  titleOf: (question: string) => `Recount: ${question}`,
  description: 'Download every vote of a poll, and count and verify them in this browser.',
  back: 'Back to the poll',
  lede: 'Your browser downloads the published list of votes, counts it, and checks it against the signed checkpoints of the log. Nothing about you is sent.',
  noScript: 'Recounting needs JavaScript. The verifier for Node.js below does the same without a browser.',
  start: 'Recount now',
  again: 'Recount again',
  cancel: 'Cancel',
  canceled: 'Canceled. Nothing was changed.',
  downloading: 'Downloading the list of votes',
  counting: (percent: number) => `Recounting: ${percent}% done`,
  progress: 'Progress of the recount',
  passed: 'Verified',
  failed: 'Not verified',
  detail: (code: string, detail: string | null) => (detail === null ? `Code: ${code}` : `Code: ${code} (${detail})`),
  size: (ballots: number, formatted: string, checkpoints: number) =>
    `${ballots === 1 ? '1 vote' : `${formatted} votes`}, sealed by ${checkpoints === 1 ? '1 signed checkpoint' : `${checkpoints} signed checkpoints`}.`,
  cosigned: ({ by, of }: { readonly by: readonly string[]; readonly of: number }) =>
    `Cosigned by ${by.length} of ${of === 1 ? '1 witness' : `${of} witnesses`}${by.length === 0 ? '.' : ':'}`,
  columns: {
    option: 'Option',
    counted: 'Counted',
    setAside: 'Set aside',
    held: 'On hold',
    base: 'Not verifiable',
  },
  totals: {
    votes: (option: string, votes: string, logged: string) =>
      `Recorded for ${option}: ${votes}. In the log: ${logged}.`,
    counters: (option: string, votes: string, logged: string) =>
      `Counted for ${option}: ${votes}. In the log: ${logged}.`,
    api: (option: string, votes: string, logged: string) =>
      `The site now counts ${votes} for ${option}. In the log: ${logged}.`,
    page: (option: string, votes: string, logged: string) =>
      `The poll’s page shows ${votes} for ${option}. In the log: ${logged}.`,
  },
  notVerifiable: (formatted: string) =>
    `${formatted} imported or earlier, not verifiable: they were cast before this poll had a log.`,
  provisional: 'Some votes are on hold, so this result is provisional.',
  notPublicPoll: 'This poll isn’t public, so its checkpoints aren’t in the site-wide log.',
  firstVisit:
    'First visit: this browser hasn’t seen our key before, so it couldn’t tell if someone swapped it. Compare it with a copy from somewhere else:',
  key: 'The key',
  /** A round of the count of a ranked poll: options with their votes, and what follows. */
  round: (number: number, votes: readonly string[], exhausted: string, outcome: string) =>
    `Round ${number}: ${votes.join(', ')}; no option left: ${exhausted}. ${outcome}`,
  roundEliminates: (option: string) => `${option} is eliminated.`,
  roundWins: (option: string) => `${option} wins.`,
  roundTies: 'All that are left are equal: nobody wins.',
  openInstead: {
    open: 'This poll is still open. Its list of votes is published when it closes.',
    'no-log': 'Not verifiable: the votes of this poll were cast before there was a log.',
    'not-published': 'The list of this poll’s votes isn’t published.',
    'few-rankings': `The list of this poll’s votes isn’t published: with fewer than ${leastRankedBallots} ballots, a rare ranking could show who cast it. Your receipt still shows whether your vote is in the log.`,
    reopened:
      'This poll was reopened and has newer votes, which are still being written to its log. Try again in a minute. If you read this again then, that’s a problem: tell us.',
    overdue:
      'Not verified: this poll closed more than an hour ago, and its log has no result, though the site promises one within the hour.',
    differs:
      'Not verified: the site itself says that this poll’s log is gone, incomplete, other than its votes, or older than what was published.',
    'history-rewritten': verdictTexts['history-rewritten'],
    'not-found': 'There is no poll at this address, or you may not see it.',
    unreachable: 'The files could not be downloaded. Check your connection, and try again.',
    unsupported: 'This browser can’t check Ed25519 signatures. Use a newer browser, or the verifier for Node.js below.',
  },
  both: 'Save what was seen earlier and now as a file',
  receipts: {
    heading: 'Your receipt on this device',
    none: 'This device has no receipt for this poll.',
  },
  aboutReceipts: receiptWarning,
  limits: {
    heading: 'What a recount can’t show',
    people:
      'It can’t show that every vote came from a different person, or that no votes were invented before a checkpoint.',
    page: 'A dishonest site could print “Verified” here, too. The verifier runs without us, and you can read every line of it.',
  },
  offline: {
    heading: 'Check it without this site',
    text: 'Download the verifier, one file for Node.js 20 or later, and run it:',
    verifier: 'Download the verifier',
    files: 'Save this poll’s files for the verifier',
    formats: 'How to check a poll yourself',
  },
} as const;

/** What is known about a receipt. */
export const receiptStatusTexts = {
  counted: (option: string) => `Your vote is in the published list, counted for ${option}.`,
  /** `text` is what the voter wrote, which the list has as a number; empty if this device doesn’t know it. */
  countedWritten: (text: string) =>
    `Your vote is in the published list, counted for the answer that you wrote${text === '' ? '' : `, “${text}”`}, or the one that it was merged with.`,
  setAside: (reason: string) => `Your vote is in the list but set aside: ${reason}.`,
  held: (reason: string) => `Your vote is in the list but on hold: ${reason}.`,
  logged: 'Your vote is in the log. If the poll publishes its list of votes, it does so within an hour of the closing.',
  waiting: 'Waiting. Votes are added in groups, at the latest when the poll closes.',
  missing: 'This receipt isn’t in the list. If the code is right, that’s a problem: tell us and keep the file.',
  otherOption: (option: string) =>
    `The list has this receipt with another option: ${option}. That’s a problem: tell us and keep the file.`,
  promised: 'The site has signed that this vote will be in the result within an hour of the closing.',
  broken:
    'This vote isn’t in the list, though the site has signed that it would be. That’s a problem, and a proof: recount this poll, save its files, and show them. They contain your vote.',
  overdue:
    'The poll closed more than an hour ago, and the site hasn’t published the result that it has signed to. That’s a problem: tell us and keep the receipt.',
  badPromise:
    'The promise that the site has given for this vote is wrong. That’s a problem: tell us and keep the receipt.',
  otherNonce:
    'This receipt was made without the random number of this browser, so others may have the same one. That’s a problem: tell us and keep the receipt.',
  foreignNonce:
    'Its random number isn’t from this browser but from another of yours, or from the server, so this browser can’t tell that nobody else has the same receipt.',
  badProof: 'The log’s proof for this vote is wrong. That’s a problem: tell us and keep the receipt.',
  notPublished: 'The list of this poll’s votes isn’t published.',
  noLog: 'Not verifiable: this poll has no log.',
  logGone: 'The log of this poll is gone or incomplete. That’s a problem: tell us and keep the receipt.',
  unreachable: 'Could not be checked now. The receipt is safe on this device.',
} as const;

/** The page that lists the receipts on this device. */
export const myVotesTexts = {
  title: 'My Votes',
  description: 'The receipts of the votes cast in this browser.',
  lede: 'The receipts of your votes are stored in this browser only, not in an account. This page also opens without a network.',
  noScript: 'Your receipts are stored by JavaScript, which is switched off in this browser.',
  empty: 'This device has no receipts. After your next vote, its receipt will be listed here.',
  count: (count: number) => (count === 1 ? '1 receipt' : `${count} receipts`),
  choice: (option: string, day: string) => `You voted for ${option} on ${day}.`,
  check: 'Check',
  checkOf: (question: string) => `Check the vote on ${question}`,
  checking: 'Checking…',
  recount: 'Recount this poll',
  forget: 'Forget',
  forgetOf: (question: string) => `Forget the receipt for ${question}`,
  forgotten: 'Forgotten on this device.',
  save: 'Save as a file',
  forgetAll: 'Forget receipts on this device',
  confirmAll: 'Forget all receipts on this device? Without them you can’t check your votes. Your votes stay counted.',
  shared: `Anyone who uses this browser can see this list. ${receiptWarning}`,
} as const;

/** The line on a poll whose result differs from its log. */
export const logDifferenceTexts = {
  line: 'This result doesn’t match its log.',
  recount: 'What a recount finds',
} as const;
