import * as limits from './limits.ts';

/** Small schemas shared by several features. */

export const moment = { type: 'string', format: 'date-time', description: 'ISO 8601 in UTC' } as const;
export const day = { type: 'string', format: 'date', description: 'A day in UTC, 2026-11-21' } as const;
/** A day means its start in UTC. */
export const maybeDayOrMoment = { anyOf: [moment, day, { type: 'null' }] } as const;
export const maybeMoment = { anyOf: [moment, { type: 'null' }] } as const;
export const maybeText = { anyOf: [{ type: 'string' }, { type: 'null' }] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
/** A search text: PostgreSQL accepts none with NUL. */
export const soughtText = { type: 'string', pattern: '^[^\\u0000]*$' } as const;
/** An email address; its domain may be international, in Unicode or ASCII. */
export const emailAddress = {
  type: 'string',
  maxLength: limits.email,
  pattern:
    "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\u200c\\u200d-]*[\\p{L}\\p{M}\\p{N}])?[.。．｡])+[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\u200c\\u200d-]*[\\p{L}\\p{M}\\p{N}])?$",
} as const;
