import { expect, test } from 'vitest';
import { optionFieldOf } from '#site/ui/OptionList.tsx';
import type { Draft } from './create-poll-draft.ts';
import { bodyOf, emptyDraft, isDraft, isUntouched, lengthOf, newPollErrors, sentOptions } from './create-poll-draft.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const options = (...texts: string[]) => texts.map((text, index) => ({ key: 10 + index, text }));
const filled: Draft = { ...emptyDraft, question: 'Tea or coffee?', options: options('Tea', 'Coffee') };
const local = (moment: number) => {
  const date = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
};
/** What is wrong, by field of the form. */
const problems = (change: Partial<Draft>) => {
  const draft = { ...filled, ...change };
  const errors = newPollErrors(bodyOf(draft, now), now);
  return Object.fromEntries(errors.map(({ field, message }) => [optionFieldOf(field, sentOptions(draft)), message]));
};

test('[S3.19 S5.7] the payload is as specified: options by position, trimmed, without votes, starting now, without an end', () => {
  expect(
    bodyOf({ ...filled, question: '  Tea or coffee? ', options: options(' Tea', 'Coffee ', ' ', 'Neither') }, now),
  ).toEqual({
    question: 'Tea or coffee?',
    description: '',
    visibility: 'public',
    category: null,
    options: [
      { id: 'option-1', text: 'Tea', votes: 0 },
      { id: 'option-2', text: 'Coffee', votes: 0 },
      { id: 'option-3', text: 'Neither', votes: 0 },
    ],
    startsAt: '2026-11-20T12:00:00.000Z',
    endsAt: null,
  });
});

test('[S3.19] chosen dates are local and sent in UTC', () => {
  const draft = { ...filled, startsAt: local(now + 3_600_000), endsAt: local(now + 7_200_000) };
  expect(bodyOf(draft, now)).toMatchObject({
    startsAt: '2026-11-20T13:00:00.000Z',
    endsAt: '2026-11-20T14:00:00.000Z',
  });
  expect(problems(draft)).toEqual({});
});

test('[S2.82 S5.7] the question and the first two options are required; other blank options are omitted', () => {
  expect(problems({ question: '  ', options: options('', '  ', '', '') })).toEqual({
    question: 'Question is required',
    'option-10': 'Option is required',
    'option-11': 'Option is required',
  });
  const blank = { ...filled, options: options('Tea', 'Coffee', '', '  ') };
  expect(problems(blank)).toEqual({});
  expect(bodyOf(blank, now).options.map(({ text }) => text)).toEqual(['Tea', 'Coffee']);
});

test('[D6.12] a duplicate option is flagged at its own field, wherever blank options are', () => {
  expect(problems({ options: options('Tea', 'Coffee', '', ' tea ') })).toEqual({
    'option-13': 'This option is already listed',
  });
});

test('[D6.11] texts that are too long are reported with their limits', () => {
  expect(
    problems({ question: 'q'.repeat(201), description: 'd'.repeat(2001), options: options('Tea', 'o'.repeat(121)) }),
  ).toEqual({
    question: 'Question cannot exceed 200 characters',
    description: 'Description cannot exceed 2000 characters',
    'option-11': 'Option cannot exceed 120 characters',
  });
  expect(problems({ question: `  ${'👋'.repeat(200)} ` })).toEqual({});
  expect(lengthOf(`  ${'👋'.repeat(200)} `)).toBe(200);
});

test('[D6.13] the end is after the start and after now', () => {
  expect(problems({ endsAt: local(now) })).toEqual({ endsAt: 'End must be in the future' });
  expect(problems({ startsAt: local(now + 7_200_000), endsAt: local(now + 3_600_000) })).toEqual({
    endsAt: 'End must be after the start',
  });
});

test('an error of the server is about the field of the option that was sent at its place', () => {
  const sent = sentOptions({ options: options('Tea', 'Coffee', '', 'Water') });
  expect(['options.2.text', 'options', 'endsAt'].map((part) => optionFieldOf(part, sent))).toEqual([
    ...['option-13', 'options', 'endsAt'],
  ]);
});

test('a stored draft is used only if it is valid', () => {
  expect(isDraft(JSON.parse(JSON.stringify(filled)))).toBe(true);
  for (const value of [
    null,
    'draft',
    {},
    { ...filled, visibility: 'secret' },
    { ...filled, options: [{ key: 1 }] },
    { ...filled, endsAt: 'soon' },
  ])
    expect(isDraft(value)).toBe(false);
});

test('a form with only choices is untouched', () => {
  expect(isUntouched({ ...emptyDraft, visibility: 'private', category: 'Science' })).toBe(true);
  expect(isUntouched({ ...emptyDraft, options: options('', 'x') })).toBe(false);
});
