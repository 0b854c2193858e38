import type { ErrorCode } from '#contract/error-codes.ts';

/** What an error answer says, by its code. Each says what happened and, where it helps, what to do. */
export const errorTexts = {
  BAD_REQUEST: 'This request could not be understood.',
  INVALID_JSON: 'The body of this request is not valid JSON.',
  VALIDATION_FAILED: 'Some of the values are not valid.',
  DEVICE_ID_REQUIRED: 'A vote needs a device id. Reload the page and try again.',
  INVALID_OPTION: 'This option cannot be voted for. Reload the page and choose again.',
  UNAUTHENTICATED: 'Please sign in first.',
  INVALID_CREDENTIALS: 'Invalid username or password',
  WRONG_PASSWORD: 'The current password is wrong.',
  FORBIDDEN: 'Only the person who made this may do that.',
  ADMIN_REQUIRED: 'The admin password is wrong.',
  FORBIDDEN_ORIGIN: 'This request came from another site and was refused.',
  PRIVATE_POLL_AUTH_REQUIRED: 'This is a private poll that requires you to be logged in to view it.',
  PRIVATE_POLL_ACCESS_DENIED:
    "You don't have permission to view this private poll. Only the poll creator and invited users can access it.",
  NOT_FOUND: 'There is nothing at this address.',
  POLL_NOT_FOUND: "This poll may have been removed or doesn't exist.",
  COMMENT_NOT_FOUND: 'This comment may have been removed.',
  NOT_INVITABLE:
    'This person cannot be invited. Check the username; it must be that of a member who is not invited yet.',
  BLOG_POST_NOT_FOUND: "The blog post you're looking for doesn't exist.",
  METHOD_NOT_ALLOWED: 'This address does not take that kind of request.',
  ALREADY_VOTED: 'You have already voted on this poll.',
  CONFLICT: 'This cannot be done as things stand now. Reload the page and look again.',
  IDEMPOTENCY_KEY_REUSED:
    'An earlier version of this was already saved. Check whether it is there. To save this version as well, send it again.',
  POLL_CLOSED: 'This poll has ended and is no longer accepting votes.',
  POLL_NOT_STARTED: 'This poll has not started yet.',
  USERNAME_TAKEN: 'This username is already taken.',
  PAYLOAD_TOO_LARGE: 'This request is larger than allowed.',
  UNSUPPORTED_MEDIA_TYPE: 'The body of this request must be JSON.',
  RATE_LIMITED: 'Too many requests from your network. Please wait a moment and try again.',
  INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
  OVERLOADED: 'Very many votes are arriving right now. Please try again in a moment.',
  UNAVAILABLE: 'The database does not answer right now. Please try again in a moment.',
  API_UNREACHABLE: 'The service cannot be reached right now. Please try again in a moment.',
} as const satisfies Record<ErrorCode, string>;

/** The same where the database answers but has no room, and where it takes too long. */
export const unavailableTexts = {
  noRoom: 'Nothing can be stored right now, and what you sent was not. Please try again later.',
  late: 'This takes longer than it should right now. Please look in a moment whether it was done, and try again if not.',
} as const;

/** For programs: pages make well-formed keys. */
export const idempotencyKeyText =
  'The Idempotency-Key header must be 16 to 64 letters, digits, dashes, or underscores. Send another one.';

/** The same as RATE_LIMITED where the network has sent its share of votes on one poll. */
export const crowdedPollText =
  'Very many votes on this poll have come from your network within an hour. Sign in to vote with an account older than a day, or try again later.';
