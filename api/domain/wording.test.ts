import { expect, test } from 'vitest';
import { wordingProblems } from '#contract/vocabulary.ts';
import { wordedQuestions } from './fixtures/worded-questions.ts';
import { wordingHints } from './wording.ts';

const judged = wordedQuestions.map(([question, options, ...problems]) => ({
  question,
  problems,
  found: wordingHints(question, options.split(' | ')).map(({ problem }) => problem),
}));
const share = (part: number, all: number) => part / all;

test('of the problems that an editor marked, the rules find at least 85 percent, and at least half of every kind', () => {
  const marked = judged.flatMap(({ question, problems, found }) =>
    problems.map((problem) => ({ question, problem, isFound: found.includes(problem) })),
  );
  const missed = marked.filter(({ isFound }) => !isFound).map(({ question, problem }) => `${problem}: ${question}`);
  const rate = share(marked.length - missed.length, marked.length);
  expect(rate, missed.join('\n')).toBeGreaterThanOrEqual(0.85);
  for (const kind of wordingProblems) {
    const ofKind = marked.filter(({ problem }) => problem === kind);
    expect(ofKind.length, kind).toBeGreaterThanOrEqual(5);
    expect(share(ofKind.filter(({ isFound }) => isFound).length, ofKind.length), kind).toBeGreaterThanOrEqual(0.5);
  }
});

test('the rules object to at most 5 percent of 40 good questions, and rarely find what is not there', () => {
  const good = judged.filter(({ problems }) => problems.length === 0);
  expect(good).toHaveLength(40);
  const objected = good
    .filter(({ found }) => found.length > 0)
    .map(({ question, found }) => `${found.join()}: ${question}`);
  const extra = judged.flatMap(({ question, problems, found }) =>
    found.filter((problem) => !problems.includes(problem)).map((problem) => `${problem}: ${question}`),
  );
  expect(objected.length, objected.join('\n')).toBeLessThanOrEqual(2);
  expect(extra.length, extra.join('\n')).toBeLessThanOrEqual(6);
});

test('a hint names the words that caused it', () => {
  expect(wordingHints('Don’t you agree that we need a shed and better lights?', ['Yes', 'No', 'Not sure'])).toEqual([
    { problem: 'leading', found: "don't" },
    { problem: 'double-barreled', found: 'and better' },
  ]);
  expect(wordingHints('How old are you?', ['18–30', '30–50'])).toEqual([
    { problem: 'overlapping', found: '18–30 / 30–50' },
  ]);
});

test('there are no hints without a question', () => {
  expect(wordingHints('  ', ['Yes', 'No'])).toEqual([]);
  expect(wordingHints('投票しますか？', ['はい', 'いいえ'])).toEqual([]);
});
