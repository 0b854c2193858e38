import { expect, test } from 'vitest';
import { answersPicture } from './answers-picture.ts';

const answers = [
  { question: 'Tea or coffee?', answer: 'Tea <strong>', percent: 28 },
  { question: 'A very long question '.repeat(20), answer: 'Cats & dogs', percent: 61 },
];

test('the picture of one’s answers has each question, answer, and share, and the site, and names no one', () => {
  const svg = answersPicture({ heading: 'My answers to 2 polls', answers, source: 'polls.example' });
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  expect(texts).toEqual([
    'My answers to 2 polls',
    'Tea or coffee?',
    'Tea &lt;strong&gt;',
    '28%',
    expect.stringMatching(/^A very long/),
    expect.any(String),
    expect.stringMatching(/…$/),
    'Cats &amp; dogs',
    '61%',
    expect.stringContaining('polls.example'),
  ]);
});

test('a first vote has no share in the picture', () => {
  const svg = answersPicture({ heading: '', answers: [{ ...answers[0]!, percent: null }], source: 'polls.example' });
  expect(svg).toContain('Tea or coffee?');
  expect(svg).not.toMatch(/%<|<rect/);
});

test('the picture’s height fits its texts', () => {
  const height = (count: number) =>
    Number(
      / height="([\d.]+)"/.exec(answersPicture({ heading: '', answers: answers.slice(0, count), source: '' }))?.[1],
    );
  expect(height(2)).toBeGreaterThan(height(1) + 60);
});

test('a guess is a mark on the bar, where the share would end', () => {
  const of = (guess?: number) =>
    answersPicture({
      heading: 'A guess',
      answers: [{ ...answers[0]!, ...(guess !== undefined && { guess }) }],
      source: '',
    });
  const marks = (svg: string) =>
    [...svg.matchAll(/<rect x="([\d.]+)"[^>]* width="4"/g)].map(([, left]) => Number(left) + 2);
  expect(marks(of())).toEqual([]);
  const [at, start, end] = [of(28), of(0), of(100)].map((svg) => marks(svg)[0]!);
  expect(at! - start!).toBeCloseTo(0.28 * (end! - start!), 0);
  expect(of(44)).toContain('My guess: 44%');
});
