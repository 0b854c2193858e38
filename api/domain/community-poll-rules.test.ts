import { expect, test } from 'vitest';
import { fieldErrors } from '#texts/field-errors.ts';
import { newCommunityPollFindings } from './community-poll-rules.ts';

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
    { field: 'options.2.text', message: 'This option is there already' },
  ]);
});

test('options that differ by an accent are two', () => {
  expect(errorsOf({ options: options('resume', 'résumé') })).toEqual([]);
});

test('the end lies after now', () => {
  const message = 'End must lie in the future';
  expect(errorsOf({ endsAt: '2026-11-20T12:00:00Z' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ endsAt: '2026-11-20T12:00:01Z' })).toEqual([]);
});

test('the end lies after the start', () => {
  const message = 'End must be after the start';
  const startsAt = '2026-11-22T12:00:00Z';
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T13:00:00+01:00' })).toEqual([{ field: 'endsAt', message }]);
  expect(errorsOf({ startsAt, endsAt: '2026-11-22T12:01:00Z' })).toEqual([]);
});
