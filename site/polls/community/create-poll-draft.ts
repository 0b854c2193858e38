import isNewCommunityPoll from 'virtual:check/NewCommunityPoll';
import { useState } from 'react';
import type { NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { communityCategories, pollProtections, resultVisibilities, visibilities } from '#contract/vocabulary.ts';
import type { ResultVisibility } from '#contract/vocabulary.ts';
import { newCommunityPollFindings } from '#domain/community-poll-rules.ts';
import { readLocalTime } from '#domain/time-zone.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { useAfterPress } from '#site/client/after-press.ts';
import { checkInput } from '#site/client/check-input.ts';
import { readerZone } from '#site/ui/format.ts';
import { momentProblem } from '#site/ui/MomentField.tsx';
import { createPollTexts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { useNow } from '#site/ui/RelativeTime.tsx';
import type { Draft, DraftOption, DraftRequest } from './create-poll-storage.ts';
import { dropDraft, newDraftRequest, storeDraft, storedDraft } from './create-poll-storage.ts';

/** The form field of one option. */
export type OptionField = `option-${number}`;
/** A field of the form. */
export type DraftField = keyof Draft | OptionField;

export const optionField = ({ key }: DraftOption): OptionField => `option-${key}`;

/** A key that none of these options has. */
export const newOptionKey = (options: readonly DraftOption[]): number => Math.max(...options.map(({ key }) => key)) + 1;

/** One sentence per invalid field, in the order of the form. */
export type DraftProblems = ReadonlyMap<DraftField, string>;

/** The blank form. */
export const emptyDraft: Draft = {
  question: '',
  description: '',
  visibility: 'public',
  category: '',
  options: Array.from({ length: limits.communityOptionsMin }, (_, key) => ({ key, text: '' })),
  startsAt: '',
  endsAt: '',
};

/** Who sees the results: of a private poll at first after the end, because its few votes arrive one by one. */
export const resultsOf = ({ resultVisibility, visibility }: Draft): ResultVisibility =>
  resultVisibility ?? (visibility === 'private' ? 'after-end' : 'after-voting');

/** Contains nothing worth keeping. */
export function isUntouched({ question, description, options, startsAt, endsAt }: Draft): boolean {
  return [question, description, startsAt, endsAt, ...options.map(({ text }) => text)].every(isBlank);
}

/** The options to send: the required first two, and all others that aren’t blank. */
export const sentOptions = ({ options }: Pick<Draft, 'options'>): readonly DraftOption[] =>
  options.filter(({ text }, index) => index < limits.communityOptionsMin || !isBlank(text));

/** The moment that a time field means in the reader’s zone, in ISO 8601; null if it is blank or can’t be used. */
export function momentOfField(value: string, isEnd: boolean): string | null {
  const moment = readLocalTime(value, readerZone(), isEnd);
  return typeof moment === 'number' ? new Date(moment).toISOString() : null;
}

/** The request body: trimmed, with option ids by position. `now` (milliseconds) is the start if none is chosen. */
export function bodyOf(draft: Draft, now: number): NewCommunityPoll {
  return {
    question: trimText(draft.question).replace(/\s*\n\s*/g, ' '),
    description: trimText(draft.description),
    visibility: draft.visibility,
    category: communityCategories.find((category) => category === draft.category) ?? null,
    options: sentOptions(draft).map(({ text }, index) => ({
      id: `option-${index + 1}`,
      text: trimText(text),
      votes: 0,
    })),
    startsAt: momentOfField(draft.startsAt, false) ?? new Date(now).toISOString(),
    endsAt: momentOfField(draft.endsAt, true),
    ...(resultsOf(draft) !== 'after-voting' && { resultVisibility: resultsOf(draft) }),
    ...(draft.visibility !== 'private' && draft.protection !== undefined && { protection: draft.protection }),
    ...(draft.visibility === 'public' && draft.publishBallots === false && { publishBallots: false }),
  };
}

const fieldOrder = [
  'question',
  'options',
  'description',
  'visibility',
  'protection',
  'category',
  'startsAt',
  'endsAt',
] as const;

/** What the server would reject, checked in advance. */
export function problemsOf(draft: Draft, now: number): DraftProblems {
  const body = bodyOf(draft, now);
  const times = (['startsAt', 'endsAt'] as const).flatMap((field) => {
    const label = createPollTexts[field === 'startsAt' ? 'starts' : 'ends'];
    const message = momentProblem(draft[field], label, readerZone());
    return message === undefined ? [] : [{ field, message }];
  });
  return problemsFrom(draft, [
    ...times,
    ...checkInput(isNewCommunityPoll, body),
    ...fieldErrors(newCommunityPollFindings(body, now)),
  ]);
}

/** Maps validation errors of the request body to form fields. */
export function problemsFrom(draft: Draft, errors: readonly FieldError[]): DraftProblems {
  const sent = sentOptions(draft);
  const found = new Map<DraftField, string>();
  for (const { field, message } of errors) {
    const [name = '', index] = field.split('.');
    const option = name === 'options' && index !== undefined ? sent[Number(index)] : undefined;
    const target = option ? optionField(option) : fieldOrder.find((one) => one === name);
    if (target !== undefined && !found.has(target)) found.set(target, message);
  }
  const order = fieldOrder.flatMap((name): DraftField[] =>
    name === 'options' ? ['options', ...draft.options.map(optionField)] : [name],
  );
  return new Map(order.flatMap((target) => (found.has(target) ? [[target, found.get(target)!] as const] : [])));
}

/** Length in characters as the server’s limits count them. */
export function lengthOf(text: string): number {
  return Array.from(trimText(text)).length;
}

/** Whether a stored value is a valid draft; an older version of this page may have written it. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<keyof Draft, unknown>;
  const isText = (text: unknown) => typeof text === 'string';
  const isMoment = (text: unknown) => typeof text === 'string' && /^(\d{4,6}-\d\d-\d\d)?(T\d\d:\d\d)?$/.test(text);
  return (
    [draft.question, draft.description, draft.category].every(isText) &&
    [draft.startsAt, draft.endsAt].every(isMoment) &&
    ['boolean', 'undefined'].includes(typeof draft.publishBallots) &&
    [undefined, ...pollProtections].some((one) => one === draft.protection) &&
    [undefined, ...resultVisibilities].some((one) => one === draft.resultVisibility) &&
    (visibilities as readonly unknown[]).includes(draft.visibility) &&
    Array.isArray(draft.options) &&
    draft.options.length >= limits.communityOptionsMin &&
    draft.options.every((option: Partial<DraftOption> | null) => typeof option?.key === 'number' && isText(option.text))
  );
}

/** A request to create a poll. */
export interface KeyedPoll {
  readonly body: NewCommunityPoll;
  readonly idempotencyKey: string;
}

const noProblems: DraftProblems = new Map();

/** The form’s state: contents, problems, and which of those are shown. Without a draft, it starts with `copied`. */
export function useCreatePollForm(userId: string, copied: Draft | null) {
  const [restored] = useState(() => {
    const stored = storedDraft(userId);
    return isDraft(stored?.draft) ? { draft: stored.draft, request: stored.request } : null;
  });
  const [draft, setDraft] = useState<Draft>(restored?.draft ?? copied ?? emptyDraft);
  const [request, setRequest] = useState<DraftRequest>(() => restored?.request ?? newDraftRequest());
  const [wasRestored, setWasRestored] = useState(restored !== null);
  const [attempted, setAttempted] = useState(false);
  const [touched, setTouched] = useState<ReadonlySet<DraftField>>(new Set());
  // Problems found only by the server or by a date field itself; kept until the field changes.
  const [reported, setReported] = useState<DraftProblems>(noProblems);
  const found = problemsOf(draft, useNow() ?? 0);

  /** Problems appear once the field has lost the focus; missing values, once the form was submitted. */
  const problemOf = (field: DraftField): string | undefined => {
    const reportedProblem = reported.get(field);
    if (reportedProblem !== undefined || attempted) return reportedProblem ?? found.get(field);
    return touched.has(field) && !isFieldBlank(draft, field) ? found.get(field) : undefined;
  };

  const saveDraft = (next: Draft) => {
    setDraft(next);
    if (isUntouched(next)) {
      dropDraft();
      setRequest(newDraftRequest());
    } else storeDraft({ userId, draft: next, request });
  };
  const saveRequest = (next: DraftRequest) => {
    setRequest(next);
    storeDraft({ userId, draft, request: next });
  };

  const addProblems = (problems: DraftProblems) => setReported((current) => new Map([...current, ...problems]));
  const clearProblem = (field: DraftField) =>
    setReported((current) => (current.has(field) ? new Map([...current].filter(([name]) => name !== field)) : current));
  const afterPress = useAfterPress();

  return {
    draft,
    /** The form started with a stored draft. */
    restored: wasRestored,
    problemOf,
    /** How many fields are marked as invalid. */
    problemCount: attempted ? new Set([...found.keys(), ...reported.keys()]).size : reported.size,
    change: (changes: Partial<Draft>, field: DraftField): void => {
      saveDraft({ ...draft, ...changes });
      clearProblem(field);
    },
    /** `problem`: the control’s own complaint, or null. */
    blur: (field: DraftField, problem?: string | null): void => {
      afterPress(() => {
        setTouched((fields) => new Set([...fields, field]));
        if (problem === null) clearProblem(field);
        else if (problem !== undefined) addProblems(new Map([[field, problem]]));
      });
    },
    /** Starts over. */
    reset: (): void => {
      saveDraft(copied ?? emptyDraft);
      setWasRestored(false);
      setAttempted(false);
      setTouched(new Set());
      setReported(noProblems);
    },
    /**
     * Validates the form for submission: returns the request, or shows all problems and returns null. Resubmitting an
     * unchanged draft returns the same request.
     */
    validate: (incomplete: DraftProblems): KeyedPoll | null => {
      const now = Date.now();
      setAttempted(true);
      setReported(incomplete);
      if (incomplete.size > 0 || problemsOf(draft, now).size > 0) return null;
      const sentAt = request.sentAt ?? now;
      saveRequest({ ...request, sentAt });
      return { body: bodyOf(draft, sentAt), idempotencyKey: request.key };
    },
    addProblems,
    /** The server has used the draft’s key for another request. */
    renewKey: (): void => saveRequest(newDraftRequest()),
  };
}

function isFieldBlank(draft: Draft, field: DraftField): boolean {
  if (field === 'options') return false;
  if (field === 'publishBallots' || field === 'resultVisibility' || field === 'protection') return false;
  const option = draft.options.find((one) => optionField(one) === field);
  return (
    lengthOf(
      option
        ? option.text
        : draft[field as Exclude<keyof Draft, 'options' | 'publishBallots' | 'resultVisibility' | 'protection'>],
    ) === 0
  );
}
