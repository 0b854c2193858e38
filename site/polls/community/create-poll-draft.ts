import isNewCommunityPoll from 'virtual:check/NewCommunityPoll';
import type { NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import {
  ballotMethods,
  communityCategories,
  optionOrders,
  pollProtections,
  resultVisibilities,
  visibilities,
} from '#contract/vocabulary.ts';
import type { OptionOrder, PollProtection, ResultVisibility, Visibility } from '#contract/vocabulary.ts';
import { newCommunityPollFindings } from '#domain/community-poll-rules.ts';
import type { EditedOption } from '#domain/pasted-options.ts';
import { readLocalTime } from '#domain/time-zone.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { checkInput } from '#site/client/check-input.ts';
import { readerZone } from '#site/ui/format.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { choiceBody, takesWriteIns } from './ChoiceFields.tsx';
import type { ChosenMethod } from './ChoiceFields.tsx';

export type DraftOption = EditedOption<number>;

/** The contents of the form. */
export interface Draft extends ChosenMethod {
  readonly question: string;
  readonly description: string;
  readonly visibility: Visibility;
  /** Left out: after voting, or of a private poll after the end. */
  readonly resultVisibility?: ResultVisibility;
  /** Empty for none. */
  readonly category: string;
  readonly options: readonly DraftOption[];
  /** Value of a date field in local time, such as 2026-11-20T18:30; empty for now. */
  readonly startsAt: string;
  /** Likewise; empty for no end. */
  readonly endsAt: string;
  /** Left out: as it follows from the options. */
  readonly optionOrder?: OptionOrder;
  /** Of a public poll; left out: yes. */
  readonly publishBallots?: boolean;
  /** Of a poll that is not private; left out: any browser. */
  readonly protection?: PollProtection;
}

/** A key that none of these options has. */
export const newOptionKey = (options: readonly DraftOption[]): number => Math.max(...options.map(({ key }) => key)) + 1;

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
    ...(draft.method !== undefined && draft.method !== 'single' && choiceBody(draft)),
    ...(takesWriteIns(draft) && { writeIns: true }),
    ...(draft.optionOrder !== undefined && { optionOrder: draft.optionOrder }),
    ...(resultsOf(draft) !== 'after-voting' && { resultVisibility: resultsOf(draft) }),
    ...(draft.visibility !== 'private' && draft.protection !== undefined && { protection: draft.protection }),
    ...(draft.visibility === 'public' && draft.publishBallots === false && { publishBallots: false }),
  };
}

/** What the server would reject, checked in advance. `now` in milliseconds. */
export const newPollErrors = (body: NewCommunityPoll, now = Date.now()): readonly FieldError[] => [
  ...checkInput(isNewCommunityPoll, body),
  ...fieldErrors(newCommunityPollFindings(body, now)),
];

/** Length in characters as the server’s limits count them. */
export function lengthOf(text: string): number {
  return Array.from(trimText(text)).length;
}

/** Whether a stored value is a valid draft. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<keyof Draft, unknown>;
  const isText = (text: unknown) => typeof text === 'string';
  const isMoment = (text: unknown) => typeof text === 'string' && /^(\d{4,6}-\d\d-\d\d)?(T\d\d:\d\d)?$/.test(text);
  return (
    [draft.question, draft.description, draft.category].every(isText) &&
    [draft.startsAt, draft.endsAt].every(isMoment) &&
    [draft.publishBallots, draft.writeIns].every((flag) => ['boolean', 'undefined'].includes(typeof flag)) &&
    [undefined, ...ballotMethods].some((one) => one === draft.method) &&
    [draft.minChoices, draft.maxChoices].every((number) => ['number', 'undefined'].includes(typeof number)) &&
    [undefined, ...optionOrders].some((one) => one === draft.optionOrder) &&
    [undefined, ...pollProtections].some((one) => one === draft.protection) &&
    [undefined, ...resultVisibilities].some((one) => one === draft.resultVisibility) &&
    (visibilities as readonly unknown[]).includes(draft.visibility) &&
    Array.isArray(draft.options) &&
    draft.options.length >= limits.communityOptionsMin &&
    draft.options.every((option: Partial<DraftOption> | null) => typeof option?.key === 'number' && isText(option.text))
  );
}
