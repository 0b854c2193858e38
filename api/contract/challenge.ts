import type { FromSchema } from 'json-schema-to-ts';

const hex = (digits: number) => ({ type: 'string', pattern: `^[0-9a-f]{${digits}}$` }) as const;

/**
 * A proof of work that a browser does before its vote is recorded, in the format of ALTCHA: the smallest counter whose
 * PBKDF2 key of nonce and counter begins with the prefix.
 */
export const challengeSchema = {
  $id: 'Challenge',
  type: 'object',
  required: ['parameters', 'signature'],
  additionalProperties: false,
  properties: {
    parameters: {
      type: 'object',
      required: ['algorithm', 'cost', 'data', 'keyLength', 'keyPrefix', 'keySignature', 'nonce', 'salt'],
      additionalProperties: false,
      properties: {
        algorithm: { type: 'string', enum: ['PBKDF2/SHA-256'] },
        cost: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Iterations of one try' },
        keyLength: { type: 'integer', enum: [32] },
        keyPrefix: hex(32),
        keySignature: hex(64),
        nonce: hex(32),
        salt: hex(32),
        data: {
          type: 'object',
          required: ['ballot', 'expires', 'tries'],
          additionalProperties: false,
          properties: {
            ballot: { type: 'string', maxLength: 80 },
            expires: { type: 'integer', description: 'Milliseconds since 1970' },
            tries: { type: 'integer', description: 'Tries that it takes at most' },
          },
        },
      },
    },
    signature: hex(64),
  },
} as const;
export type Challenge = FromSchema<typeof challengeSchema>;

/** What a browser sends back: the challenge and its solution. */
export const solvedChallengeSchema = {
  type: 'object',
  required: ['challenge', 'solution'],
  additionalProperties: false,
  properties: {
    challenge: challengeSchema,
    solution: {
      type: 'object',
      required: ['counter', 'derivedKey'],
      additionalProperties: true,
      properties: {
        counter: { type: 'integer', minimum: 0, maximum: 0xffff_ffff },
        derivedKey: hex(64),
      },
    },
  },
} as const;
export type SolvedChallenge = FromSchema<typeof solvedChallengeSchema>;
