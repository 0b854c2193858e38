import { expect, test } from 'vitest';
import { scaleStack, splitStack } from './stacked.ts';

const resultOf = (...answers: [string, number][]) => ({
  options: answers.map(([text, votes], index) => ({ id: `o${index}`, text, votes })),
  totalVotes: answers.reduce((sum, [, votes]) => sum + votes, 0),
});

test('two answers share one bar, the one with more votes first', () => {
  const { segments } = splitStack(resultOf(['Yes', 1], ['No', 3]));
  expect(segments.map(({ text, from, width }) => [text, from, width])).toEqual([
    ['No', 0, 75],
    ['Yes', 75, 25],
  ]);
});

test('the middle of a scale is the middle of its bar, and the longer side fills its half', () => {
  const stack = scaleStack(
    resultOf(['Disagree', 10], ['Neutral', 20], ['Agree', 30], ['Strongly agree', 30], ['Don’t know', 10]),
  )!;
  const neutral = stack.segments[1]!;
  expect(neutral.from + neutral.width / 2).toBeCloseTo(50);
  const last = stack.segments.at(-1)!;
  expect(last.from + last.width).toBeCloseTo(100);
  expect(stack.ends).toEqual([
    { text: 'Disagree', percent: 10 },
    { text: 'Strongly agree', percent: 60 },
  ]);
  expect(new Set(stack.segments.map(({ fill }) => fill)).size).toBe(4);
});

test('answers that are no scale have no such bar', () => {
  expect(scaleStack(resultOf(['Tea', 1], ['Coffee', 2], ['Water', 3]))).toBeNull();
});
