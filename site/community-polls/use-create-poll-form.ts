import { useState } from 'react';
import { useNow } from '#site/ui/use-now.ts';
import { bodyOf, emptyDraft, isDraft, isUntouched, lengthOf, optionField, problemsOf } from './create-poll-draft.ts';
import type { Draft, DraftField, DraftProblems } from './create-poll-draft.ts';
import { dropDraft, newDraftRequest, storeDraft, storedDraft } from './create-poll-storage.ts';
import type { DraftRequest } from './create-poll-storage.ts';
import { useAfterPress } from './use-after-press.ts';
import type { KeyedPoll } from './use-create-poll.ts';

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
