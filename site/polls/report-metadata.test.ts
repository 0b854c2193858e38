import { expect, test } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { reportProse } from '#domain/report-wording.ts';
import { publicAddress } from '#site/site-config.ts';
import { reportTexts } from '#texts/report.ts';
import { reportMetadata, reportTitle, closedWords, daysWords, originWords } from './report-metadata.ts';

const poll: Poll = {
  id: 'night-train',
  question: 'If the night train cost the same as the flight, would you take it?',
  description: '',
  options: [
    { id: 'o1', text: 'Yes', votes: 6 },
    { id: 'o2', text: 'No', votes: 4 },
  ],
  totalVotes: 10,
  isActive: false,
  createdAt: '2026-10-01T00:00:00.000Z',
  startsAt: '2026-10-01T00:00:00.000Z',
  endsAt: '2026-10-08T00:00:00.000Z',
  updatedAt: '2026-10-09T00:00:00.000Z',
  closedAt: '2026-10-08T00:00:00.000Z',
  category: 'world-news',
  tags: ['trains'],
  author: null,
  hasVoted: false,
  userVote: null,
  summary: null,
  analysis: null,
  methodologyNotes: null,
  countryBreakdown: [],
};

const [article, way, data] = reportMetadata(poll, reportProse(poll, reportTexts.wording), 'Said in short.', 'picture');

test('a report’s title is its whole question, followed by “Poll results”', () => {
  expect(reportTitle(poll)).toBe('If the night train cost the same as the flight, would you take it? · Poll results');
});

test('[S2.52] a report is an article published when the poll closed', () => {
  expect(article).toMatchObject({
    '@type': 'Article',
    headline: 'If the night train cost the same as the flight, would you take it?',
    datePublished: '2026-10-08T00:00:00.000Z',
    dateModified: '2026-10-09T00:00:00.000Z',
    image: 'picture',
    articleSection: 'World News',
  });
});

test('[S2.39] a report’s breadcrumb contains the archive and its category', () => {
  const { itemListElement } = way as { itemListElement: { name: string; item: string }[] };
  expect(itemListElement.map(({ name, item }) => [name, item.replace(/^https?:\/\/[^/]+/, '')])).toEqual([
    ['Home', '/'],
    ['Historical Polls', '/historical'],
    ['World News', '/historical/category/world-news'],
    ['If the night train cost the same as the…', '/poll/night-train'],
  ]);
});

test('a report is a dataset with its method', () => {
  expect(data).toMatchObject({
    '@type': 'Dataset',
    description: expect.stringContaining(reportTexts.wording.standard),
    temporalCoverage: '2026-10-01T00:00:00.000Z/2026-10-08T00:00:00.000Z',
    distribution: ['csv', 'json'].map((ending) => ({ contentUrl: publicAddress(`/poll/night-train.${ending}`) })),
  });
});

test('imported answers are no dataset of this site, and their origin is named', () => {
  const imported: Poll = { ...poll, origin: 'imported' };
  const types = reportMetadata(imported, reportProse(imported, reportTexts.wording), 'In short.', 'picture');
  expect(types.map((thing) => (thing as { '@type': string })['@type'])).toEqual(['Article', 'BreadcrumbList']);
  expect(originWords(imported)).toBe('imported, source not stated');
  expect(originWords({ ...imported, author: 'The bureau' })).toBe('imported');
  expect(originWords(poll)).toMatch(/^cast on /);
});

test('imported answers whose source is stated are its dataset', () => {
  const provenance = { source: 'The bureau', mode: 'Telephone', license: 'CC0', link: 'https://bureau.example/1' };
  const imported: Poll = { ...poll, origin: 'imported', provenance };
  const [, , dataset] = reportMetadata(imported, reportProse(imported, reportTexts.wording), 'In short.', 'picture');
  expect(dataset).toMatchObject({
    ...{ '@type': 'Dataset', license: 'CC0', measurementTechnique: 'Telephone', isBasedOn: provenance.link },
    creator: { name: 'The bureau' },
  });
  expect(dataset).not.toHaveProperty('temporalCoverage');
  expect(originWords(imported)).toBe('The bureau');
  expect(originWords({ ...poll, provenance })).toMatch(/^cast on /);
});

test('[S2.41] a report states the day its poll closed, or “Recently”', () => {
  expect(closedWords(Date.parse('2026-11-21T08:00:00.000Z'))).toBe('Nov 21, 2026');
  expect(closedWords(null)).toBe('Recently');
});

test('[S2.43] a report states for how many days its poll was open, or “N/A”', () => {
  expect(daysWords(1_204)).toBe('1,204');
  expect(daysWords(null)).toBe('N/A');
});
