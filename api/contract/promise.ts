import { Type } from 'typebox';
import { closed } from './schema.ts';
import type { Static } from './schema.ts';
import { noncePattern } from './vocabulary.ts';

const promise = closed({
  nonce: Type.String({ pattern: noncePattern, description: 'What the browser contributed to the receipt' }),
  part: Type.String({ pattern: noncePattern, description: 'What the server contributed to it' }),
  result: Type.Integer({ minimum: 1, description: 'The first version of the result that must have the vote' }),
  index: Type.Integer({ minimum: 0, description: 'Place among the leaves that were signed together' }),
  proof: Type.Array(Type.String(), { description: 'Hashes in base64 from the leaf’s side to the root' }),
  note: Type.String({ description: 'The signed note' }),
});

/** What the site promises about a recorded vote, as `api/domain/verification/promise.ts` describes and checks it. */
export const promiseSchema = Type.Unsafe<Static<typeof promise> | null>({
  ...promise,
  $id: 'VotePromise',
  type: ['object', 'null'],
  description: 'Null in the first seconds of an installation, and for votes of earlier releases',
});
