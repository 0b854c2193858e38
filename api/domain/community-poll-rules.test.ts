import { expect, test } from 'vitest';
import { fieldErrors } from '#texts/field-errors.ts';
import { newCommunityPollFindings, openingTimes, tidyCommunityPoll } from './community-poll-rules.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const options = (...texts: string[]) => texts.map((text, index) => ({ id: `option-${index + 1}`, text }));
const plain = { question: 'Tea or coffee?', options: options('Tea', 'Coffee'), startsAt: null, endsAt: null };
const errorsOf = (change: Partial<Parameters<typeof newCommunityPollFindings>[0]>) =>
  fieldErrors(newCommunityPollFindings({ ...plain, ...change }, now));

test('a question with two different options and no dates is fine', () => {
  expect(errorsOf({})).toEqual([]);
});

test('a question of spaces is no question', () => {
  expect(errorsOf({ question: ' \n\t ' })).toEqual([{ field: 'question', message: 'Question is required' }]);
});

test('an option of spaces is no option', () => {
  expect(errorsOf({ options: options('Tea', '  ') })).toEqual([
    { field: 'options.1.text', message: 'Option is required' },
  ]);
});

test.each([
  ['Tea', 'Tea'],
  [' Tea', 'tea\u00a0'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['Cafe\u0301', 'Café'],
])('"%s" and "%s" are one option twice, said at the second', (first, second) => {
  expect(errorsOf({ options: options(first, 'Coffee', second) })).toEqual([
    { field: 'options.2.text', message: 'This option is already listed' },
  ]);
});

test('options that differ by an accent are two', () => {
  expect(errorsOf({ options: options('resume', 'résumé') })).toEqual([]);
});

test('the end lies after now', () => {
  const message = 'End must be in the future';
  expect(errorsOf({ endsAt: '2026-11-20T12:00:00Z' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ endsAt: '2026-11-20T12:00:01Z' })).toEqual([]);
});

test('the end lies after the start', () => {
  const message = 'End must be after the start';
  const startsAt = '2026-11-22T12:00:00Z';
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T13:00:00+01:00' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T12:01:00Z' })).toEqual([]);
});

test('dates lie within ten years, and no later than the calendar knows', () => {
  expect(errorsOf({ startsAt: '2036-11-20T12:00:00Z' })).toEqual([]);
  expect(errorsOf({ startsAt: '2036-11-20T12:00:01Z' })).toEqual([
    { field: 'startsAt', message: 'Start must be within 10 years' },
  ]);
  expect(errorsOf({ endsAt: '9999-12-31T23:59:59Z' })).toEqual([
    { field: 'endsAt', message: 'End must be within 10 years' },
  ]);
  expect(errorsOf({ startsAt: '2026-12-31T23:59:60Z', endsAt: '2026-12-31T23:59:60Z' })).toEqual([
    { field: 'startsAt', message: 'Start must be a date, or a date and time' },
    { field: 'endsAt', message: 'End must be a date and time' },
  ]);
});

test.each(['a\0b', 'a\ud83d'])('what no database can keep is refused in every text (%j)', (text) => {
  expect(
    errorsOf({ question: text, description: text, options: options('Tea', text) }).map(({ field }) => field),
  ).toEqual(['question', 'description', 'options.1.text']);
});

test('two options cannot have one id', () => {
  const twice = [
    { id: 'option-1', text: 'Tea' },
    { id: 'option-1', text: 'Coffee' },
  ];
  expect(errorsOf({ options: twice })).toEqual([{ field: 'options.1.id', message: 'Two options have the same id' }]);
});

test('a poll without a start, or with one that has passed, is open from now on', () => {
  const later = '2026-11-21T12:00:00Z';
  expect(openingTimes({ startsAt: null }, now)).toEqual({ startsAt: now, endsAt: null });
  expect(openingTimes({ startsAt: '2020-01-01T00:00:00Z', endsAt: later }, now)).toEqual({
    startsAt: now,
    endsAt: Date.parse(later),
  });
  expect(openingTimes({ startsAt: later }, now).startsAt).toBe(Date.parse(later));
});

test('white space around texts and blank options are left out before anything is counted', () => {
  expect(
    tidyCommunityPoll({
      question: ' Tea? ',
      description: '\n\u3164',
      options: [
        { id: 'option-1', text: ' Yes\t' },
        { id: 'option-2', text: ' \u00a0\u200b\u2060' },
        { id: 'option-3', text: 'No' },
      ],
    }),
  ).toEqual({
    question: 'Tea?',
    description: '',
    options: [
      { id: 'option-1', text: 'Yes' },
      { id: 'option-3', text: 'No' },
    ],
  });
});

test.each([null, 7, 'poll', [], { question: 7, options: 'two' }, { options: [null, 'x', { id: 1 }] }])(
  'what is no poll stays what it is (%j)',
  (sent) => {
    expect(tidyCommunityPoll(sent)).toEqual(sent);
  },
);
