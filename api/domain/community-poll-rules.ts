import type { NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import type { Finding } from '#texts/field-errors.ts';
import { isStorable } from './comment-text.ts';
import { mixesAlphabets } from './mixed-alphabets.ts';
import { repeatedOptions } from './option-key.ts';
import { hasHiddenCharacters, isBlank, trimText } from './visible-text.ts';

/** Milliseconds by which a browser's clock may be ahead: a poll that starts within them starts now. */
export const communityStartSlackMs = 120_000;

/**
 * Validates what the schema of a new community poll can't express, on the server and in the browser: texts are visible and
 * storable, options differ, a vote can choose as many as it must, and the end is after the start and after `now` (milliseconds). Empty when valid.
 */
export function newCommunityPollFindings(
  poll: Pick<NewCommunityPoll, 'question' | 'description' | 'options' | 'startsAt' | 'endsAt'> & AskedChoice,
  now: number,
): Finding[] {
  const { question, description = '', options } = poll;
  const findings: Finding[] = [];
  if (isBlank(question)) findings.push(blank('/question'));
  if (!isStorable(question)) findings.push(unstorable('/question'));
  if (!isStorable(description)) findings.push(unstorable('/description'));
  const ids = new Set<string>();
  const repeated = repeatedOptions(options);
  for (const [index, { id, text }] of options.entries()) {
    const path = `/options/${index}/text`;
    if (ids.has(id)) findings.push({ keyword: 'repeated', instancePath: `/options/${index}/id`, params: {} });
    ids.add(id);
    if (isBlank(text)) findings.push(blank(path));
    else if (!isStorable(text)) findings.push(unstorable(path));
    else if (repeated.has(index)) findings.push({ keyword: 'repeated', instancePath: path, params: {} });
  }
  return [...findings, ...choiceFindings(poll), ...dateFindings(poll, now)];
}

/** What the creator of a poll says about the options of a vote. */
type AskedChoice = Pick<NewCommunityPoll, 'method' | 'minChoices' | 'maxChoices' | 'writeIns'>;

/** How many options a vote on a new poll with so many of them chooses. */
export const choiceIn = ({ method = 'single', minChoices, maxChoices }: AskedChoice, options: number) =>
  method === 'single'
    ? { method, min: 1, max: 1 }
    : { method, min: minChoices ?? 1, max: maxChoices ?? Math.max(2, options) };

function choiceFindings({ options, ...asked }: AskedChoice & Pick<NewCommunityPoll, 'options'>): Finding[] {
  const { method, min, max } = choiceIn(asked, options.length);
  const wrong = (keyword: string, field: string): Finding[] => [{ keyword, instancePath: `/${field}`, params: {} }];
  if (method !== 'single' && asked.writeIns) return wrong('needsSingle', 'writeIns');
  if (method === 'single') return asked.minChoices || asked.maxChoices ? wrong('needsSeveral', 'method') : [];
  if (asked.maxChoices !== undefined && max > options.length) return wrong('moreThanOptions', 'maxChoices');
  return min > max ? wrong('moreThanMost', 'minChoices') : [];
}

/** When a new poll opens and ends, in milliseconds: it opens at `now` without a start or with one in the past. */
export function openingTimes(
  { startsAt, endsAt }: Pick<NewCommunityPoll, 'startsAt' | 'endsAt'>,
  now: number,
): { readonly startsAt: number; readonly endsAt: number | null } {
  const start = startsAt == null ? now : Date.parse(startsAt);
  return {
    startsAt: start <= now + communityStartSlackMs ? now : start,
    endsAt: endsAt == null ? null : Date.parse(endsAt),
  };
}

function dateFindings(poll: Pick<NewCommunityPoll, 'startsAt' | 'endsAt'>, now: number): Finding[] {
  const { startsAt, endsAt } = openingTimes(poll, now);
  const latest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + limits.communityYearsAhead);
  const wrong = (keyword: string, field: string): Finding[] => [{ keyword, instancePath: `/${field}`, params: {} }];
  // The format of the contract allows leap seconds, which Date can't parse.
  const start = Number.isNaN(startsAt) ? 'format' : startsAt > latest ? 'tooFar' : null;
  const startFindings = start === null ? [] : wrong(start, 'startsAt');
  if (endsAt === null) return startFindings;
  const end = Number.isNaN(endsAt)
    ? 'format'
    : endsAt <= now
      ? 'afterNow'
      : endsAt <= startsAt
        ? 'afterStart'
        : endsAt > latest
          ? 'tooFar'
          : null;
  return end === null ? startFindings : [...startFindings, ...wrong(end, 'endsAt')];
}

/** Validates what the schema of an answer that a voter writes can’t express, in its trimmed text. Empty when valid. */
export function writeInFindings(text: string): Finding[] {
  if (isBlank(text)) return [blank('/writeIn')];
  if (!isStorable(text) || hasHiddenCharacters(text)) return [unstorable('/writeIn')];
  return mixesAlphabets(text) ? [{ instancePath: '/writeIn', keyword: 'lookalike', params: {} }] : [];
}

/** Trims the texts of a new poll and drops blank options before validation; returns other shapes unchanged. */
export function normalizeCommunityPoll(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { options } = body;
  const poll = trimmed(body, ['question', 'description']);
  if (!Array.isArray(options)) return poll;
  const trimmedOptions = options.map((option: unknown) => (isRecord(option) ? trimmed(option, ['text']) : option));
  return { ...poll, options: trimmedOptions.filter((option) => !isRecord(option) || option.text !== '') };
}

/** Trims the text of a vote that writes an answer before validation; returns other shapes unchanged. */
export const normalizeVote = (body: unknown): unknown =>
  isRecord(body) && 'writeIn' in body ? trimmed(body, ['writeIn']) : body;

function trimmed(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const trim = (name: string, value: unknown) =>
    names.includes(name) && typeof value === 'string' ? trimText(value) : value;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, trim(name, value)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same finding as that of the schema’s `minLength: 1` for an empty text. */
const blank = (instancePath: string): Finding => ({ keyword: 'minLength', instancePath, params: { limit: 1 } });
const unstorable = (instancePath: string): Finding => ({ keyword: 'storable', instancePath, params: {} });
