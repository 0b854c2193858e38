import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { InputEvent, SubmitEvent } from 'react';
import type { ErrorCode, FieldError } from '#contract/error-codes.ts';
import { nameFindings } from '#domain/account-rules.ts';
import { ApiError } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import type { ContractCheck } from '#site/client/check-input.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { accountFailureTexts as texts } from '#texts/accounts.ts';
import { fieldErrors } from '#texts/field-errors.ts';

interface AccountFormOptions<T, A> {
  readonly mutation: UseMutationResult<A, Error, T>;
  /** Builds the request body; `field` returns the value of a field by name. */
  readonly bodyOf: (field: (name: string) => string) => T;
  /** Validates the body before it is sent. */
  readonly check: (body: T) => readonly FieldError[];
  readonly onSuccess?: (form: HTMLFormElement) => void;
  /** Title of the error notification. */
  readonly failedTitle: string;
  /** Whether the notification gives the reason and the form only adds to it; otherwise the form gives it. */
  readonly reasonInToast?: boolean;
  /** The field that an error code of the server belongs to. */
  readonly fieldsByCode?: Partial<Record<ErrorCode, string>>;
}

interface Problems {
  readonly fields: ReadonlyMap<string, string>;
  /** The message that belongs to no single field. */
  readonly form: string | null;
}

/** State of an account form, and the attributes of its `<form>`. */
export interface AccountFormState {
  readonly pending: boolean;
  readonly problemOf: (field: string) => string | undefined;
  readonly formProblem: string | null;
  /** The fields are uncontrolled, so that what a browser fills in before hydration is kept. */
  readonly form: {
    readonly method: 'post';
    readonly noValidate: true;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly onInput: (event: InputEvent<HTMLFormElement>) => void;
  };
}

/** Thrown by a mutation whose own checks reject the input before the server is asked; shown without a notification. */
export class InvalidInput extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super('invalid input');
    this.errors = errors;
  }
}

/**
 * What the server would say about the names in a request body: the schema's errors, then the rules beyond the schema. Only
 * the server reserves the site’s name where the page doesn’t know it.
 */
export function accountErrors<T extends object>(
  check: ContractCheck<T>,
  body: T,
  siteName?: string,
): readonly FieldError[] {
  const invalid = checkInput(check, body);
  const known = new Set(invalid.map(({ field }) => field));
  return [...invalid, ...fieldErrors(nameFindings(body, siteName)).filter(({ field }) => !known.has(field))];
}

const noProblems: Problems = { fields: new Map(), form: null };

/** Validates and submits an account form, and shows what is wrong with it. */
export function useAccountForm<T, A>(options: AccountFormOptions<T, A>): AccountFormState {
  const { mutation, failedTitle: title, reasonInToast = false, fieldsByCode = {} } = options;
  // `isPending` is rendered a moment after `mutate`; two submits in a row must still send one request.
  const inFlight = useRef(false);
  const [problems, setProblems] = useState(noProblems);
  const pending = mutation.isPending;

  const showProblems = (form: HTMLFormElement, errors: readonly FieldError[], message: string) => {
    const fields = new Map(
      errors
        .filter(({ field }) => form.elements.namedItem(field) !== null)
        .map(({ field, message }) => [field, message]),
    );
    setProblems({ fields, form: fields.size > 0 ? null : message });
  };

  const showFailure = (form: HTMLFormElement, error: Error) => {
    if (error instanceof InvalidInput) {
      showProblems(form, error.errors, texts.unknown);
      return;
    }
    const text = failureText(error, texts.unknown);
    const { code, body } = error instanceof ApiError ? error : {};
    const field = code && fieldsByCode[code];
    showProblems(
      form,
      field === undefined ? (body?.errors ?? []) : [{ field, message: text }],
      reasonInToast ? failureNote(error, texts.typedKept) : failureSentence(error, texts.unknown),
    );
    toast({ title, ...(reasonInToast && { text }), destructive: true });
  };

  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const body = options.bodyOf((name) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    });
    const invalid = options.check(body);
    if (invalid[0] !== undefined) {
      showProblems(form, invalid, invalid[0].message);
      return;
    }
    setProblems(noProblems);
    // It is about the attempt before this one.
    dismissFailure();
    inFlight.current = true;
    mutation.mutate(body, {
      onSuccess: () => options.onSuccess?.(form),
      onError: (error) => showFailure(form, error),
      onSettled: () => (inFlight.current = false),
    });
  };

  return {
    pending,
    problemOf: (field) => (pending ? undefined : problems.fields.get(field)),
    formProblem: pending ? null : problems.form,
    form: {
      method: 'post',
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        if (!inFlight.current) submit(event.currentTarget);
      },
      // A field that is being corrected is no longer marked, until the form is submitted again.
      onInput: ({ target }) => {
        const { name } = target as HTMLInputElement;
        if (problems.form === null && !problems.fields.has(name)) return;
        setProblems({ fields: new Map([...problems.fields].filter(([field]) => field !== name)), form: null });
      },
    },
  };
}
