import { describe, expect, test } from 'vitest';
import { reportTexts } from '#texts/report.ts';
import { citationOf, generateReport, reportProse, vaneShare, verdictOf } from './report-wording.ts';

const words = reportTexts.wording;
const names = ['Yes', 'No', 'Maybe', 'Never', 'Always', 'Often', 'Rarely'];
const result = (...votes: number[]) => ({
  options: votes.map((count, i) => ({ id: `option-${i + 1}`, text: names[i] ?? `Option ${i + 1}`, votes: count })),
  totalVotes: votes.reduce((sum, count) => sum + count, 0),
});
const summary = (...votes: number[]) => generateReport(result(...votes), words).summary;

describe('the verdict', () => {
  test('[S2.54 D4.12] changes exactly above 50, 40 and 30 percent', () => {
    expect(verdictOf(result(501, 300, 199))).toBe('consensus');
    expect(verdictOf(result(500, 300, 200))).toBe('plurality');
    expect(verdictOf(result(401, 300, 299))).toBe('plurality');
    expect(verdictOf(result(400, 310, 290))).toBe('moderate');
    expect(verdictOf(result(301, 250, 249, 200))).toBe('moderate');
    expect(verdictOf(result(300, 250, 250, 200))).toBe('divided');
  });

  test('is close with a lead of less than three points, also above half of the votes', () => {
    expect(verdictOf(result(514, 486))).toBe('split');
    expect(verdictOf(result(515, 485))).toBe('consensus');
    expect(verdictOf(result(5_001, 4_999))).toBe('split');
    expect(verdictOf(result(350, 330, 320))).toBe('narrow');
    expect(verdictOf(result(350, 320, 330))).toBe('narrow');
  });

  test('is close where votes of different networks have another leader', () => {
    const independent = { votes: 40, options: [], leaders: ['option-2'], asOf: '2026-11-20T12:00:00Z', isFinal: true };
    expect(verdictOf({ ...result(600, 400), independent })).toBe('split');
    expect(verdictOf({ ...result(600, 400), independent: { ...independent, leaders: ['option-1'] } })).toBe(
      'consensus',
    );
  });

  test('calls three quarters of the votes a landslide', () => {
    expect(verdictOf(result(75, 25))).toBe('landslide');
    expect(verdictOf(result(74, 26))).toBe('consensus');
  });

  test('finds no favorite where the first of many answers has less than a quarter of the votes', () => {
    expect(verdictOf(result(24, 20, 20, 18, 18))).toBe('unpopular');
    expect(verdictOf(result(25, 20, 19, 18, 18))).toBe('divided');
  });

  test.each([
    ...['Other', 'other…', 'Something else', 'None of these', 'None of the above.'],
    ...['Other (please specify)', 'Another Pokémon'],
  ])('says that no suggested answer leads when “%s” does', (text) => {
    const [first, ...rest] = result(60, 40).options;
    expect(verdictOf({ options: [{ ...first!, text }, ...rest], totalVotes: 100 })).toBe('other');
    expect(verdictOf({ options: [{ ...first!, text: `${text} people` }, ...rest], totalVotes: 100 })).toBe('consensus');
  });

  test('[D4.13] is a tie for any equal shares', () => {
    expect(verdictOf(result(50, 50))).toBe('tie');
    expect(verdictOf(result(20, 20, 20, 20, 20))).toBe('tie');
    expect(verdictOf(result(10, 45, 45))).toBe('tie');
  });

  test('doesn’t exist while votes are held for a decision, whatever the counted votes say', () => {
    expect(verdictOf({ ...result(900, 100), heldVotes: 1 })).toBe('provisional');
    expect(vaneShare({ ...result(900, 100), heldVotes: 1 })).toBeUndefined();
    expect(verdictOf({ ...result(900, 100), heldVotes: 0 })).toBe('landslide');
  });

  test('doesn’t exist without votes', () => {
    expect(verdictOf(result(0, 0))).toBe('nobody');
    expect(verdictOf({ options: [], totalVotes: 0 })).toBe('nobody');
  });
});

describe('the generated summary', () => {
  test('[S2.53] names the leading option, its percentage, and the margin to the second', () => {
    expect(summary(621, 300, 79)).toBe(
      'A clear consensus: “Yes” received 62.1% of 1,000 votes, 32.1 percentage points ahead of “No”.',
    );
    expect(summary(450, 350, 200)).toContain('A strong plurality: “Yes” received 45.0%');
    expect(summary(360, 330, 310)).toContain('A moderate lead: “Yes” received 36.0%');
    expect(summary(350, 330, 320)).toContain('A narrow lead: “Yes” received 35.0%');
    expect(summary(51, 49)).toContain('Split down the middle: “Yes” received 51.0%');
    expect(summary(80, 20)).toContain('A clear consensus, by a landslide: “Yes” received 80.0%');
    expect(summary(290, 250, 240, 220)).toContain('Divided opinion: “Yes” comes first with only 29.0%');
  });

  test('stays short when answers are long', () => {
    const [yes, no] = result(60, 40).options;
    const long = [{ ...yes!, text: 'very '.repeat(50) }, no!];
    expect(generateReport({ options: long, totalVotes: 100 }, words).summary.length).toBeLessThan(160);
  });

  test('finds the leader in any position', () => {
    expect(summary(100, 300, 600)).toContain(
      '“Maybe” received 60.0% of 1,000 votes, 30.0 percentage points ahead of “No”',
    );
  });

  test('[D4.13] names all tied options', () => {
    expect(summary(50, 50)).toBe('A tie: “Yes” and “No” each received 50.0% of 100 votes.');
    expect(summary(40, 40, 40)).toBe('A tie: “Yes”, “No”, and “Maybe” each received 33.3% of 120 votes.');
  });

  test('uses counted votes only', () => {
    const poll = { ...result(1, 0), setAsideVotes: 2_200 };
    const report = JSON.stringify(generateReport(poll, words));
    expect(report).toContain('One person answered: “Yes”.');
    expect(report).not.toContain('2,20');
    expect(report).toContain(words.explainSingle);
  });

  test('draws no conclusion while votes are held, and says so', () => {
    const poll = { ...result(900, 100), heldVotes: 1 };
    expect(generateReport(poll, words)).toEqual({ summary: words.provisional, analysis: [words.explainProvisional] });
    expect(`${words.provisional} ${words.explainProvisional}`).not.toMatch(/consensus|plurality|lead:/);
  });

  test('replaces the operator’s summary while votes are held, which may name a leader', () => {
    const texts = { summary: 'Yes wins.', analysis: null, methodologyNotes: null };
    expect(reportProse({ ...result(9, 1), ...texts, heldVotes: 1 }, words).summary).toBe(words.provisional);
    expect(reportProse({ ...result(9, 1), ...texts, setAsideVotes: 1 }, words).summary).toBe('Yes wins.');
  });

  test('does not say that nobody voted when all votes were set aside', () => {
    expect(generateReport({ ...result(0, 0), setAsideVotes: 5 }, words).summary).toBe(words.noneCounted);
  });

  test('[D4.13] says that nobody voted', () => {
    expect(summary(0, 0, 0)).toBe('Nobody voted on this poll, so there is no result to report.');
  });

  test('[D4.13] warns below 30 votes', () => {
    expect(summary(20, 9)).toContain('With so few answers');
    expect(summary(20, 10)).not.toContain('With so few answers');
    expect(summary(2, 1)).toBe(
      'A clear consensus: “Yes” received 66.7% of 3 votes, 33.3 percentage points ahead of “No”. With so few answers, this tells you only about the people who gave them.',
    );
    expect(summary(1, 0)).toBe('One person answered: “Yes”.');
  });

  test('does not describe a lead of one vote in a million as zero points', () => {
    expect(summary(500_001, 500_000)).toContain('less than 0.1 percentage points ahead');
  });

  test('isolates right-to-left names from the adjacent figures', () => {
    const poll = {
      options: [
        { id: 'a', text: 'جيد', votes: 60 },
        { id: 'b', text: 'No', votes: 40 },
      ],
      totalVotes: 100,
    };
    expect(generateReport(poll, words).summary).toContain('“\u2068جيد\u2069” received 60.0%');
  });

  test('[D4.14] never prints a margin of error', () => {
    for (const votes of [[60, 40], [45, 35, 20], [1, 1], [0], [29, 28, 27, 16]]) {
      const { summary: line, analysis } = generateReport(result(...votes), words);
      expect([line, ...analysis, words.standard].join(' ')).not.toMatch(/margin of error|±|confidence/i);
    }
  });
});

describe('the generated analysis', () => {
  test('[S2.53] gives the margin, and leaves the shares to the table', () => {
    const { analysis } = generateReport(result(60, 30, 10), words);
    expect(analysis).toHaveLength(1);
    expect(analysis[0]).toContain('The margin between “Yes” and “No” is 30.0 percentage points.');
  });
});

describe('the prose of a report', () => {
  const poll = { ...result(60, 40), summary: null, analysis: null, methodologyNotes: null };

  test('says of imported answers that they were given elsewhere, and nothing about the rules here', () => {
    const imported = reportProse({ ...poll, origin: 'imported', protection: 'email' }, words).methodology;
    expect(imported).toEqual([expect.stringContaining('is not stated')]);
    const described = reportProse({ ...poll, origin: 'imported', methodologyNotes: 'A panel.' }, words).methodology;
    expect(described).toEqual(['A panel.', expect.stringContaining('stated above')]);
    expect([...imported, ...described].join(' ')).not.toMatch(/per browser|self-selected|convenience/);
    const both = reportProse({ ...poll, origin: 'both' }, words).methodology;
    expect(both).toEqual([words.both, words.standard]);
    const line = citationOf(
      { question: 'Tea?', author: 'The bureau', closedAt: null, endsAt: '', origin: 'imported', totalVotes: 1_091 },
      'Weathervane',
      'https://polls.example/poll/tea',
      'June 5, 2014',
    );
    expect(line).toContain('1,091 votes, imported.');
  });

  test('says how many votes were cast after seeing results, if any were', () => {
    const [said, ...rest] = reportProse({ ...poll, votesApart: { afterResults: 1_234 } }, words).methodology;
    expect(said).toMatch(/^1,234 of the votes received here were cast after seeing results: /);
    expect(said).toContain('people who delete it');
    expect(rest).toEqual([words.standard]);
    expect(reportProse({ ...poll, votesApart: { afterResults: 1 } }, words).methodology[0]).toMatch(
      /^1 of .* was cast after/,
    );
  });

  test('says what is known of imported answers, in methodology and citation, and nothing of it where votes were cast here', () => {
    const provenance = { source: 'The bureau', sample: '1,091 adults', link: 'https://bureau.example' };
    const stated = 'Source: The bureau. Sample or base: 1,091 adults. Link: https://bureau.example';
    const imported = reportProse({ ...poll, origin: 'imported', provenance }, words).methodology;
    expect(imported).toEqual([stated, expect.stringContaining('stated above')]);
    expect(reportProse({ ...poll, origin: 'both', provenance }, words).methodology).toEqual([
      ...[stated, words.both, words.standard],
    ]);
    expect(reportProse({ ...poll, provenance }, words).methodology).toEqual([words.standard]);
    const cited = { question: 'Tea?', author: null, closedAt: null, endsAt: '', totalVotes: 1_091, provenance };
    const line = (origin?: 'imported') =>
      citationOf({ ...cited, ...(origin && { origin }) }, 'Weathervane', 'https://polls.example/poll/tea', 'June 5');
    expect(line('imported')).toContain('1,091 votes, imported from The bureau.');
    expect(line()).not.toContain('bureau');
  });

  test('[S2.48] uses what the operator wrote', () => {
    const prose = reportProse(
      { ...poll, summary: ' Mine. ', analysis: '<p>Deep</p>', methodologyNotes: 'Paper forms.\n\nIn two towns.' },
      words,
    );
    expect(prose).toEqual({
      summary: 'Mine.',
      isGenerated: false,
      analysis: { html: '<p>Deep</p>' },
      methodology: ['Paper forms.', 'In two towns.', words.standard],
    });
  });

  test('invisible text of the operator counts as empty', () => {
    const unseen = { summary: '\u2060', analysis: '<p>\u200b</p>', methodologyNotes: '\u2800\n\nPaper.\n\n\u200b' };
    const generated = reportProse({ ...poll, summary: null, analysis: null, methodologyNotes: null }, words);
    expect(reportProse({ ...poll, ...unseen }, words)).toEqual({
      ...generated,
      methodology: ['Paper.', words.standard],
    });
  });

  test('the methodology says what votes needed, and of a poll that was raised how many came before', () => {
    const methodOf = (more: object) => reportProse({ ...poll, ...more, methodologyNotes: null }, words).methodology[0];
    expect(methodOf({})).toBe(words.standard);
    expect(methodOf({ protection: 'members' })).toBe('Each vote needed an account on this site.');
    const raise = { level: 'email', at: '2026-11-28T14:00:00.000Z', votesBefore: 1_204 };
    expect(methodOf({ protection: 'email', protectionRaises: [raise] })).toBe(
      'While the poll ran, its votes came to need a confirmed email address; votes cast before: 1,204.',
    );
  });

  test('[S2.53 S2.55 D4.14] generates what the operator left empty, and always states the standard methodology', () => {
    const prose = reportProse({ ...poll, summary: '  ', analysis: '', methodologyNotes: null }, words);
    expect(prose.summary).toContain('A clear consensus');
    expect(prose.isGenerated).toBe(true);
    expect(prose.analysis).toHaveProperty('paragraphs');
    expect(prose.methodology).toEqual([words.standard]);
    for (const part of [
      'anonymous',
      'fingerprint',
      'self-selected convenience sample',
      'without any weighting',
      'Selection bias',
    ])
      expect(words.standard).toContain(part);
  });
});

test('the wind vane shows the leading share, from 0 to 1', () => {
  expect(vaneShare(result(0, 0))).toBeUndefined();
  expect(vaneShare(result(3, 1))).toBe(0.75);
  expect(vaneShare({ ...result(5, 1), totalVotes: 4 })).toBe(1);
});
