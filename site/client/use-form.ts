import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FocusEvent, InputEvent, SubmitEvent } from 'react';
import type { ErrorCode, FieldError } from '#contract/error-codes.ts';
import { isBlank } from '#domain/visible-text.ts';
import { dismissFailure } from '#site/ui/toasts.ts';
import { useAfterPress } from './after-press.ts';
import { ApiError } from './api.ts';
import { queryClient } from './query-client.ts';

/** Returns the text of a field by name; empty if there is none. */
export type ReadField = (name: string) => string;

interface FormOptions<T, A> {
  /** Builds what is sent. */
  readonly bodyOf: (field: ReadField, data: FormData) => T;
  /** Validates it before it is sent, and a field that was filled in when it is left. */
  readonly check: (body: T) => readonly FieldError[];
  readonly send: (body: T) => Promise<A>;
  readonly onSent?: ((answer: A, body: T, form: HTMLFormElement) => unknown) | undefined;
  /** Tells what failed; returns what the form says if it is about no field, or null for nothing. */
  readonly onFailed: (error: Error) => string | null;
  /** The field that an error code of the server belongs to; its message is the server’s. */
  readonly fieldsByCode?: Partial<Record<ErrorCode, string>>;
}

interface Problems {
  readonly fields: ReadonlyMap<string, string>;
  /** The message that belongs to no single field. */
  readonly form: string | null;
}

/** State of a form, and the attributes of its `<form>`. */
export interface FormState {
  readonly pending: boolean;
  readonly problemOf: (field: string) => string | undefined;
  readonly formProblem: string | null;
  /** The fields are uncontrolled, so that what a browser fills in before hydration is kept. */
  readonly form: {
    readonly method: 'post';
    readonly noValidate: true;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly onInput: (event: InputEvent<HTMLFormElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLFormElement>) => void;
  };
}

const noProblems: Problems = { fields: new Map(), form: null };

const bodyIn = <T>(
  form: HTMLFormElement,
  bodyOf: FormOptions<T, unknown>['bodyOf'],
  submitter?: HTMLElement | null,
) => {
  const data = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name !== '') data.set(submitter.name, submitter.value);
  const field: ReadField = (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return bodyOf(field, data);
};

/**
 * Validates and sends a form, and shows what is wrong with it. The first invalid field gets the focus (keep-focus.ts).
 */
export function useForm<T, A>({
  bodyOf,
  check,
  send,
  onSent,
  onFailed,
  fieldsByCode = {},
}: FormOptions<T, A>): FormState {
  // `isPending` is rendered a moment after `mutate`; two submits in a row must still send one request.
  const inFlight = useRef(false);
  const [problems, setProblems] = useState(noProblems);
  const afterPress = useAfterPress();
  const show = (form: HTMLFormElement, errors: readonly FieldError[], message: string | null) => {
    const shown = errors.filter(({ field }) => form.elements.namedItem(field) !== null);
    const fields = new Map(shown.map(({ field, message }) => [field, message]));
    setProblems({ fields, form: fields.size > 0 ? null : message });
  };
  const { mutate, isPending: pending } = useMutation<A, Error, { body: T; form: HTMLFormElement }>(
    {
      mutationFn: ({ body }) => send(body),
      onSuccess: (answer, { body, form }) => void onSent?.(answer, body, form),
      onError(error, { form }) {
        const message = onFailed(error);
        const { code, body, serverMessage } = error instanceof ApiError ? error : {};
        const field = code && fieldsByCode[code];
        const own = field === undefined ? body?.errors : [{ field, message: serverMessage ?? message ?? '' }];
        show(form, own ?? [], message);
      },
      onSettled: () => void (inFlight.current = false),
    },
    queryClient(),
  );

  return {
    pending,
    problemOf: (field) => (pending ? undefined : problems.fields.get(field)),
    formProblem: pending ? null : problems.form,
    form: {
      method: 'post',
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        if (inFlight.current) return;
        const body = bodyIn(form, bodyOf, event.nativeEvent.submitter);
        const invalid = check(body);
        if (invalid[0] !== undefined) {
          show(form, invalid, invalid[0].message);
          return;
        }
        setProblems(noProblems);
        // It is about the attempt before this one.
        dismissFailure();
        inFlight.current = true;
        mutate({ body, form });
      },
      // A field that is being corrected is no longer marked, until it is left or the form is submitted again.
      onInput: ({ target }) => {
        const { name } = target as HTMLInputElement;
        if (problems.form === null && !problems.fields.has(name)) return;
        setProblems({ fields: new Map([...problems.fields].filter(([field]) => field !== name)), form: null });
      },
      onBlur: ({ target, currentTarget: form }) => {
        const { name = '', value = '' } = target as Partial<HTMLInputElement>;
        if (name === '' || isBlank(value)) return;
        afterPress(() => {
          if (inFlight.current) return;
          const found = check(bodyIn(form, bodyOf)).find(({ field }) => field === name);
          if (found) setProblems((shown) => ({ ...shown, fields: new Map(shown.fields).set(name, found.message) }));
        });
      },
    },
  };
}
