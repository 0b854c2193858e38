import type { Protection } from '#contract/vocabulary.ts';
import { errors } from '#platform/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';

/** Throws VALIDATION_FAILED for a level that the site, or this kind of poll, doesn’t offer; undefined changes nothing. */
export function requireOffered(level: Protection | undefined, offered: readonly Protection[]): void {
  if (level === undefined || offered.includes(level)) return;
  throw errors.validationFailed(fieldErrors([{ keyword: 'unavailable', instancePath: '/protection', params: {} }]));
}
