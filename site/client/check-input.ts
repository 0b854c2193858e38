import type { FieldError } from '#contract/error-codes.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import type { Finding } from '#texts/field-errors.ts';

/** A check of the contract, as `virtual:contract-check/NAME` exports it. */
export interface ContractCheck<T> {
  (value: unknown): value is T;
  errors?: readonly Finding[] | null;
}

/** What the server would say about a body, without asking it: one sentence for each wrong field, none when all is well. */
export function checkInput<T>(check: ContractCheck<T>, value: unknown): readonly FieldError[] {
  return check(value) ? [] : fieldErrors(check.errors);
}
