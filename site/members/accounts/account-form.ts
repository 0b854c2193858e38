import type { FieldError } from '#contract/error-codes.ts';
import { nameFindings } from '#domain/account-rules.ts';
import { checkInput } from '#site/client/check-input.ts';
import type { ContractCheck } from '#site/client/check-input.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFailureTexts as texts } from '#texts/accounts.ts';
import { fieldErrors } from '#texts/field-errors.ts';

/**
 * Tells in a notification that an account form failed. The form gives the reason, unless the notification does: then the form
 * only adds to it.
 */
export const accountFailure =
  (title: string, { reasonInToast = false } = {}) =>
  (error: Error): string => {
    toast({ title, ...(reasonInToast && { text: failureText(error, texts.unknown) }), destructive: true });
    return reasonInToast ? failureNote(error, texts.typedStays) : failureSentence(error, texts.unknown);
  };

/**
 * What the server would say about the names in a request body: the schema's errors, then the rules beyond the schema. Only
 * the server reserves the site’s name where the page doesn’t know it.
 */
export function accountErrors(check: ContractCheck, body: object, siteName?: string): readonly FieldError[] {
  const invalid = checkInput(check, body);
  const known = new Set(invalid.map(({ field }) => field));
  return [...invalid, ...fieldErrors(nameFindings(body, siteName)).filter(({ field }) => !known.has(field))];
}
