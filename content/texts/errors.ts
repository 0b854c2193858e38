import type { ErrorCode } from '#contract/error-codes.ts';

/** The message of an error response, by its code: what happened and, where it helps, what to do. */
export const errorTexts = {
  BAD_REQUEST: 'We couldn’t understand this request.',
  INVALID_JSON: 'The body of this request is not valid JSON.',
  VALIDATION_FAILED: 'Some of the values are invalid.',
  DEVICE_ID_REQUIRED: 'A vote needs a device id. Reload the page and try again.',
  INVALID_OPTION: 'You can’t vote for this option. Reload the page and choose again.',
  UNAUTHENTICATED: 'Please sign in first.',
  INVALID_CREDENTIALS: 'Invalid username or password',
  SECOND_STEP_REQUIRED:
    'Your password is right. Someone has tried many wrong ones, so we need one more proof that it’s you.',
  WRONG_PASSWORD: 'The current password is incorrect.',
  INVALID_RECOVERY_CODE: 'The username or the recovery code is wrong. Each code works only once.',
  INVALID_RESET_LINK: 'This link has expired or was already used. Ask for a new one.',
  INVALID_EMAIL_LINK: 'This link has expired or was already used. Ask for a new one on your account page.',
  INVALID_INVITE_LINK: 'This link doesn’t work anymore. Ask the person who sent it for a new one.',
  INVALID_PASSKEY: 'This passkey couldn’t be used. Try again, or use your password.',
  UNKNOWN_PASSKEY:
    'We don’t know this passkey: it was removed, or its account was deleted. Sign in with your password, or create an account.',
  INVALID_INVITATION: 'This invitation has expired or was already used. Ask for a new one.',
  INVALID_TOKEN: 'This API token is wrong, or it has expired or been revoked.',
  FORBIDDEN: 'Only the person who created this can do that.',
  ACCOUNT_SUSPENDED: 'Your account is suspended. Your profile says why, and how to appeal.',
  VOTE_REQUIRED: 'Vote on this poll first.',
  ADMIN_REQUIRED: 'The admin password is incorrect.',
  CONFIRMATION_REQUIRED: 'Please confirm it’s you with your password or passkey.',
  FORBIDDEN_ORIGIN: 'This request was refused because it came from another site.',
  PRIVATE_POLL_AUTH_REQUIRED: 'This is a private poll that requires you to be logged in to view it.',
  PRIVATE_POLL_ACCESS_DENIED:
    "You don't have permission to view this private poll. Only the poll creator and invited users can access it.",
  NOT_FOUND: 'There’s nothing at this address.',
  POLL_NOT_FOUND: "This poll may have been removed or doesn't exist.",
  POLL_DELETED: 'This poll was removed.',
  COMMENT_NOT_FOUND: 'This comment may have been removed.',
  NOT_INVITABLE:
    'This person can’t be invited. Check the username: it must belong to a member who hasn’t been invited yet. Anyone else can join with the invitation link.',
  BLOG_POST_NOT_FOUND: "The blog post you're looking for doesn't exist.",
  BLOG_POST_GONE: 'This article was removed.',
  METHOD_NOT_ALLOWED: 'This address doesn’t accept that kind of request.',
  ALREADY_VOTED: 'You have already voted on this poll.',
  CONFLICT: 'Something changed in the meantime, so this can’t be done. Reload the page and check.',
  IDEMPOTENCY_KEY_REUSED:
    'An earlier version of this was already saved. Check whether it’s there. To save this version too, send it again.',
  CHALLENGE_REQUIRED: 'We check each browser before it votes on this poll, and yours didn’t pass. Please try again.',
  EMAIL_REQUIRED: 'A vote on this poll needs a confirmed email address.',
  EMAIL_CODE_WRONG: 'This code is wrong.',
  EMAIL_CODE_EXPIRED: 'This code has expired, or was wrong too often. Ask for a new one.',
  ADDRESS_USED: 'This email address was already used to vote on this poll.',
  MEMBERS_ONLY: 'Only members can vote on this poll. Sign in to vote.',
  POLL_CLOSED: 'This poll has ended and is no longer accepting votes.',
  POLL_NOT_STARTED: 'This poll has not started yet.',
  USERNAME_TAKEN: 'This username is already taken.',
  EMAIL_TAKEN: 'Another account has confirmed this address.',
  PAYLOAD_TOO_LARGE: 'This request is larger than allowed.',
  UNSUPPORTED_MEDIA_TYPE: 'The body of this request must be JSON.',
  RATE_LIMITED: 'Too many requests from your network. Please wait a moment and try again.',
  INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
  OVERLOADED: 'Too many votes are arriving right now. Please try again in a moment.',
  UNAVAILABLE: 'The database isn’t responding. Please try again in a moment.',
  API_UNREACHABLE: 'We can’t reach the service right now. Please try again in a moment.',
} as const satisfies Record<ErrorCode, string>;

/** UNAVAILABLE when the database responds but is out of space, or takes too long, and when no page can be rendered. */
export const unavailableTexts = {
  page: 'We can’t create this page right now. Please try again in a moment.',
  noRoom: 'We can’t save anything right now, so what you sent was not saved. Please try again later.',
  late: 'This is taking longer than it should. Check in a moment whether it went through, and try again if it didn’t.',
} as const;

/** For API clients: pages always send well-formed keys. */
export const idempotencyKeyText =
  'The Idempotency-Key header must be 16 to 64 letters, digits, dashes, or underscores. Send another one.';

/** NOT_FOUND for what needs mail, on a site that sends none. */
export const noMailText = 'This site doesn’t send email.';

/** NOT_FOUND about an account, for the operator. */
export const noSuchMemberText = 'This account no longer exists.';

/** RATE_LIMITED when a member, or new members of a network, have created too many polls. */
export const tooManyPollsText = (minutes: number) =>
  `Too many polls were created by you or by new members in your network. Please try again in ${
    minutes <= 1 ? 'a minute' : `${minutes} minutes`
  }. Older accounts can create more.`;

/** EMAIL_CODE_WRONG, with the tries that are left. */
export const emailCodeWrongText = (left: number) =>
  `This code is wrong. You have ${left === 1 ? 'one more try' : `${left} more tries`}.`;

/** CONFLICT for a code that no vote on the poll needs. */
export const noCodeNeededText = 'Votes on this poll need no code.';

/** CONFLICT for a vote that is sent to be held, where that isn’t possible. */
export const noHoldNeededText = 'Votes on this poll can’t be held for a review. Vote in the usual way.';

/** CONFLICT for a vote that arrives right after its poll’s protection was raised. */
export const protectionRaisedText = 'Votes on this poll have just come to need more. Reload the page and vote again.';

/** VALIDATION_FAILED: what a browser contributes to a receipt. */
export const nonceText = 'Must be 32 hexadecimal digits.';

/** RATE_LIMITED when a network has reached its limit of votes on one poll. */
export const crowdedPollText =
  'Too many votes on this poll have come from your network in the past hour. Please try again later.';

/** The same for a vote with a code from a screen that has expired, or with which too many have voted. */
export const scanAgainText =
  'The code that you scanned can no longer be used. Please scan the code on the screen again.';

/** Messages of account calls in addition to those of an error code. */
export const accountsApiTexts = {
  tooManyAttempts: (seconds: number) =>
    `Too many attempts. Please try again in ${seconds <= 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`}.`,
  tooManyPasskeys: 'You have as many passkeys as an account can have. Remove one first.',
  operatorPasskeys:
    'Your passkeys open the admin pages. To add or remove one, open these pages with one of them first, then try again here. If you lost them all, an owner can remove you from the operators and invite you again.',
  busy: 'Too many people are signing in right now. Please try again in a moment.',
} as const;

const listed = (files: readonly string[]) => new Intl.ListFormat('en-US', { type: 'conjunction' }).format(files);

/** Errors about a damaged SQLite file, with advice for the operator. */
export const sqliteFileTexts = {
  damaged: (file: string, why: string) =>
    `The database file ${file} is damaged: ${why}. It was not opened for writing, and nothing was changed.`,
  advice: (files: readonly string[]) =>
    `Stop the services. Copy ${listed(files)} to a safe place before any other program opens them. Then restore the latest backup into an empty DATA_DIR: npm run restore -- FILE. If you have no backup, sqlite3 COPY .recover extracts what is still readable from a copy.`,

  // Reasons, inserted into the sentence above.
  empty: 'it is empty, although this site has had data',
  notSqlite: 'it does not start with a SQLite header',
  tooShort: (size: number, expected: number) => `it ends after ${size} of ${expected} bytes`,
  logDamaged: (log: string, at: number) =>
    `its write-ahead log, ${log}, is damaged at byte ${at}, and everything written after that would be lost`,
} as const;
