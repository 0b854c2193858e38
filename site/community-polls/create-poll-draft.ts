import type { NewCommunityPoll } from '#contract/community-poll.ts';
import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { communityCategories, visibilities, type Visibility } from '#contract/vocabulary.ts';
import { newCommunityPollFindings } from '#domain/community-poll-rules.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { checkInput } from '#site/client/check-input.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import isNewCommunityPoll from 'virtual:contract-check/newCommunityPoll';

/** An option as it is being written; the key stays with it while it moves. */
export interface DraftOption {
  readonly key: number;
  readonly text: string;
}

/** The form as it is being filled in. */
export interface Draft {
  readonly question: string;
  readonly description: string;
  readonly visibility: Visibility;
  /** Empty: none. */
  readonly category: string;
  readonly options: readonly DraftOption[];
  /** As a date field has it, in local time: 2026-11-20T18:30; empty: now. */
  readonly startsAt: string;
  /** Likewise; empty: no end. */
  readonly endsAt: string;
}

/** The field of one option. */
export type OptionField = `option-${number}`;
/** A field of the form. */
export type DraftField = keyof Draft | OptionField;

export const optionField = ({ key }: DraftOption): OptionField => `option-${key}`;

/** Why fields are refused, a sentence for each, in the order in which they stand. */
export type DraftProblems = ReadonlyMap<DraftField, string>;

/** The form when nothing is written. */
export const emptyDraft: Draft = {
  question: '',
  description: '',
  visibility: 'public',
  category: '',
  options: Array.from({ length: limits.communityOptionsMin }, (_, key) => ({ key, text: '' })),
  startsAt: '',
  endsAt: '',
};

/** Nothing is written that would be missed. */
export function isUntouched({ question, description, options, startsAt, endsAt }: Draft): boolean {
  return [question, description, startsAt, endsAt, ...options.map(({ text }) => text)].every(isBlank);
}

/** Options that are sent: the first two, which must be there, and of the others those that are not blank. */
const sentOptions = ({ options }: Draft) =>
  options.filter(({ text }, index) => index < limits.communityOptionsMin || !isBlank(text));

const moment = (local: string) => new Date(local).toISOString();

/** The call's body: trimmed, options named by position. `now` in milliseconds is the start when none is chosen. */
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
    startsAt: draft.startsAt === '' ? new Date(now).toISOString() : moment(draft.startsAt),
    endsAt: draft.endsAt === '' ? null : moment(draft.endsAt),
  };
}

const fieldOrder = ['question', 'description', 'visibility', 'category', 'options', 'startsAt', 'endsAt'] as const;

/** What the server would refuse, said before it is asked. */
export function problemsOf(draft: Draft, now: number): DraftProblems {
  const body = bodyOf(draft, now);
  return problemsFrom(draft, [
    ...checkInput(isNewCommunityPoll, body),
    ...fieldErrors(newCommunityPollFindings(body, now)),
  ]);
}

/** Puts errors of the body, as server and browser name them, beside the fields that they are about. */
export function problemsFrom(draft: Draft, errors: readonly FieldError[]): DraftProblems {
  const sent = sentOptions(draft);
  const found = new Map<DraftField, string>();
  for (const { field, message } of errors) {
    const [name = '', index] = field.split('.');
    const option = name === 'options' && index !== undefined ? sent[Number(index)] : undefined;
    const place = option ? optionField(option) : fieldOrder.find((known) => known === name);
    if (place !== undefined && !found.has(place)) found.set(place, message);
  }
  const places = fieldOrder.flatMap((name): DraftField[] =>
    name === 'options' ? ['options', ...draft.options.map(optionField)] : [name],
  );
  return new Map(places.flatMap((place) => (found.has(place) ? [[place, found.get(place)!] as const] : [])));
}

/** The characters that a limit counts, as the server counts them. */
export function lengthOf(text: string): number {
  return Array.from(trimText(text)).length;
}

/** Whether something that was stored is a draft: another version of this page may have written it. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<keyof Draft, unknown>;
  const isText = (text: unknown) => typeof text === 'string';
  const isMoment = (text: unknown) => typeof text === 'string' && (text === '' || !Number.isNaN(Date.parse(text)));
  return (
    [draft.question, draft.description, draft.category].every(isText) &&
    [draft.startsAt, draft.endsAt].every(isMoment) &&
    (visibilities as readonly unknown[]).includes(draft.visibility) &&
    Array.isArray(draft.options) &&
    draft.options.length >= limits.communityOptionsMin &&
    draft.options.every((option: Partial<DraftOption> | null) => typeof option?.key === 'number' && isText(option.text))
  );
}
