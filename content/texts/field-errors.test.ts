import { expect, test } from 'vitest';
import { fieldErrors } from './field-errors.ts';

const finding = (keyword: string, instancePath: string, params: object) => ({
  keyword,
  instancePath,
  params: params as Record<string, unknown>,
});

test('an unknown field named like a built-in property is reported like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(fieldErrors([finding('additionalProperties', '', { additionalProperty: name })])).toEqual([
      { field: name, message: `“${name}” is not expected here. Reload the page and try again.` },
    ]);
});

test('an error about a constant names the expected value', () => {
  expect(fieldErrors([finding('const', '/options/0/votes', { allowedValue: 0 })])).toEqual([
    { field: 'options.0.votes', message: 'Votes must be 0' },
  ]);
});

test('errors about numbers, choices, and options are sentences', () => {
  const messages = [
    finding('minimum', '/page', { limit: 1 }),
    finding('maximum', '/limit', { limit: 1_000_000 }),
    finding('required', '', { missingProperty: 'optionId' }),
    finding('type', '/dryRun', { type: 'boolean' }),
    finding('minProperties', '', { limit: 1 }),
    finding('type', '', { type: 'object' }),
  ].map((one) => fieldErrors([one])[0]?.message);
  expect(messages).toEqual([
    'Page must be 1 or more',
    'Page size must be 1,000,000 or less',
    'Please choose an option',
    'Dry run must be true or false',
    'Please change at least one field',
    'We couldn’t understand this request. Reload the page and try again.',
  ]);
});
