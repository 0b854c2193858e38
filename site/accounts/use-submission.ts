import { useEffect, useRef, useState } from 'react';
import type { InputEvent, RefObject, SubmitEvent } from 'react';
import type { ErrorCode, FieldError } from '#contract/error-codes.ts';
import { ApiError } from '#site/client/api.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { noticeSessionEnd } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFailureTexts as texts } from '#texts/accounts.ts';

interface SubmissionOptions<T, A> {
  /** The call's body out of what the fields hold; `field` answers with the text of one of them. */
  readonly bodyOf: (field: (name: string) => string) => T;
  /** What is wrong with it, as far as the browser knows. */
  readonly check: (body: T) => readonly FieldError[];
  /** What takes the browser a while to find wrong; asked once nothing else is. */
  readonly checkSlowly?: (body: T) => Promise<readonly FieldError[]>;
  readonly send: (body: T) => Promise<A>;
  readonly onDone: (answer: A, form: HTMLFormElement) => void;
  /** Title of the notification when it fails. */
  readonly failedTitle: string;
  /** The notification gives the reason, and the form only what it leaves out; else the form gives it. */
  readonly reasonInToast?: boolean;
  /** Fields that are wrong by the code of the server's refusal. */
  readonly fieldsByCode?: Partial<Record<ErrorCode, string>>;
  /** Field to go on at when no field in particular is wrong; else the button. */
  readonly again?: string;
}

interface Refusal {
  readonly fields: ReadonlyMap<string, string>;
  /** What is no single field's fault. */
  readonly form: string | null;
}

/** How a form is sent: what is wrong with it, and what its elements need for it. */
export interface Submission {
  readonly pending: boolean;
  readonly problemOf: (field: string) => string | undefined;
  readonly formProblem: string | null;
  /** For the form element; its fields keep their own texts, so that what a browser fills in before the page is awake counts. */
  readonly form: {
    readonly ref: RefObject<HTMLFormElement | null>;
    readonly method: 'post';
    readonly noValidate: true;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    readonly onInput: (event: InputEvent<HTMLFormElement>) => void;
  };
}

const nothing: Refusal = { fields: new Map(), form: null };

function errorsIn(
  error: unknown,
  sentence: string,
  fieldsByCode: Partial<Record<ErrorCode, string>> = {},
): readonly FieldError[] {
  if (!(error instanceof ApiError)) return [];
  const field = error.code && fieldsByCode[error.code];
  return field === undefined ? (error.body?.errors ?? []) : [{ field, message: sentence }];
}

/** Sends a form of an account: checks it here, then asks the server, and leads to what has to be mended. */
export function useSubmission<T, A>(options: SubmissionOptions<T, A>): Submission {
  const ref = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState(nothing);
  const [refusals, setRefusals] = useState(0);
  const [done, setDone] = useState(0);
  const { again } = options;

  useEffect(() => {
    if (refusals === 0) return;
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid]');
    const other = ref.current?.querySelector<HTMLElement>(again === undefined ? '[type=submit]' : `[name="${again}"]`);
    (wrong ?? other)?.focus();
  }, [refusals, again]);

  // What was out of use while the form was on its way lost the focus, unless something else has it since.
  useEffect(() => {
    if (done > 0 && document.activeElement === document.body)
      ref.current?.querySelector<HTMLElement>('[type=submit]')?.focus({ preventScroll: true });
  }, [done]);

  const refuse = (form: HTMLFormElement, errors: readonly FieldError[], sentence: string) => {
    const fields = new Map(
      errors
        .filter(({ field }) => form.elements.namedItem(field) !== null)
        .map(({ field, message }) => [field, message]),
    );
    setRefusal({ fields, form: fields.size > 0 ? null : sentence });
    setRefusals((count) => count + 1);
  };

  const submit = async (form: HTMLFormElement) => {
    const written = new FormData(form);
    const body = options.bodyOf((name) => {
      const text = written.get(name);
      return typeof text === 'string' ? text : '';
    });
    const wrong = options.check(body);
    if (wrong[0] !== undefined) {
      refuse(form, wrong, wrong[0].message);
      return;
    }
    setRefusal(nothing);
    setPending(true);
    const found = options.checkSlowly === undefined ? [] : await options.checkSlowly(body);
    if (found[0] !== undefined) {
      setPending(false);
      refuse(form, found, found[0].message);
      return;
    }
    try {
      const answer = await options.send(body);
      setPending(false);
      setDone((count) => count + 1);
      options.onDone(answer, form);
    } catch (error) {
      const text = failureText(error, texts.unknown);
      const { failedTitle: title, reasonInToast = false } = options;
      const sentence = reasonInToast ? failureNote(error, texts.typedKept) : failureSentence(error, texts.unknown);
      setPending(false);
      refuse(form, errorsIn(error, text, options.fieldsByCode), sentence);
      toast({ title, ...(reasonInToast && { text }), destructive: true });
      if (error instanceof Error) noticeSessionEnd(error);
    }
  };

  return {
    pending,
    problemOf: (field) => refusal.fields.get(field),
    formProblem: refusal.form,
    form: {
      ref,
      method: 'post',
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        if (!pending) void submit(event.currentTarget);
      },
      // What is being mended is wrong no longer, until it is sent again.
      onInput: ({ target }) => {
        const { name } = target as HTMLInputElement;
        if (refusal.form === null && !refusal.fields.has(name)) return;
        setRefusal({ fields: new Map([...refusal.fields].filter(([field]) => field !== name)), form: null });
      },
    },
  };
}
