import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChangeEvent, FocusEvent, SubmitEvent } from 'react';
import type { ErrorCode, FieldError } from '#contract/error-codes.ts';
import { isBlank } from '#domain/visible-text.ts';
import { dismissFailure } from '#site/ui/toasts.ts';
import { useAfterPress } from './after-press.ts';
import { ApiError } from './api.ts';
import { queryClient } from './query-client.ts';
import { useFormValues } from './use-form-values.ts';
import type { FormDraft } from './use-form-values.ts';

/** Returns the text of a field by name; empty if there is none. */
export type ReadField = (name: string) => string;

interface Filled<V> {
  readonly data: FormData;
  readonly values: V;
  /** When it was sent first, in milliseconds; now, if it was not. */
  readonly sentAt: number;
}

interface FormOptions<T, A, V extends object> {
  /** The values of controlled fields at first. Whoever leaves the page with changed ones is asked first. */
  readonly initial?: V;
  /** Keeps these values in this tab instead. */
  readonly draft?: FormDraft<V>;
  /** Builds what is sent. */
  readonly bodyOf: (field: ReadField, filled: Filled<V>) => T;
  /** Validates it before it is sent, and a field that was filled in when it is left. */
  readonly check: (body: T, form: HTMLFormElement) => readonly FieldError[];
  /** The Idempotency-Key is the same until it has succeeded. */
  readonly send: (body: T, idempotencyKey: string) => Promise<A>;
  readonly onSent?: ((answer: A, body: T, form: HTMLFormElement) => unknown) | undefined;
  /** Tells what failed; returns what the form says if it is about no field, or null for nothing. */
  readonly onFailed: (error: Error) => string | null;
  /** The field that an error code of the server belongs to; its message is the server’s. */
  readonly fieldsByCode?: Partial<Record<ErrorCode, string>>;
  /** The name of the field that has a part of what is sent, unless it is the same. */
  readonly fieldOf?: (part: string, values: V) => string;
  /** Nothing on this page is read again once it is sent. */
  readonly leavesPage?: boolean;
}

interface Problems {
  readonly fields: ReadonlyMap<string, string>;
  /** The message that belongs to no single field. */
  readonly form: string | null;
}

/** State of a form, and the attributes of its `<form>`. */
export interface FormState<V extends object = object> {
  readonly values: V;
  readonly change: (part: Partial<V>) => void;
  /** The values are those of a draft. */
  readonly isRestored: boolean;
  /** Starts over. */
  readonly reset: () => void;
  readonly pending: boolean;
  readonly isSent: boolean;
  /** Why it was not sent. */
  readonly error: Error | null;
  readonly problemOf: (field: string) => string | undefined;
  /** Messages by marked field. */
  readonly problems: ReadonlyMap<string, string>;
  readonly formProblem: string | null;
  /** Without `values`, the fields are uncontrolled, so that what a browser fills in before hydration is kept. */
  readonly form: {
    readonly method: 'post';
    readonly noValidate: true;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly onChange: (event: ChangeEvent<HTMLFormElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLFormElement>) => void;
  };
}

const noProblems: Problems = { fields: new Map(), form: null };

/**
 * Validates and sends a form, and shows what is wrong with it. The first invalid field gets the focus (keep-focus.ts).
 */
export function useForm<T, A, V extends object = object>(options: FormOptions<T, A, V>): FormState<V> {
  const { initial = {} as V, draft, bodyOf, check, send, onSent, onFailed, fieldsByCode = {}, fieldOf } = options;
  // `isPending` is rendered a moment after `mutate`; two submits in a row must still send one request.
  const inFlight = useRef(false);
  const [problems, setProblems] = useState(noProblems);
  const { values, sentAt, ...kept } = useFormValues(initial, draft);
  const afterPress = useAfterPress();

  const bodyIn = (form: HTMLFormElement, submitter?: HTMLElement | null) => {
    const data = new FormData(form);
    if (submitter instanceof HTMLButtonElement && submitter.name !== '') data.set(submitter.name, submitter.value);
    const field: ReadField = (name) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
    return bodyOf(field, { data, values, sentAt: sentAt() });
  };
  /** Messages by field, the first of each. */
  const byField = (errors: readonly FieldError[]) => {
    const found = new Map<string, string>();
    for (const { field: part, message } of errors) {
      const field = fieldOf?.(part, values) ?? part;
      if (!found.has(field)) found.set(field, message);
    }
    return found;
  };
  const show = (form: HTMLFormElement, errors: readonly FieldError[], message: string | null) => {
    const fields = new Map([...byField(errors)].filter(([field]) => form.elements.namedItem(field) !== null));
    setProblems({ fields, form: fields.size > 0 ? null : message });
  };
  const {
    mutate,
    isPending: pending,
    isSuccess: isSent,
    error,
  } = useMutation<A, Error, { body: T; form: HTMLFormElement; key: string }>(
    {
      mutationFn: ({ body, key }) => send(body, key),
      meta: { leavesPage: options.leavesPage },
      onSuccess(answer, { body, form }) {
        kept.drop();
        return onSent?.(answer, body, form);
      },
      onError(error, { form }) {
        const { code, body, serverMessage, status } = error instanceof ApiError ? error : {};
        // The key was used with other content, or what it created has since been deleted; otherwise it may have succeeded.
        if (status === 422 || status === 404) kept.renewKey();
        const message = onFailed(error);
        const field = code && fieldsByCode[code];
        const own = field === undefined ? body?.errors : [{ field, message: serverMessage ?? message ?? '' }];
        show(form, own ?? [], message);
      },
      onSettled: () => void (inFlight.current = false),
    },
    queryClient(),
  );
  const shown = pending ? noProblems.fields : problems.fields;

  return {
    ...{ values, pending, isSent, error, isRestored: kept.isRestored, change: kept.change },
    reset: () => {
      setProblems(noProblems);
      kept.reset();
    },
    problems: shown,
    problemOf: (field) => shown.get(field),
    formProblem: pending ? null : problems.form,
    form: {
      method: 'post',
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        if (inFlight.current) return;
        const body = bodyIn(form, event.nativeEvent.submitter);
        const invalid = check(body, form);
        if (invalid[0] !== undefined) {
          show(form, invalid, invalid[0].message);
          return;
        }
        setProblems(noProblems);
        // It is about the attempt before this one.
        dismissFailure();
        inFlight.current = true;
        mutate({ body, form, key: kept.sending() });
      },
      // A field that is being corrected is no longer marked, until it is left or the form is submitted again.
      onChange: ({ target }) => {
        const names = [target.name, target.closest('fieldset')?.name ?? ''];
        if (problems.form === null && !names.some((name) => problems.fields.has(name))) return;
        setProblems({ fields: new Map([...problems.fields].filter(([field]) => !names.includes(field))), form: null });
      },
      onBlur: ({ target, currentTarget: form }) => {
        const { name = '', value = '', validity } = target as Partial<HTMLInputElement>;
        if (name === '' || (isBlank(value) && validity?.badInput !== true)) return;
        afterPress(() => {
          if (inFlight.current) return;
          const found = byField(check(bodyIn(form), form)).get(name);
          if (found !== undefined)
            setProblems((shown) => ({ ...shown, fields: new Map(shown.fields).set(name, found) }));
        });
      },
    },
  };
}
