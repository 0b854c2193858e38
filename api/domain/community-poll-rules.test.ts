import { expect, test } from 'vitest';
import { fieldErrors } from '#texts/field-errors.ts';
import {
  newCommunityPollFindings,
  openingTimes,
  normalizeCommunityPoll,
  writeInFindings,
} from './community-poll-rules.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const options = (...texts: string[]) => texts.map((text, index) => ({ id: `option-${index + 1}`, text }));
const plain = { question: 'Tea or coffee?', options: options('Tea', 'Coffee'), startsAt: null, endsAt: null };
const errorsOf = (change: Partial<Parameters<typeof newCommunityPollFindings>[0]>) =>
  fieldErrors(newCommunityPollFindings({ ...plain, ...change }, now));

test('[S2.82 S3.13] a question with two different options and no dates is valid', () => {
  expect(errorsOf({})).toEqual([]);
});

test('a blank question is refused', () => {
  expect(errorsOf({ question: ' \n\t ' })).toEqual([{ field: 'question', message: 'Question is required' }]);
});

test('a blank option is refused', () => {
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
])('[D6.12] "%s" and "%s" are the same option, reported at the second', (first, second) => {
  expect(errorsOf({ options: options(first, 'Coffee', second) })).toEqual([
    { field: 'options.2.text', message: 'This option is already listed' },
  ]);
});

test('options that differ by an accent are different', () => {
  expect(errorsOf({ options: options('resume', 'résumé') })).toEqual([]);
});

test('[D6.13] the end must be in the future', () => {
  const message = 'End must be in the future';
  expect(errorsOf({ endsAt: '2026-11-20T12:00:00Z' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ endsAt: '2026-11-20T12:00:01Z' })).toEqual([]);
});

test('[D6.13] the end must be after the start', () => {
  const message = 'End must be after the start';
  const startsAt = '2026-11-22T12:00:00Z';
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T13:00:00+01:00' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T12:01:00Z' })).toEqual([]);
});

test('dates must be valid and within ten years', () => {
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

test.each(['a\0b', 'a\ud83d'])('unstorable characters are refused in every text (%j)', (text) => {
  expect(
    errorsOf({ question: text, description: text, options: options('Tea', text) }).map(({ field }) => field),
  ).toEqual(['question', 'description', 'options.1.text']);
});

test('two options can’t have the same id', () => {
  const twice = [
    { id: 'option-1', text: 'Tea' },
    { id: 'option-1', text: 'Coffee' },
  ];
  expect(errorsOf({ options: twice })).toEqual([{ field: 'options.1.id', message: 'Two options have the same id' }]);
});

test('[S3.4 S5.8] a poll without a start, or with one in the past, opens now', () => {
  const later = '2026-11-21T12:00:00Z';
  expect(openingTimes({ startsAt: null }, now)).toEqual({ startsAt: now, endsAt: null });
  expect(openingTimes({ startsAt: '2020-01-01T00:00:00Z', endsAt: later }, now)).toEqual({
    startsAt: now,
    endsAt: Date.parse(later),
  });
  expect(openingTimes({ startsAt: later }, now).startsAt).toBe(Date.parse(later));
});

test('[S5.7] white space around texts and blank options are removed before validation', () => {
  expect(
    normalizeCommunityPoll({
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
  'a body that isn’t a poll stays unchanged (%j)',
  (sent) => {
    expect(normalizeCommunityPoll(sent)).toEqual(sent);
  },
);

test('a written answer can be in any script, but no word of it mixes letters that look alike', () => {
  for (const text of [
    'Париж',
    'Παρίσι',
    '巴黎',
    'باريس',
    'パリ',
    'Paris or Париж',
    'IT-отдел',
    '5 µm',
    '5 \u03bcm',
    '10 kΩ',
    '🇫🇷 Paris',
  ])
    expect([text, writeInFindings(text)]).toEqual([text, []]);
  for (const text of ['\u0420aris', 'Par\u0456s, France', '\u03a1aris', '\u041f\u03b1\u0440\u0438\u0436'])
    expect(writeInFindings(text)).toEqual([{ instancePath: '/writeIn', keyword: 'lookalike', params: {} }]);
});
