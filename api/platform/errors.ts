import type { Challenge } from '#contract/challenge.ts';
import type { ErrorBody, ErrorCode, FieldError } from '#contract/error-codes.ts';
import {
  accountsApiTexts,
  crowdedPollText,
  emailCodeWrongText,
  errorTexts,
  noMailText,
  noSuchMemberText,
  tooManyPollsText,
  unavailableTexts,
} from '#texts/errors.ts';

/** Retry-After of requests refused because the database is away. */
const unavailableSeconds = 5;

/** An error response: status, code, and a message to display. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the response body, such as the recorded choice of a second vote. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: {
      errors?: readonly FieldError[];
      headers?: Readonly<Record<string, string>>;
      extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }
}

/** One factory per error; the messages are in content/texts. */
export const errors = {
  badRequest: (message: string) => new HttpError(400, 'BAD_REQUEST', message),
  invalidJson: () => new HttpError(400, 'INVALID_JSON', errorTexts.INVALID_JSON),
  validationFailed: (fields: readonly FieldError[]) =>
    new HttpError(400, 'VALIDATION_FAILED', fields[0]?.message ?? errorTexts.VALIDATION_FAILED, { errors: fields }),
  deviceIdRequired: () => new HttpError(400, 'DEVICE_ID_REQUIRED', errorTexts.DEVICE_ID_REQUIRED),
  invalidOption: () => new HttpError(400, 'INVALID_OPTION', errorTexts.INVALID_OPTION),
  unauthenticated: () => new HttpError(401, 'UNAUTHENTICATED', errorTexts.UNAUTHENTICATED),
  invalidCredentials: () => new HttpError(401, 'INVALID_CREDENTIALS', errorTexts.INVALID_CREDENTIALS),
  secondStepRequired: (secondStep: NonNullable<ErrorBody['secondStep']>) =>
    new HttpError(403, 'SECOND_STEP_REQUIRED', errorTexts.SECOND_STEP_REQUIRED, { extra: { secondStep } }),
  accountSuspended: () => new HttpError(403, 'ACCOUNT_SUSPENDED', errorTexts.ACCOUNT_SUSPENDED),
  voteRequired: () => new HttpError(403, 'VOTE_REQUIRED', errorTexts.VOTE_REQUIRED),
  wrongPassword: () => new HttpError(403, 'WRONG_PASSWORD', errorTexts.WRONG_PASSWORD),
  invalidRecoveryCode: () => new HttpError(401, 'INVALID_RECOVERY_CODE', errorTexts.INVALID_RECOVERY_CODE),
  invalidResetLink: () => new HttpError(401, 'INVALID_RESET_LINK', errorTexts.INVALID_RESET_LINK),
  invalidEmailLink: () => new HttpError(401, 'INVALID_EMAIL_LINK', errorTexts.INVALID_EMAIL_LINK),
  invalidInviteLink: () => new HttpError(404, 'INVALID_INVITE_LINK', errorTexts.INVALID_INVITE_LINK),
  invalidPasskey: (status: 400 | 401) => new HttpError(status, 'INVALID_PASSKEY', errorTexts.INVALID_PASSKEY),
  unknownPasskey: () => new HttpError(401, 'UNKNOWN_PASSKEY', errorTexts.UNKNOWN_PASSKEY),
  invalidInvitation: () => new HttpError(401, 'INVALID_INVITATION', errorTexts.INVALID_INVITATION),
  invalidToken: () => new HttpError(401, 'INVALID_TOKEN', errorTexts.INVALID_TOKEN),
  emailTaken: () => new HttpError(409, 'EMAIL_TAKEN', errorTexts.EMAIL_TAKEN),
  noMail: () => new HttpError(404, 'NOT_FOUND', noMailText),
  noSuchMember: () => new HttpError(404, 'NOT_FOUND', noSuchMemberText),
  usernameTaken: () =>
    new HttpError(409, 'USERNAME_TAKEN', errorTexts.USERNAME_TAKEN, {
      errors: [{ field: 'username', message: errorTexts.USERNAME_TAKEN }],
    }),
  adminRequired: (message: string = errorTexts.ADMIN_REQUIRED) => new HttpError(401, 'ADMIN_REQUIRED', message),
  confirmationRequired: (confirmation: 'passkey' | 'any', message: string = errorTexts.CONFIRMATION_REQUIRED) =>
    new HttpError(403, 'CONFIRMATION_REQUIRED', message, { extra: { confirmation } }),
  forbidden: (message: string = errorTexts.FORBIDDEN) => new HttpError(403, 'FORBIDDEN', message),
  privatePollAuthRequired: () =>
    new HttpError(401, 'PRIVATE_POLL_AUTH_REQUIRED', errorTexts.PRIVATE_POLL_AUTH_REQUIRED),
  privatePollAccessDenied: () =>
    new HttpError(403, 'PRIVATE_POLL_ACCESS_DENIED', errorTexts.PRIVATE_POLL_ACCESS_DENIED),
  commentNotFound: () => new HttpError(404, 'COMMENT_NOT_FOUND', errorTexts.COMMENT_NOT_FOUND),
  notInvitable: () => new HttpError(400, 'NOT_INVITABLE', errorTexts.NOT_INVITABLE),
  pollNotFound: () => new HttpError(404, 'POLL_NOT_FOUND', errorTexts.POLL_NOT_FOUND),
  pollDeleted: (deleted: { readonly at: string; readonly reason: string; readonly redirectTo: string | null }) =>
    new HttpError(410, 'POLL_DELETED', errorTexts.POLL_DELETED, { extra: { deleted } }),
  blogPostNotFound: () => new HttpError(404, 'BLOG_POST_NOT_FOUND', errorTexts.BLOG_POST_NOT_FOUND),
  blogPostGone: () => new HttpError(410, 'BLOG_POST_GONE', errorTexts.BLOG_POST_GONE),
  noSuchImport: (message: string) => new HttpError(404, 'NOT_FOUND', message),
  notFound: () => new HttpError(404, 'NOT_FOUND', errorTexts.NOT_FOUND),
  methodNotAllowed: (allow: string) =>
    new HttpError(405, 'METHOD_NOT_ALLOWED', errorTexts.METHOD_NOT_ALLOWED, { headers: { allow } }),
  alreadyVoted: (extra: Readonly<Record<string, unknown>>) =>
    new HttpError(409, 'ALREADY_VOTED', errorTexts.ALREADY_VOTED, { extra }),
  /** `fields`: those that conflict. */
  conflict: (message: string, fields?: readonly FieldError[]) =>
    new HttpError(409, 'CONFLICT', message, fields && { errors: fields }),
  idempotencyKeyReused: () => new HttpError(422, 'IDEMPOTENCY_KEY_REUSED', errorTexts.IDEMPOTENCY_KEY_REUSED),
  challengeRequired: (challenge: Challenge) =>
    new HttpError(428, 'CHALLENGE_REQUIRED', errorTexts.CHALLENGE_REQUIRED, { extra: { challenge } }),
  emailRequired: () => new HttpError(428, 'EMAIL_REQUIRED', errorTexts.EMAIL_REQUIRED),
  emailCodeWrong: (left: number) => new HttpError(403, 'EMAIL_CODE_WRONG', emailCodeWrongText(left)),
  emailCodeExpired: () => new HttpError(403, 'EMAIL_CODE_EXPIRED', errorTexts.EMAIL_CODE_EXPIRED),
  addressUsed: () => new HttpError(409, 'ADDRESS_USED', errorTexts.ADDRESS_USED),
  membersOnly: () => new HttpError(401, 'MEMBERS_ONLY', errorTexts.MEMBERS_ONLY),
  pollClosed: () => new HttpError(409, 'POLL_CLOSED', errorTexts.POLL_CLOSED),
  pollNotStarted: () => new HttpError(409, 'POLL_NOT_STARTED', errorTexts.POLL_NOT_STARTED),
  fileTooLarge: (message: string) => new HttpError(413, 'PAYLOAD_TOO_LARGE', message),
  notAnUpload: (message: string) => new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', message),
  uploadsBusy: (message: string) => new HttpError(503, 'OVERLOADED', message, { headers: { 'retry-after': '5' } }),
  importRefused: ({ message, ...result }: { readonly message: string; readonly errors: readonly object[] }) =>
    new HttpError(400, 'VALIDATION_FAILED', message, { extra: result }),
  payloadTooLarge: () => new HttpError(413, 'PAYLOAD_TOO_LARGE', errorTexts.PAYLOAD_TOO_LARGE),
  unsupportedMediaType: () => new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', errorTexts.UNSUPPORTED_MEDIA_TYPE),
  forbiddenOrigin: () => new HttpError(403, 'FORBIDDEN_ORIGIN', errorTexts.FORBIDDEN_ORIGIN),
  tooManyPolls: (retryAfterSeconds: number) =>
    new HttpError(429, 'RATE_LIMITED', tooManyPollsText(Math.ceil(retryAfterSeconds / 60)), {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    }),
  rateLimited: (retryAfterSeconds: number) =>
    new HttpError(429, 'RATE_LIMITED', errorTexts.RATE_LIMITED, {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    }),
  rateLimitedPoll: (retryAfterSeconds: number, text: string = crowdedPollText) =>
    new HttpError(429, 'RATE_LIMITED', text, {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    }),
  tooManyAttempts: (retryAfterSeconds: number) =>
    new HttpError(429, 'RATE_LIMITED', accountsApiTexts.tooManyAttempts(retryAfterSeconds), {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    }),
  passwordsBusy: () => new HttpError(503, 'OVERLOADED', accountsApiTexts.busy, { headers: { 'retry-after': '2' } }),
  databaseUnavailable: () => unavailable(errorTexts.UNAVAILABLE),
  databaseNotWritable: () => unavailable(unavailableTexts.noRoom),
  pageUnavailable: () => unavailable(unavailableTexts.page),
  requestTimeout: () => unavailable(unavailableTexts.late),
  overloaded: () => new HttpError(503, 'OVERLOADED', errorTexts.OVERLOADED, { headers: { 'retry-after': '1' } }),
} as const;

/** A failure of the database rather than of the request. */
function unavailable(message: string) {
  return new HttpError(503, 'UNAVAILABLE', message, {
    headers: { 'retry-after': String(unavailableSeconds) },
  });
}

/** A thrown value as an Error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The message of a thrown value; without one, its name. */
export function messageOf(thrown: unknown): string {
  return errorOf(thrown).message || String(thrown);
}
