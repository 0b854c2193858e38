import { expect, test } from 'vitest';
import { fieldErrors } from './field-errors.ts';

const finding = (keyword: string, instancePath: string, params: object) => ({
  keyword,
  instancePath,
  params: params as Record<string, unknown>,
});

test('a member that every object has without being given it is named like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(fieldErrors([finding('additionalProperties', '', { additionalProperty: name })])).toEqual([
      { field: name, message: `${name} is not a field of this call` },
    ]);
});

test('a value that may be one thing only is told which', () => {
  expect(fieldErrors([finding('const', '/options/0/votes', { allowedValue: 0 })])).toEqual([
    { field: 'options.0.votes', message: 'votes must be 0' },
  ]);
});
