import type { FieldError } from '#contract/error-codes.ts';
import { accountFindings } from '#domain/account-rules.ts';
import { checkInput } from '#site/client/check-input.ts';
import type { ContractCheck } from '#site/client/check-input.ts';
import { fieldErrors } from '#texts/field-errors.ts';

/** What the server would say about a body of an account: the contract's check first, then the rules behind it. */
export function accountErrors<T extends object>(check: ContractCheck<T>, body: T): readonly FieldError[] {
  const said = checkInput(check, body);
  const known = new Set(said.map(({ field }) => field));
  return [...said, ...fieldErrors(accountFindings(body)).filter(({ field }) => !known.has(field))];
}
