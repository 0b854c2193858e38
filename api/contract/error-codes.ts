import { Type } from 'typebox';
import { challengeSchema } from './challenge.ts';
import { promiseSchema } from './promise.ts';
import { closed, described, maybeText, moment, oneOf } from './schema.ts';
import type { Static } from './schema.ts';

/** Every code of an error response. */
const errorCodes = [
  'BAD_REQUEST',
  'INVALID_JSON',
  'VALIDATION_FAILED',
  'DEVICE_ID_REQUIRED',
  'INVALID_OPTION',
  'UNAUTHENTICATED',
  'INVALID_CREDENTIALS',
  'SECOND_STEP_REQUIRED',
  'WRONG_PASSWORD',
  'INVALID_RECOVERY_CODE',
  'INVALID_RESET_LINK',
  'INVALID_EMAIL_LINK',
  'INVALID_INVITE_LINK',
  'INVALID_PASSKEY',
  'UNKNOWN_PASSKEY',
  'INVALID_INVITATION',
  'INVALID_TOKEN',
  'FORBIDDEN',
  'ACCOUNT_SUSPENDED',
  'VOTE_REQUIRED',
  'ADMIN_REQUIRED',
  'CONFIRMATION_REQUIRED',
  'FORBIDDEN_ORIGIN',
  'PRIVATE_POLL_AUTH_REQUIRED',
  'PRIVATE_POLL_ACCESS_DENIED',
  'NOT_FOUND',
  'POLL_NOT_FOUND',
  'POLL_DELETED',
  'COMMENT_NOT_FOUND',
  'NOT_INVITABLE',
  'BLOG_POST_NOT_FOUND',
  'BLOG_POST_GONE',
  'METHOD_NOT_ALLOWED',
  'ALREADY_VOTED',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'CHALLENGE_REQUIRED',
  'EMAIL_REQUIRED',
  'EMAIL_CODE_WRONG',
  'EMAIL_CODE_EXPIRED',
  'ADDRESS_USED',
  'MEMBERS_ONLY',
  'POLL_CLOSED',
  'POLL_NOT_STARTED',
  'USERNAME_TAKEN',
  'EMAIL_TAKEN',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'OVERLOADED',
  'UNAVAILABLE',
  'API_UNREACHABLE',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** An invalid field of a request, and why it was refused. */
const fieldErrorSchema = closed({
  field: Type.String({ description: 'Name of the field, dotted where it is nested' }),
  message: Type.String({ description: 'A message to display next to the field' }),
});
export type FieldError = Static<typeof fieldErrorSchema>;

/**
 * The body of every error response. `poll` is the poll after a second vote, `requestId` the id to quote after an internal
 * error.
 */
export const errorBodySchema = Type.Object(
  {
    message: Type.String(),
    code: oneOf(errorCodes),
    errors: Type.Optional(Type.Array(fieldErrorSchema)),
    requestId: Type.Optional(Type.String()),
    userVote: Type.Optional(Type.String({ description: 'ALREADY_VOTED: the option that was recorded' })),
    userVotes: Type.Optional(
      Type.Array(Type.String(), { description: 'ALREADY_VOTED: the options of a vote for several ones' }),
    ),
    challenge: Type.Optional(
      described(challengeSchema, 'CHALLENGE_REQUIRED: what to solve before the vote is sent again'),
    ),
    receipt: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'ALREADY_VOTED: the receipt of the recorded vote; null for votes without one',
      }),
    ),
    promise: Type.Optional(promiseSchema),
    confirmation: Type.Optional(
      oneOf(['passkey', 'any'], {
        description: 'CONFIRMATION_REQUIRED: what the operator has to give again; any: a password or a passkey',
      }),
    ),
    secondStep: Type.Optional(
      closed(
        {
          until: described(moment, 'From then on, the same device needs no other step'),
          mail: Type.Boolean({ description: 'Whether a code can be mailed' }),
          mailed: Type.Boolean({ description: 'Whether this request has one mailed' }),
        },
        { description: 'SECOND_STEP_REQUIRED: what the account offers' },
      ),
    ),
    deleted: Type.Optional(
      closed(
        { at: moment, reason: Type.String(), redirectTo: described(maybeText, 'The poll that its address leads to') },
        { description: 'POLL_DELETED: when and why' },
      ),
    ),
    poll: Type.Optional(
      Type.Unsafe<object>({ type: 'object', description: 'ALREADY_VOTED: the poll as this voter sees it' }),
    ),
  },
  { $id: 'ErrorBody', additionalProperties: true },
);
export type ErrorBody = Static<typeof errorBodySchema>;
