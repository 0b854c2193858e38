import { expect, test } from 'vitest';
import { chartForm, scaleOf } from './chart-form.ts';

const optionsOf = (...texts: string[]) => texts.map((text) => ({ text }));

test('two answers are one split bar, up to five are bars, more are ranked', () => {
  expect(chartForm(optionsOf('Yes', 'No'))).toBe('split');
  expect(chartForm(optionsOf('Tea', 'Coffee', 'Water'))).toBe('bars');
  expect(chartForm(optionsOf('A', 'B', 'C', 'D', 'E'))).toBe('bars');
  expect(chartForm(optionsOf('A', 'B', 'C', 'D', 'E', 'F'))).toBe('ranked');
});

test.each([
  ['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'],
  ['Strongly approve', 'Somewhat approve', 'Somewhat disapprove', 'Strongly disapprove'],
  ['Very satisfied', 'Somewhat satisfied', 'Neutral', 'Somewhat dissatisfied', 'Very dissatisfied'],
  ['Never', 'Rarely', 'Sometimes', 'Often', 'Always'],
  ['Not at all important', 'Not very important', 'Somewhat important', 'Very important'],
  ['Very poor', 'Poor', 'Fair', 'Good', 'Excellent'],
  ['Rare', 'Medium rare', 'Medium', 'Medium Well', 'Well'],
  ['Much worse', 'Somewhat worse', 'About the same', 'Somewhat better', 'Much better'],
  ['Too little', 'Neither', 'Too much'],
])('these answers are a scale: %s, …', (...answers) => {
  expect(scaleOf(answers)?.order).toEqual(answers.map((_, place) => place));
  expect(scaleOf(answers.toReversed())).not.toBeNull();
});

test('a scale has its sides in the order in which it is asked, and answers beside it', () => {
  expect(scaleOf(['Favor', 'Neither', 'Oppose', 'Don’t know'])).toEqual({
    order: [0, 1, 2],
    sides: [-1, 0, 1],
    beside: [3],
  });
});

test.each([
  [
    ['Very concerned', 'Somewhat concerned', 'Not too concerned', 'Not at all concerned', 'Don’t know'],
    [-1, -1, 1, 1],
  ],
  [
    ['Often', 'Sometimes', 'Rarely', 'Never'],
    [-1, -1, 1, 1],
  ],
  [
    ['Never', 'Rarely', 'Sometimes', 'Often', 'Always'],
    [-1, -1, 0, 1, 1],
  ],
  [
    ['Not at all', 'Somewhat', 'Very'],
    [-1, 0, 1],
  ],
])('of a scale from little to much, only the middle one of an odd number is between: %s', (answers, sides) => {
  expect(scaleOf(answers)?.sides).toEqual(sides);
});

test.each([
  [['Always', 'When nobody can hear me', 'Never']],
  [['Agree', 'Strongly disagree', 'Disagree']],
  [['Yes', 'Maybe', 'No']],
  [['Often', 'Always', 'Very often, always']],
  [['Good', 'Very good', 'Excellent']],
  [['Agree', 'Don’t know', 'Disagree']],
])('these answers are no scale: %s', (answers) => {
  expect(scaleOf(answers)).toBeNull();
});
