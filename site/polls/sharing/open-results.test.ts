import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openResultsSchema } from '#api/polls/polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { openResults, openResultsCsv, openResultsJson } from './open-results.ts';

const poll: Poll = {
  id: 'night-train',
  question: 'Train, "sleeper",\nor plane?',
  description: 'Eleven hours.',
  options: [
    { id: 'o1', text: '=HYPERLINK("http://evil.example","Train")', votes: 2 },
    { id: 'o2', text: '+1 for the plane', votes: 4 },
    { id: '@3', text: 'Ψ, neither', votes: 2 },
    { id: 'o4', text: '-5', votes: 1 },
  ],
  totalVotes: 9,
  isActive: false,
  createdAt: '2026-10-01T00:00:00.000Z',
  startsAt: '2026-10-01T00:00:00.000Z',
  endsAt: '2026-10-08T00:00:00.000Z',
  updatedAt: '2026-10-08T00:00:01.000Z',
  closedAt: '2026-10-08T00:00:00.000Z',
  category: 'Travel',
  tags: ['trains'],
  author: 'The desk',
  hasVoted: false,
  userVote: null,
  summary: null,
  analysis: null,
  methodologyNotes: 'Asked on a Tuesday.',
  countryBreakdown: [{ name: 'France', percentage: 60 }],
};
const site = { siteName: 'Weathervane', publicUrl: 'https://polls.example' };
const results = openResults(poll, site);

test('[S1.18 D2.19] open results match the contract and state the method', () => {
  const ajv = new Ajv2020();
  addFormats(ajv);
  expect(ajv.validate(openResultsSchema, results)).toBe(true);
  expect(results.method).toHaveLength(2);
  expect(results.method[0]).toBe('Asked on a Tuesday.');
  for (const said of [
    /one vote per browser/,
    /fingerprint/,
    /self-selected convenience sample/,
    /without any weighting/,
    /Selection bias/,
  ])
    expect(results.method[1]).toMatch(said);
  // Sums and dates of the poll, nothing about single votes.
  expect(Object.keys(results).sort()).toEqual(
    [
      ...['checksum', 'citation', 'countries', 'license', 'method', 'options', 'poll', 'totalVotes'],
      ...['receivedVotes', 'setAsideVotes', 'heldVotes', 'interventions'],
    ].sort(),
  );
  for (const option of results.options)
    expect(Object.keys(option).sort()).toEqual(['id', 'percent', 'rank', 'text', 'votes']);
  expect(results.options.map(({ rank, percent }) => [rank, percent])).toEqual([
    [2, 22.2],
    [1, 44.4],
    [2, 22.2],
    [4, 11.1],
  ]);
  for (const said of ['CC BY 4.0', 'https://creativecommons.org/licenses/by/4.0/', 'The voters chose themselves.'])
    expect(results.license).toContain(said);
  expect(results.license).toContain(results.poll.report);
  expect(results.poll.report).toBe('https://polls.example/poll/night-train');
});

test('open results of a poll without votes rank nothing, and cite no voters', () => {
  const options = poll.options.map((option) => ({ ...option, votes: 0 }));
  const empty = openResults({ ...poll, options, totalVotes: 0 }, site);
  const ajv = new Ajv2020({ allowUnionTypes: true });
  addFormats(ajv);
  expect(ajv.validate(openResultsSchema, empty)).toBe(true);
  expect(empty.options.map(({ rank }) => rank)).toEqual([null, null, null, null]);
  expect(empty.citation).toContain('closed October 8, 2026: no votes.');
  expect(openResultsCsv(empty).split('\r\n')[2]).toBe(`,'+1 for the plane,0,0`);
});

test('open results say how many votes were received, counted, and set aside, and why', () => {
  const decision = {
    number: 1,
    action: 'hold',
    reason: 'automated-network',
    votes: 2_200,
    state: 'set-aside',
  } as const;
  const attacked = openResults({ ...poll, setAsideVotes: 2_200, interventions: [decision] }, site);
  expect(attacked).toMatchObject({ totalVotes: 9, receivedVotes: 2_209, setAsideVotes: 2_200, heldVotes: 0 });
  expect(attacked.interventions).toEqual([decision]);
  expect(attacked.options.map(({ rank }) => rank)).toEqual([2, 1, 2, 4]);
  const sentence = '2,209 votes received, 9 counted, 2,200 set aside (automated voting from one network)';
  expect(attacked.citation).toContain(`9 votes by self-selected voters; ${sentence}. https://`);
  const rows = parse<Record<string, string>>(openResultsCsv(attacked), { bom: true, columns: true });
  expect(rows.at(-1)).toEqual({ rank: '', option: sentence, votes: '2200', percent: '' });
});

test('open results of a flagged poll have a row with its independent votes, which says that nobody can recount them', () => {
  const [first] = poll.options;
  const figure = { votes: 3, options: [], leaders: [first!.id], asOf: '2026-11-28T12:00:00.000Z', isFinal: true };
  const rows = parse<Record<string, string>>(openResultsCsv(openResults({ ...poll, independent: figure }, site)), {
    bom: true,
    columns: true,
  });
  expect(rows).toHaveLength(poll.options.length + 1);
  expect(rows.at(-1)).toMatchObject({ rank: '', votes: '3' });
  expect(rows.at(-1)!.option).toMatch(/^With one vote per network, “.+” leads, not “.+”\. .*Nobody can recount them/);
});

test('open results have the number of votes cast after seeing results, if any were', () => {
  const apart = openResults({ ...poll, votesApart: { afterResults: 2 } }, site);
  const ajv = new Ajv2020();
  addFormats(ajv);
  expect(ajv.validate(openResultsSchema, apart)).toBe(true);
  expect(apart.votesApart).toEqual({ afterResults: 2 });
  expect(apart.method).toHaveLength(results.method.length + 1);
});

test('open results rank no answer while votes are held for a decision', () => {
  const held = openResults({ ...poll, heldVotes: 40 }, site);
  expect(held.options.map(({ rank, votes }) => [rank, votes])).toEqual(poll.options.map(({ votes }) => [null, votes]));
});

test('the checksum can be computed from the JSON', () => {
  const read = JSON.parse(openResultsJson(results)) as typeof results;
  const lines = [read.poll.id, read.poll.closedAt ?? '', String(read.totalVotes)];
  for (const { id, votes, text } of read.options) lines.push(`${id}\t${votes}\t${text}`);
  const digest = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  expect(read.checksum.value).toBe(digest);
  const changed = { ...poll, options: poll.options.map((option) => ({ ...option, votes: option.votes + 1 })) };
  expect(openResults(changed, site).checksum.value).not.toBe(digest);
});

test('the CSV has rank, option, votes, and percent of every answer, most votes first, and runs no formulas', () => {
  const csv = openResultsCsv(results);
  expect(csv.startsWith('\ufeffrank,option,votes,percent\r\n')).toBe(true);
  const rows = parse<Record<string, string>>(csv, { bom: true, columns: true });
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['1', "'+1 for the plane", '4', '44.4'],
    ['2', `'${poll.options[0]!.text}`, '2', '22.2'],
    ['2', 'Ψ, neither', '2', '22.2'],
    ['4', "'-5", '1', '11.1'],
  ]);
  for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
});

test('a citation names the author, the site, the day, the self-selected voters, and the report in one line', () => {
  expect(results.citation).toBe(
    'The desk. “Train, "sleeper", or plane?” Poll on Weathervane, closed October 8, 2026: 9 votes by self-selected voters. https://polls.example/poll/night-train',
  );
  expect(openResults({ ...poll, author: null, totalVotes: 1 }, site).citation).toBe(
    'Weathervane. “Train, "sleeper", or plane?” Poll, closed October 8, 2026: 1 vote by a self-selected voter. https://polls.example/poll/night-train',
  );
});
