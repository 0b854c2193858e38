import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { newCommunityPollFindings } from '#domain/community-poll-rules.ts';
import { demonstrationComment, demonstrationCommunityPolls } from '#content/demo/community-polls.ts';
import { demonstrationPolls } from '#content/demo/polls.ts';
import type { DemonstrationPoll } from '#content/demo/polls.ts';

const votesOf = ({ options }: DemonstrationPoll) => options.map(([, votes]) => votes);
const totalOf = (poll: DemonstrationPoll) => votesOf(poll).reduce((sum, votes) => sum + votes, 0);
const lead = (poll: DemonstrationPoll) => (100 * Math.max(...votesOf(poll))) / Math.max(1, totalOf(poll));
const leaders = (poll: DemonstrationPoll) =>
  votesOf(poll).filter((votes) => votes === Math.max(...votesOf(poll))).length;
const archive = demonstrationPolls.filter(({ ends }) => ends <= 0);

describe('the demonstration shows', () => {
  test.each<[string, (poll: DemonstrationPoll) => boolean]>([
    ['a tie at the top', (poll) => totalOf(poll) > 30 && leaders(poll) === 2],
    ['a clear consensus', (poll) => lead(poll) > 75],
    ['a strong plurality', (poll) => lead(poll) > 40 && lead(poll) <= 50],
    ['a moderate lead', (poll) => lead(poll) > 30 && lead(poll) <= 40],
    ['a divided opinion', (poll) => totalOf(poll) > 30 && lead(poll) <= 30],
    ['a poll without a vote', (poll) => totalOf(poll) === 0],
    ['a poll with one vote', (poll) => totalOf(poll) === 1],
    ['a poll with few votes', (poll) => totalOf(poll) > 1 && totalOf(poll) < limits.fewVotes],
    ['a poll with more than a million votes', (poll) => totalOf(poll) > 1_000_000],
    ['a poll with ten options', ({ options }) => options.length === 10],
    ['a question of 200 characters', ({ question }) => question.length === 200],
    ['a question written from right to left', ({ question }) => /[\u0590-\u06ff]/.test(question)],
    ['more countries than a report shows', ({ countries }) => (countries?.length ?? 0) > limits.countriesShown],
    ['a poll without a category', ({ category }) => category === undefined],
    ['a poll without an author', ({ author }) => author === null],
    ['a poll that was closed early', ({ closed, ends }) => closed !== undefined && closed < ends],
    ['a report with a summary of its own', ({ summary }) => summary !== undefined],
    ['a report whose summary is generated', ({ summary }) => summary === undefined],
    ['a report with an analysis', ({ analysis }) => analysis !== undefined],
  ])('%s', (_, holds) => {
    expect(archive.some(holds)).toBe(true);
  });

  test('an archive of more than three pages over two years, in ten categories or more', () => {
    expect(archive.length).toBeGreaterThan(3 * limits.historicalPageSize);
    expect(Math.min(...archive.map(({ starts }) => starts))).toBeLessThan(-700);
    expect(new Set(archive.map(({ category }) => category)).size).toBeGreaterThanOrEqual(10);
  });
});

test('the archive has a question that was asked three times, with the same answers', () => {
  const waves = archive.filter(({ series }) => series !== undefined);
  expect(waves).toHaveLength(3);
  const asked = waves.map(({ series, question, options }) => [series, question, options.map(([text]) => text)]);
  expect(asked).toEqual([asked[0], asked[0], asked[0]]);
});

test('ids are unique, shares add up to at most 100, and every end is after its start', () => {
  expect(new Set(demonstrationPolls.map(({ id }) => id)).size).toBe(demonstrationPolls.length);
  for (const { id, starts, ends, countries = [] } of demonstrationPolls) {
    expect(ends, id).toBeGreaterThan(starts);
    expect(
      countries.reduce((sum, [, share]) => sum + share, 0),
      id,
    ).toBeLessThanOrEqual(100.001);
  }
});

test('community polls satisfy the rules of the creation form', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  for (const { id, question, description, options, ends, closed, comments = [] } of demonstrationCommunityPolls) {
    const sent = options.map(([text], index) => ({ id: `option-${index + 1}`, text }));
    expect(newCommunityPollFindings({ question, description, options: sent }, now), id).toEqual([]);
    expect(question.length, id).toBeLessThanOrEqual(limits.communityQuestion);
    expect(options.length, id).toBeLessThanOrEqual(limits.communityOptionsMax);
    expect(ends ?? 1, id).toBeGreaterThan(0);
    expect(closed ?? 1, id).toBeGreaterThan(0);
    for (const [, text] of comments) expect(text.length, id).toBeLessThanOrEqual(limits.commentLength);
  }
  expect(demonstrationComment.length).toBeLessThanOrEqual(limits.commentLength);
});
