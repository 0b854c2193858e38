import { domainToUnicode } from 'node:url';
import * as limits from '#contract/limits.ts';
import { accountKey } from '#domain/account-rules.ts';
import { errors } from '#platform/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';

/**
 * An email address as it is stored and shown: an international domain in Unicode, however it was typed (browsers send xn--…).
 * Throws VALIDATION_FAILED for a domain that can't exist.
 */
export function normalizeEmail(typed: string, field = 'email'): string {
  const address = typed.normalize('NFC').trim();
  const key = accountKey(address);
  const domain = key.slice(key.lastIndexOf('@') + 1);
  if (/\P{ASCII}/u.test(domain) || key.length > limits.email)
    throw errors.validationFailed(fieldErrors([{ keyword: 'pattern', instancePath: `/${field}`, params: {} }]));
  if (!domain.includes('xn--')) return address;
  const shown = `${address.slice(0, address.lastIndexOf('@') + 1)}${domainToUnicode(domain)}`;
  // Some labels that begin with xn-- have no Unicode form.
  return accountKey(shown) === key ? shown : address;
}
