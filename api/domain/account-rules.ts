import * as limits from '#contract/limits.ts';
import type { Finding } from '#texts/field-errors.ts';
import { trimText } from './visible-text.ts';

/** What a person typed into the free fields of an account. */
interface AccountTexts {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly profileImageUrl?: string | null | undefined;
}

/** A name as it is kept: composed the one way (NFC), trimmed; null for none. */
export function tidyName(name: string | null | undefined): string | null {
  return trimText((name ?? '').normalize('NFC')) || null;
}

/** What makes two usernames, or two email addresses, the same one. */
export function accountKey(nameOrEmail: string): string {
  return nameOrEmail.normalize('NFC').trim().toLowerCase();
}

/** What the schemas of an account cannot say, for server and browser. Empty when all is well. */
export function accountFindings({ firstName, lastName, profileImageUrl }: AccountTexts): Finding[] {
  return [
    ...nameFindings('/firstName', tidyName(firstName)),
    ...nameFindings('/lastName', tidyName(lastName)),
    ...pictureFindings(profileImageUrl ?? null),
  ];
}

function nameFindings(instancePath: string, name: string | null): Finding[] {
  if (name === null) return [];
  // Half of a surrogate pair is no character either.
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return [{ keyword: 'unprintable', instancePath, params: {} }];
  // Composing can make a text longer than the schema has seen it.
  if (Array.from(name).length > limits.personName)
    return [{ keyword: 'maxLength', instancePath, params: { limit: limits.personName } }];
  return [];
}

function pictureFindings(address: string | null): Finding[] {
  if (address === null) return [];
  const finding = (keyword: string) => [{ keyword, instancePath: '/profileImageUrl', params: {} }];
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return finding('pattern');
  return url.username === '' && url.password === '' ? [] : finding('credentials');
}
