import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { daysActive, rankOptions } from '#domain/poll-results.ts';
import { generateReport } from '#domain/report-wording.ts';
import { reportTexts, timelineTexts } from '#texts/report.ts';
import { erasedAfterMs } from '#api/voting/erasure.service.ts';
import { storedTime } from '#api/voting/vote-batch.ts';
import { voterCookieDays } from '#api/voting/voter.ts';
import { facts, fillFacts, unknownNames } from './facts.service.ts';
import { settingNames } from './static-pages.service.ts';

/*
 * Compares claims of articles about this site with its behavior, so that changing a limit or a text updates the article in
 * the same commit.
 */

const article = (slug: string) => fillFacts(readFileSync(`content/blog/${slug}.md`, 'utf8'));
const words = (count: number) => ['', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? String(count);
const grouped = (count: number) => count.toLocaleString('en-US');

test.each([
  ['one-vote-each-nearly', `stays for ${voterCookieDays} days`],
  ['one-vote-each-nearly', `no more than ${rateLimits.vote.points} votes a minute`],
  ['one-vote-each-nearly', `for as long as the poll is open and ${erasedAfterMs / 86_400_000} days longer`],
  ['one-vote-each-nearly', 'a digest of the network, the minute,'],
  [
    'what-a-tie-means',
    `If the poll had ${limits.timelineVotes} votes, its report has a chart, ${timelineTexts.heading},`,
  ],
  ['writing-a-community-poll', `list ${words(limits.communityOptionsMin)} to ten answers`],
  ['writing-a-community-poll', `A question has room for ${limits.communityQuestion} characters`],
  [
    'writing-a-community-poll',
    `the description for ${grouped(limits.communityDescription)}, an answer for ${limits.communityOption}`,
  ],
  ['the-missing-middle', `a current poll has at most ${words(limits.offeredOptions)} answers`],
  ['the-missing-middle', 'you have up to ten places'],
  ['what-a-third-option-does', `offer at most ${words(limits.offeredOptions)} answers`],
  ['small-numbers-loud-voices', `when fewer than ${limits.fewVotes} people have voted`],
  ['the-week-a-poll-closes', `With fewer than ${limits.fewVotes} votes`],
  ['the-week-a-poll-closes', `ask for news every ${limits.pollRefetchMs / 1000} seconds`],
])('the claim of %s is correct: “%s”', (slug, sentence) => {
  expect(article(slug)).toContain(sentence);
  expect([limits.communityOptionsMax, rateLimits.vote.seconds, storedTime(119_999)]).toEqual([10, 60, 60_000]);
});

test('every name in braces in a bundled text stands for a fact or a setting, and every fact is named somewhere', () => {
  const files = globSync('content/{blog,pages,legal}/*.md');
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const unknown = texts.flatMap(({ file, text }) =>
    unknownNames(text, file.startsWith('content/blog/') ? [] : settingNames).map((name) => `${file}: {${name}}`),
  );
  expect(unknown).toEqual([]);
  expect(unknownNames('{votesPerYear} and `{code}`', [])).toEqual(['votesPerYear']);
  expect(fillFacts('{constructor} {votesPerMinute}')).toBe(`{constructor} ${rateLimits.vote.points}`);
  const named = (name: string) => texts.some(({ text }) => text.includes(`{${name}}`));
  expect(Object.keys(facts).filter((name) => !named(name))).toEqual([]);
});

/** The generated summary of a poll with these answers and votes, quoted as in an article. */
function summary(...answers: [text: string, votes: number][]): string {
  const options = answers.map(([text, votes], place) => ({ id: String(place), text, votes }));
  const totalVotes = options.reduce((sum, { votes }) => sum + votes, 0);
  const text = generateReport({ options, totalVotes }, reportTexts.wording).summary;
  return `“${text.split('. ')[0]!.replace(/\.$/, '').replaceAll('“', '‘').replaceAll('”', '’')}.”`;
}

test('summaries quoted in articles are those that reports generate', () => {
  const closing = article('the-week-a-poll-closes');
  expect(closing).toContain(summary(['Yes, one Sunday a month', 655], ['Only in summer', 372], ['No', 257]));
  const tie = article('what-a-tie-means');
  expect(tie).toContain(summary(['the first', 152], ['the second', 152], ['the third', 96]));
  expect(tie).toContain(summary(['the first', 3_901], ['the second', 3_899], ['the third', 2_200]));
  expect(summary(['park', 216], ['parking', 252], ['half', 132])).toContain('A strong plurality');
  expect(article('what-a-third-option-does')).toContain('“a strong plurality,”');
  expect(summary(['yes', 270], ['no', 230])).toContain('A clear consensus');
});

test('ranks and days computed in articles match those of a report', () => {
  const ranks = rankOptions([152, 152, 96].map((votes, place) => ({ id: String(place), text: '', votes })));
  expect(ranks.map(({ rank }) => rank)).toEqual([1, 1, 3]);
  expect(daysActive(Date.UTC(2026, 2, 2, 9), Date.UTC(2026, 2, 9, 18))).toBe(8);
  expect(article('the-week-a-poll-closes')).toContain('so the report says 8');
});
