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
  [['Thursday, December 31', 'Friday, January 1', 'Saturday, January 2'], 'fixed'],
  [['Mondays', 'Thursdays', 'Saturdays', 'None of these'], 'fixed'],
  [['Nov 30', 'Dec. 1', 'Sept 2'], 'fixed'],
  [['None', '1', '2', '3 or more'], 'fixed'],
  [['Under 18', '18–34', '35–64', '65 and over', 'I prefer not to say'], 'fixed'],
  [['More than $1,000', '$500', '$0'], 'fixed'],
  [['9:00', '9:30', '10:00'], 'fixed'],
  [['11:00 am', '12:00 pm', '1:30 p.m.'], 'fixed'],
  [['−5 °C', '0 °C', '5 °C'], 'fixed'],
  [['Sat', 'Sun', 'Mon'], 'fixed'],
  [['April', 'May', 'June'], 'fixed'],
  // Numbers that are in no order, or that are names.
  [['7', '3', '5'], 'random'],
  [['1984', '1984 (the film)', '1984 (the play)'], 'random'],
  [['Draft 1', 'Draft 2', 'Draft 3'], 'random'],
  [['Friday', 'Saturday', 'I work nights'], 'random'],
  [['May be', 'May not', 'May do'], 'random'],
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
