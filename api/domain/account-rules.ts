import * as limits from '#contract/limits.ts';
import type { Finding } from '#texts/field-errors.ts';
import { trimText } from './visible-text.ts';

/** The free-text fields of an account. */
interface AccountTexts {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}

/** A name as it is stored: NFC-normalized and trimmed; null for none. */
export function normalizeName(name: string | null | undefined): string | null {
  return trimText((name ?? '').normalize('NFC')) || null;
}

/** Two usernames or email addresses with the same key count as the same. */
export function accountKey(nameOrEmail: string): string {
  return nameOrEmail.normalize('NFC').trim().toLowerCase();
}

/** Validates what the account schemas can't express, on the server and in the browser. Empty when valid. */
export function accountFindings({ firstName, lastName }: AccountTexts): Finding[] {
  return [
    ...nameFindings('/firstName', normalizeName(firstName)),
    ...nameFindings('/lastName', normalizeName(lastName)),
  ];
}

function nameFindings(instancePath: string, name: string | null): Finding[] {
  if (name === null) return [];
  // Control characters, and unpaired surrogates.
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return [{ keyword: 'unprintable', instancePath, params: {} }];
  // Normalization can lengthen a text after the schema has checked it.
  if (Array.from(name).length > limits.personName)
    return [{ keyword: 'maxLength', instancePath, params: { limit: limits.personName } }];
  return [];
}
