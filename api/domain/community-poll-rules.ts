import type { NewCommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import type { Finding } from '#texts/field-errors.ts';
import { isStorable } from './comment-text.ts';
import { isBlank, trimText } from './visible-text.ts';

/** Milliseconds by which a browser's clock may be ahead: a poll that starts within them starts now. */
export const communityStartSlackMs = 120_000;

/** What tells options apart: two whose keys are equal would look the same to a voter. */
export function optionKey(text: string): string {
  // There and back is what comes closest to case folding: "Straße" and "STRASSE" meet, as do both small sigmas.
  return trimText(text).normalize('NFC').toUpperCase().toLowerCase();
}

/**
 * What the schema of a new community poll cannot say, for server and browser: nothing is blank or impossible to keep, no
 * two options are equal, and the end lies after the start and after now (milliseconds). Empty when all is well.
 */
export function newCommunityPollFindings(
  poll: Pick<NewCommunityPoll, 'question' | 'description' | 'options' | 'startsAt' | 'endsAt'>,
  now: number,
): Finding[] {
  const { question, description = '', options } = poll;
  const findings: Finding[] = [];
  if (isBlank(question)) findings.push(blank('/question'));
  if (!isStorable(question)) findings.push(unstorable('/question'));
  if (!isStorable(description)) findings.push(unstorable('/description'));
  const ids = new Set<string>();
  const seen = new Set<string>();
  for (const [index, { id, text }] of options.entries()) {
    const path = `/options/${index}/text`;
    const key = optionKey(text);
    if (ids.has(id)) findings.push({ keyword: 'repeated', instancePath: `/options/${index}/id`, params: {} });
    ids.add(id);
    if (key === '') findings.push(blank(path));
    else if (!isStorable(text)) findings.push(unstorable(path));
    else if (seen.has(key)) findings.push({ keyword: 'repeated', instancePath: path, params: {} });
    seen.add(key);
  }
  return [...findings, ...dateFindings(poll, now)];
}

/** When a new poll is open, in milliseconds: from `now` where no start was chosen, or one that has passed. */
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
  const furthest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + limits.communityYearsAhead);
  const wrong = (keyword: string, field: string): Finding[] => [{ keyword, instancePath: `/${field}`, params: {} }];
  // The format of the contract allows leap seconds, which have no moment here.
  const start = Number.isNaN(startsAt) ? 'format' : startsAt > furthest ? 'tooFar' : null;
  const startFindings = start === null ? [] : wrong(start, 'startsAt');
  if (endsAt === null) return startFindings;
  const end = Number.isNaN(endsAt)
    ? 'format'
    : endsAt <= now
      ? 'afterNow'
      : endsAt <= startsAt
        ? 'afterStart'
        : endsAt > furthest
          ? 'tooFar'
          : null;
  return end === null ? startFindings : [...startFindings, ...wrong(end, 'endsAt')];
}

/** The poll as it is kept: no white space around what was written, and no blank options. Other shapes stay as they are. */
export function tidyCommunityPoll(sent: unknown): unknown {
  if (!isRecord(sent)) return sent;
  const { options } = sent;
  const tidy = trimmed(sent, ['question', 'description']);
  if (!Array.isArray(options)) return tidy;
  const tidyOptions = options.map((option: unknown) => (isRecord(option) ? trimmed(option, ['text']) : option));
  return { ...tidy, options: tidyOptions.filter((option) => !isRecord(option) || option.text !== '') };
}

function trimmed(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const tidy = (name: string, value: unknown) =>
    names.includes(name) && typeof value === 'string' ? trimText(value) : value;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, tidy(name, value)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The finding that the schema's own `minLength: 1` would have made of nothing at all. */
const blank = (instancePath: string): Finding => ({ keyword: 'minLength', instancePath, params: { limit: 1 } });
const unstorable = (instancePath: string): Finding => ({ keyword: 'storable', instancePath, params: {} });
