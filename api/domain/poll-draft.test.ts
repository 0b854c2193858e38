import { expect, test } from 'vitest';
import type { PollContent } from '#api/polls/poll-editor.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import {
  changedFields,
  contentFindings,
  emptyContent,
  fieldOfFinding,
  overlappingFields,
  sampleReport,
  tidyContent,
} from './poll-draft.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const complete: PollContent = {
  ...emptyContent,
  ...{
    question: 'Tea?',
    description: 'Hot or cold.',
    startsAt: '2026-11-21T09:00:00Z',
    endsAt: '2026-11-28T09:00:00Z',
  },
  options: ['Yes', 'No'].map((text, place) => ({ id: String(place), text })),
};
const problems = (part: Partial<PollContent>) =>
  contentFindings({ ...complete, ...part }, now).map((finding) => `${fieldOfFinding(finding)} ${finding.keyword}`);

test('a poll with a question, a background, two options, and dates can be published', () => {
  expect(problems({})).toEqual([]);
});

test('what keeps a poll from being published is named by field', () => {
  const cases: [part: Partial<PollContent>, found: string][] = [
    [{ question: ' ' }, 'question minLength'],
    [{ description: '' }, 'description minLength'],
    [{ options: [{ id: '1', text: 'Yes' }] }, 'options minItems'],
    [{ options: [...complete.options, { id: '9', text: 'No' }] }, 'options repeated'],
    [{ options: [...complete.options, { id: '1', text: 'Perhaps' }] }, 'options repeated'],
    [{ category: 'All' }, 'category reserved'],
    [{ summary: 'half \ud800' }, 'summary storable'],
    [{ countryBreakdown: [{ name: 'a\u0000', percentage: 1 }] }, 'countryBreakdown storable'],
    [{ startsAt: null }, 'startsAt required'],
    [{ endsAt: null }, 'endsAt required'],
    [{ endsAt: '2026-11-20T11:59:00Z' }, 'endsAt afterNow'],
    [{ endsAt: '2026-11-21T09:00:00Z' }, 'endsAt afterStart'],
    [{ endsAt: '2036-11-21T09:00:00Z' }, 'endsAt tooFar'],
    [{ startsAt: '2026-12-31T23:59:60Z' }, 'startsAt format'],
  ];
  for (const [part, found] of cases) expect([part, problems(part)]).toEqual([part, expect.arrayContaining([found])]);
});

test('blank options and repeated tags are left out, blank optional texts are none, and times are in UTC', () => {
  const tidy = tidyContent({
    ...complete,
    ...{
      options: [...complete.options, { id: '7', text: ' ' }],
      tags: ['a', ' ', 'a', ' b '],
      author: '',
      summary: ' ',
      startsAt: '2026-11-21T10:00:00+01:00',
    },
    countryBreakdown: [
      { name: 'Norway', percentage: 1 },
      { name: '', percentage: 2 },
    ],
  });
  expect(tidy).toMatchObject({ options: complete.options, tags: ['a', 'b'], author: null, summary: null });
  expect([tidy.startsAt, tidy.endsAt]).toEqual(['2026-11-21T09:00:00.000Z', '2026-11-28T09:00:00.000Z']);
  expect(tidy.countryBreakdown).toEqual([{ name: 'Norway', percentage: 1 }]);
});

test('two changes overlap in the fields that both changed to something different', () => {
  const mine = { ...complete, question: 'Mine?', author: 'Ana', tags: ['same'] };
  const theirs = { ...complete, question: 'Theirs?', summary: 'Short.', tags: ['same'] };
  expect(changedFields(complete, mine)).toEqual(['question', 'tags', 'author']);
  expect(overlappingFields(complete, mine, theirs)).toEqual(['question']);
});

test('a sample report is closed, and its total is the sum of its made-up votes', () => {
  const options = Array.from({ length: 9 }, (_, place) => ({ id: String(place), text: `Answer ${place}`, votes: 0 }));
  const sample = sampleReport({ options, isActive: true, closedAt: null } as unknown as Poll, '2026-11-28T09:00:00Z');
  expect(sample).toMatchObject({ isActive: false, closedAt: '2026-11-28T09:00:00Z', hasVoted: false });
  expect(sample.totalVotes).toBe(sample.options.reduce((sum, { votes }) => sum + votes, 0));
  expect(sample.options.every(({ votes }) => votes > 0)).toBe(true);
});

test('two options of a weekly poll that differ only in case can’t be published', () => {
  const options = ['Yes', 'No', 'yes'].map((text, index) => ({ id: String(index), text }));
  const repeated = contentFindings({ ...emptyContent, options }, 0).filter(({ keyword }) => keyword === 'repeated');
  expect(repeated).toEqual([{ instancePath: '/options/2/text', keyword: 'repeated', params: {} }]);
});
