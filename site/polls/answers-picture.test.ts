import { expect, test } from 'vitest';
import { answersPicture } from './answers-picture.ts';

const answers = [
  { pollId: 'tea', question: 'Tea or coffee?', answer: 'Tea <strong>', percent: 28 },
  { pollId: 'pets', question: 'A very long question '.repeat(20), answer: 'Cats & dogs', percent: 61 },
];

test('the picture of one’s answers has each question, answer, and share, and the site, and names no one', () => {
  const svg = answersPicture(answers, 'polls.example');
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
  const svg = answersPicture([{ ...answers[0]!, percent: null }], 'polls.example');
  expect(svg).toContain('Tea or coffee?');
  expect(svg).not.toMatch(/%<|<rect/);
});

test('the picture’s height fits its texts', () => {
  const height = (count: number) =>
    Number(/ height="([\d.]+)"/.exec(answersPicture(answers.slice(0, count), 'polls.example'))?.[1]);
  expect(height(2)).toBeGreaterThan(height(1) + 60);
});
