import { accessErrors } from './community-poll.ts';
import { pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { emailAddress } from './scalars.ts';

/** Codes that confirm the address of a voter. */
export const voteCodeEndpoints = {
  requestVoteCode: {
    ...routes.requestVoteCode,
    summary:
      'Mail a code of six digits for a vote on a poll of either kind that needs a confirmed address, or a check that this browser can’t pass; only the mail says whether the address was used before',
    body: {
      $id: 'VoteCodeRequest',
      type: 'object',
      required: ['pollId', 'email'],
      additionalProperties: false,
      properties: { pollId: pollIdSchema, email: emailAddress },
    },
    status: 200,
    response: {
      $id: 'RequestedVoteCode',
      type: 'object',
      required: ['request'],
      additionalProperties: false,
      properties: {
        request: { type: 'string', description: 'Sent with the vote from the same device: request, dot, code' },
      },
    },
    errors: [...accessErrors, 'DEVICE_ID_REQUIRED', 'NOT_FOUND', 'CONFLICT', 'POLL_CLOSED', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
