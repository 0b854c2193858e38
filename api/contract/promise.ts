import { noncePattern } from './vocabulary.ts';

const digits = { type: 'string', pattern: noncePattern } as const;

/** What the site promises about a recorded vote, as `api/domain/verification/promise.ts` describes and checks it. */
export const promiseSchema = {
  $id: 'VotePromise',
  type: ['object', 'null'],
  required: ['nonce', 'part', 'result', 'index', 'proof', 'note'],
  additionalProperties: false,
  properties: {
    nonce: { ...digits, description: 'What the browser contributed to the receipt' },
    part: { ...digits, description: 'What the server contributed to it' },
    result: { type: 'integer', minimum: 1, description: 'The first version of the result that must have the vote' },
    index: { type: 'integer', minimum: 0, description: 'Place among the leaves that were signed together' },
    proof: {
      type: 'array',
      items: { type: 'string' },
      description: 'Hashes in base64 from the leaf’s side to the root',
    },
    note: { type: 'string', description: 'The signed note' },
  },
  description: 'Null in the first seconds of an installation, and for votes of earlier releases',
} as const;
