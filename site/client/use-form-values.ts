import { useEffect, useRef, useState } from 'react';
import { storedDraft } from './stored-draft.ts';

/** What a repeated request must share with the first one. */
interface FormRequest {
  /** Its Idempotency-Key. */
  readonly key: string;
  /** When it was sent first, in milliseconds. */
  readonly sentAt: number;
}

/** 128 random bits as hex. Works on plain HTTP, unlike `randomUUID`. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Keeps what was not sent in this tab, under a name that says whose it is. */
export interface FormDraft<V> {
  readonly name: string;
  /** An older version of this page may have stored it. */
  readonly isValid: (values: V) => boolean;
  /** There is nothing to keep. */
  readonly isBlank: (values: V) => boolean;
}

/** Asks before the page is left while something is unsaved. */
export function useLeaveGuard(isUnsaved: () => boolean): void {
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}

/** The values of a form’s controlled fields, and the request that sends them; both are kept until it has succeeded. */
export function useFormValues<V extends object>(initial: V, draft: FormDraft<V> | undefined) {
  const store = draft && storedDraft(draft.name);
  const [found] = useState(() => {
    const kept = store?.read() as { readonly values: V; readonly request: FormRequest | null } | null | undefined;
    return kept && draft?.isValid(kept.values) ? kept : null;
  });
  const [values, setValues] = useState(found?.values ?? initial);
  const [isRestored, setRestored] = useState(found !== null);
  /** As of the last change, which may not be rendered yet. */
  const latest = useRef(values);
  const request = useRef(found?.request ?? null);
  const isUnsaved = useRef(false);
  useLeaveGuard(() => isUnsaved.current);

  const keep = (next: FormRequest | null) => {
    request.current = next;
    if (store) isUnsaved.current = !store.keep({ values: latest.current, request: next });
  };
  const drop = () => {
    store?.drop();
    request.current = null;
    isUnsaved.current = false;
  };
  const set = (next: V) => {
    latest.current = next;
    setValues(next);
  };
  return {
    ...{ values, isRestored, drop },
    change: (part: Partial<V>) => {
      set({ ...latest.current, ...part });
      isUnsaved.current = true;
      if (draft?.isBlank(latest.current)) drop();
      else keep(request.current);
    },
    /** When the request was sent first; now, if it was not. */
    sentAt: () => request.current?.sentAt ?? Date.now(),
    /** Keeps the request for repetitions; its key. */
    sending: () => {
      const sent = request.current ?? { key: newKey(), sentAt: Date.now() };
      keep(sent);
      return sent.key;
    },
    renewKey: () => keep(null),
    /** Starts over. */
    reset: () => {
      setRestored(false);
      set(initial);
      drop();
    },
  };
}
