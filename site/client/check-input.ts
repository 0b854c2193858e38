import type { FieldError } from '#contract/error-codes.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import type { Finding } from '#texts/field-errors.ts';

/** A compiled schema of the contract, the default export of `virtual:check/NAME`. */
export interface ContractCheck {
  (value: unknown): boolean;
  errors?: readonly Finding[] | null;
}

/** Validates a request body in the browser as the server would: one message per invalid field, none if it is valid. */
export function checkInput(check: ContractCheck, value: unknown): readonly FieldError[] {
  return check(value) ? [] : fieldErrors(check.errors);
}
