import { Type } from 'typebox';
import { closed, named, oneOf } from './schema.ts';
import type { Static } from './schema.ts';

const hex = (digits: number) => Type.String({ pattern: `^[0-9a-f]{${digits}}$` });

/**
 * A proof of work that a browser does before its vote is recorded, in the format of ALTCHA: the smallest counter whose
 * PBKDF2 key of nonce and counter begins with the prefix.
 */
export const challengeSchema = named('Challenge', {
  parameters: closed({
    algorithm: oneOf(['PBKDF2/SHA-256']),
    cost: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Iterations of one try' }),
    keyLength: Type.Unsafe<number>({ type: 'integer', enum: [32] }),
    keyPrefix: hex(32),
    keySignature: hex(64),
    nonce: hex(32),
    salt: hex(32),
    data: closed({
      ballot: Type.String({ maxLength: 80 }),
      expires: Type.Integer({ description: 'Milliseconds since 1970' }),
      tries: Type.Integer({ description: 'Tries that it takes at most' }),
    }),
  }),
  signature: hex(64),
});
export type Challenge = Static<typeof challengeSchema>;

/** What a browser sends back: the challenge and its solution. */
export const solvedChallengeSchema = closed({
  challenge: challengeSchema,
  solution: Type.Object(
    { counter: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }), derivedKey: hex(64) },
    { additionalProperties: true },
  ),
});
export type SolvedChallenge = Static<typeof solvedChallengeSchema>;
