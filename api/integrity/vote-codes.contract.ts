import { Type } from 'typebox';
import { accessErrors } from '#api/polls/community/community-polls.contract.ts';
import { chosenOptions, pollIdSchema, receiptSchema } from '#api/polls/polls.contract.ts';
import { promiseSchema } from '#contract/promise.ts';
import { post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { emailAddress, named } from '#contract/schema.ts';

/** What voters can do where more is needed than their browser has: confirm an address, or have the vote held. */
export const voteCodeEndpoints = {
  requestVoteCode: {
    ...post('/api/vote-codes'),
    device: 'required',
    summary:
      'Mail a code of six digits for a vote on a poll of either kind that needs a confirmed address, or a check that this browser can’t pass; only the mail says whether the address was used before',
    body: named('VoteCodeRequest', { pollId: pollIdSchema, email: emailAddress }),
    status: 200,
    response: named('RequestedVoteCode', {
      request: Type.String({ description: 'Sent with the vote from the same device: request, dot, code' }),
    }),
    errors: [...accessErrors, 'DEVICE_ID_REQUIRED', 'NOT_FOUND', 'CONFLICT', 'POLL_CLOSED', 'VALIDATION_FAILED'],
  },
  holdVote: {
    ...post('/api/held-votes'),
    client: false,
    device: 'required',
    summary:
      'Cast a vote from a browser that can’t solve a challenge: recorded, and not counted until somebody has reviewed it',
    body: named('HeldVoteRequest', { pollId: pollIdSchema, ...chosenOptions }),
    status: 200,
    response: named('HeldVoteReceipt', {
      receipt: Type.Unsafe<string | null>({ ...receiptSchema, type: ['string', 'null'] }),
      promise: promiseSchema,
    }),
    errors: [
      ...accessErrors,
      'DEVICE_ID_REQUIRED',
      'INVALID_OPTION',
      'ALREADY_VOTED',
      'CONFLICT',
      'POLL_CLOSED',
      'POLL_NOT_STARTED',
    ],
  },
} as const satisfies Record<string, Endpoint>;
