import { expect, test } from 'vitest';
import { defaultOrder } from './option-order.ts';
import { pinnedBy } from './pinned-options.ts';

test.each([
  [['Tea', 'Coffee', 'Water'], 'random'],
  [['Tea', 'Coffee', 'Other'], 'random-1'],
  [['Tea', 'Coffee', 'Other drinks', 'I don’t know'], 'random-2'],
  [['Tea', 'Coffee', 'Both', 'Neither', 'Not sure'], 'random-3'],
  [['Tea', 'Coffee', 'All of these', 'Both', 'Neither', 'Not sure'], 'random-3'],
  [['Yes', 'No'], 'random'],
  [['Tea', 'Other'], 'fixed'],
  [['Other', 'Don’t know'], 'fixed'],
  [['Agree', 'Neither agree nor disagree', 'Disagree'], 'fixed'],
  [['Strongly agree', 'Agree', 'Disagree', 'Strongly disagree', 'Don’t know'], 'fixed'],
  // Not at the end.
  [['Other', 'Tea', 'Coffee'], 'random'],
  [['Mother', 'Father', 'Brother'], 'random'],
])('a new poll with %j is %s', (texts, order) => {
  expect(defaultOrder(texts)).toBe(order);
});

test('an order says how many answers at the end stay there', () => {
  expect([pinnedBy('random'), pinnedBy('random-3'), pinnedBy('fixed'), pinnedBy(undefined)]).toEqual([
    0,
    3,
    null,
    null,
  ]);
});
