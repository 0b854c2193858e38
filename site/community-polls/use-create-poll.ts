import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommunityPoll, NewCommunityPoll } from '#contract/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { useNow } from '#site/ui/RelativeTime.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { bodyOf, emptyDraft, isDraft, isUntouched, lengthOf, optionField, problemsOf } from './create-poll-draft.ts';
import type { Draft, DraftField, DraftProblems } from './create-poll-draft.ts';
import { dropDraft, newDraftRequest, storeDraft, storedDraft } from './create-poll-storage.ts';
import type { DraftRequest } from './create-poll-storage.ts';

/** A poll to be made, and the Idempotency-Key of its draft. */
interface KeyedPoll {
  readonly body: NewCommunityPoll;
  readonly idempotencyKey: string;
}

/** Makes a poll; says that it is made or why it is not. */
export function useCreatePoll(events: {
  readonly onMade: (poll: CommunityPoll) => void;
  readonly onRefused: (error: Error) => void;
}) {
  return useMutation<CommunityPoll, Error, KeyedPoll>(
    {
      mutationFn: (poll) => callApi('createCommunityPoll', poll),
      onSuccess: (poll) => {
        toast({ title: texts.created });
        events.onMade(poll);
      },
      onError: (error) => {
        const text = isSessionOver(error) ? texts.failed : failureText(error, texts.failed);
        toast({ title: texts.failedTitle, text, destructive: true });
        events.onRefused(error);
      },
    },
    queryClient(),
  );
}

/** Nobody is signed in any more. */
export function isSessionOver(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** What the form adds to the notification of a poll that was not made. */
export function notMadeText(error: Error): string {
  return isSessionOver(error) ? texts.signedOut : failureNote(error, texts.draftKept);
}

const noProblems: DraftProblems = new Map();

/** What is written in the form, what is wrong with it, and what of that is said already. */
export function useCreatePollForm(userId: string) {
  const [restored] = useState(() => {
    const stored = storedDraft(userId);
    return isDraft(stored?.draft) ? { draft: stored.draft, request: stored.request } : null;
  });
  const [draft, setDraft] = useState<Draft>(restored?.draft ?? emptyDraft);
  const [request, setRequest] = useState<DraftRequest>(() => restored?.request ?? newDraftRequest());
  const [kept, setKept] = useState(restored !== null);
  const [attempted, setAttempted] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set());
  // What only the server, or only the date field itself, knows to be wrong; until the field is changed.
  const [refused, setRefused] = useState<DraftProblems>(noProblems);
  const found = problemsOf(draft, useNow() ?? 0);

  /** A field says what is wrong once it is left; that something is missing, once the form was sent. */
  const problemOf = (field: DraftField): string | undefined => {
    const known = refused.get(field);
    if (known !== undefined || attempted) return known ?? found.get(field);
    return left.has(field) && !isBlank(draft, field) ? found.get(field) : undefined;
  };

  const store = (next: Draft) => {
    setDraft(next);
    if (isUntouched(next)) {
      dropDraft();
      setRequest(newDraftRequest());
    } else storeDraft({ userId, open: true, draft: next, request });
  };
  const keep = (next: DraftRequest) => {
    setRequest(next);
    storeDraft({ userId, open: true, draft, request: next });
  };

  const refuse = (problems: DraftProblems) => setRefused((known) => new Map([...known, ...problems]));
  const allow = (field: DraftField) =>
    setRefused((known) => (known.has(field) ? new Map([...known].filter(([name]) => name !== field)) : known));
  const afterPress = useAfterPress();

  return {
    draft,
    /** It began with what was written before. */
    kept,
    problemOf,
    /** How many fields are said to be wrong. */
    problems: attempted ? new Set([...found.keys(), ...refused.keys()]).size : refused.size,
    change: (changes: Partial<Draft>, field: DraftField): void => {
      store({ ...draft, ...changes });
      allow(field);
    },
    /** `problem`: what the control itself finds wrong, null for nothing. */
    leave: (field: DraftField, problem?: string | null): void => {
      afterPress(() => {
        setLeft((fields) => new Set([...fields, field]));
        if (problem === null) allow(field);
        else if (problem !== undefined) refuse(new Map([[field, problem]]));
      });
    },
    /** Begins anew. */
    clear: (): void => {
      store(emptyDraft);
      setKept(false);
      setAttempted(false);
      setLeft(new Set());
      setRefused(noProblems);
    },
    /**
     * The form is to be sent: answers with the call's body and Idempotency-Key, or says everything that is wrong and
     * answers null. A draft that is sent again unchanged has the same of both.
     */
    attempt: (incomplete: DraftProblems): KeyedPoll | null => {
      const now = Date.now();
      setAttempted(true);
      setRefused(incomplete);
      if (incomplete.size > 0 || problemsOf(draft, now).size > 0) return null;
      const sentAt = request.sentAt ?? now;
      keep({ ...request, sentAt });
      return { body: bodyOf(draft, sentAt), idempotencyKey: request.key };
    },
    refuse,
    /** The draft's key belongs to something else. */
    renewKey: (): void => keep(newDraftRequest()),
    /** The form is put away; what is written waits. */
    putAway: (): void => {
      if (!isUntouched(draft)) storeDraft({ userId, open: false, draft, request });
    },
  };
}

/** Nothing is written in a field yet. */
function isBlank(draft: Draft, field: DraftField): boolean {
  if (field === 'options') return false;
  const option = draft.options.find((one) => optionField(one) === field);
  return lengthOf(option ? option.text : draft[field as Exclude<keyof Draft, 'options'>]) === 0;
}

/**
 * Does something once no pointer is pressed. A press on a button makes the field before it lose the focus: a sentence
 * that appears there at once would move the button away under the finger, and the press would miss.
 */
function useAfterPress(): (act: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const release = () => {
      pressed.current = false;
      // The click comes after this, in the same turn.
      setTimeout(() => {
        for (const act of waiting.current.splice(0)) act();
      });
    };
    addEventListener('pointerdown', () => (pressed.current = true), options);
    for (const event of ['pointerup', 'pointercancel', 'dragend']) addEventListener(event, release, options);
    return () => listening.abort();
  }, []);

  return useCallback((act) => {
    if (pressed.current) waiting.current.push(act);
    else act();
  }, []);
}
