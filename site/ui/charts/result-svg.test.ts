import { expect, test } from 'vitest';
import { chartSlices } from '#domain/poll-results.ts';
import { chartFile } from './chart-file.ts';
import { pageColors, patterns } from './palette.ts';
import { pie, pieLayout } from './pie-layout.ts';
import { drawPie, sliceFills } from './result-svg.ts';
import { textWidth, wrapText } from './svg.ts';

const slicesOf = (...votes: number[]) =>
  chartSlices(
    votes.map((count, index) => ({ id: `o${index}`, text: `My answer number ${index + 1}`, votes: count })),
    votes.reduce((sum, count) => sum + count, 0),
    'Other answers',
  );

const poll = {
  question: 'Train or plane?',
  options: [
    { id: 'a', text: 'Train, because of <b>"this"</b> & that', votes: 3 },
    { id: 'b', text: 'قهوة بالهيل', votes: 1 },
  ],
  totalVotes: 4,
  closedAt: '2026-11-20T08:00:00.000Z',
  endsAt: '2026-11-20T08:00:00.000Z',
};
const site = { siteName: 'Weathervane', host: 'polls.example' };

/** Whether this is well-formed enough for an XML parser: every element is closed in order, and no stray `<` or `&`. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  const rest = svg.replace(
    /<(\/?)(\w+)((?:\s[\w:-]+="[^"<]*")*)(\/?)>/g,
    (_all, end: string, name: string, _attributes, empty) => {
      if (end) return open.pop() === name ? '' : '<';
      if (!empty) open.push(name);
      return '';
    },
  );
  return open.length === 0 && !rest.includes('<') && !/&(?!(amp|lt|gt|quot);)/.test(svg);
}

test('[S3.6] a pie has a slice and a share per answer, most votes first, and leaves the names to its legend', () => {
  const { elements } = drawPie(slicesOf(100, 300, 200), pageColors);
  const shares = [...elements.matchAll(/>([\d.]+%)</g)].map(([, share]) => share);
  expect(shares).toEqual(['50.0%', '33.3%', '16.7%']);
  expect(elements).not.toMatch(/>My [^<]*<\/text>/);
  expect([...elements.matchAll(/<title>([^<]*)/g)].map(([, text]) => text)).toEqual([
    'My answer number 2: 300 · 50.0%',
    'My answer number 3: 200 · 33.3%',
    'My answer number 1: 100 · 16.7%',
  ]);
});

test('neither colors nor patterns repeat within a chart, also among many answers', () => {
  const votes = Array.from({ length: 21 }, (_, index) => (index % 10 === 0 ? 500 - index : 100 - index));
  const slices = slicesOf(...votes);
  const { fill, definitions } = sliceFills(slices, pageColors);
  expect(new Set(slices.map(({ color }) => color)).size).toBe(slices.length);
  expect(new Set(slices.map((_, index) => fill(index))).size).toBe(slices.length);
  expect(definitions.match(/<pattern/g)).toHaveLength(slices.length - 1);
  expect(patterns.length).toBeGreaterThanOrEqual(slices.length);
});

test('bars in a file are as long as their votes and have the whole answers', () => {
  const options = [100, 400, 200].map((votes, index) => ({
    id: `o${index}`,
    text: `My answer number ${index + 1}`,
    votes,
  }));
  const svg = chartFile({ ...poll, options, totalVotes: 700 }, 'bar', site);
  const widths = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths[1]! / widths[0]!).toBeCloseTo(0.5, 2);
  expect(widths[2]! / widths[0]!).toBeCloseTo(0.25, 2);
  for (const { text } of options) expect(svg.split(`>${text}<`)).toHaveLength(2);
});

test('all votes for one answer are a full disc, and answers without votes have no slice', () => {
  expect(pieLayout(slicesOf(0, 7, 0))).toHaveLength(1);
  expect(drawPie(slicesOf(0, 7, 0), pageColors).elements).toMatch(/a82 82 0 1 1 -.1 0z/);
});

test('labels of a pie never overlap and stay inside the drawing, however small the slices', () => {
  for (const votes of [
    [1, 1],
    [1000, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1, 1],
    [990, 5, 5],
    [50, 40, 4, 3, 2, 1],
  ])
    for (const anchor of ['start', 'end']) {
      const ys = pieLayout(slicesOf(...votes))
        .map(({ label }) => label)
        .filter((label) => label.anchor === anchor)
        .map(({ y }) => y)
        .sort((a, b) => a - b);
      for (const [index, y] of ys.entries()) {
        expect(y).toBeGreaterThanOrEqual(9);
        expect(y).toBeLessThanOrEqual(pie.height - 9);
        if (index > 0) expect(y - ys[index - 1]!).toBeGreaterThanOrEqual(17.9);
      }
    }
});

test('a chart file names question, whole answers, votes, date, and source, and no text can break it', () => {
  for (const kind of ['pie', 'bar'] as const) {
    const svg = chartFile(poll, kind, site);
    expect(svg).toContain('Train or plane?');
    expect(svg).toContain('of &lt;b&gt;&quot;this&quot;&lt;/b&gt; &amp; that');
    expect(svg).toContain('4 votes · closed November 20, 2026 · Weathervane, polls.example');
    expect(svg).not.toContain('var(');
    expect(isWellFormed(svg)).toBe(true);
  }
});

test('a chart file of a poll without votes says so', () => {
  const options = poll.options.map((option) => ({ ...option, votes: 0 }));
  expect(chartFile({ ...poll, options, totalVotes: 0 }, 'pie', site)).toContain('Nobody voted on this poll.');
});

test('lines have at most the given width, and the last line of a longer text ends with an ellipsis', () => {
  const text =
    'When a sentence is so long that its beginning has been forgotten, and aWordThatIsLongerThanAnyLineOfThisTest too';
  const lines = wrapText(text, 12, 30);
  expect(lines.every((line) => textWidth(line) <= 12)).toBe(true);
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  expect(wrapText(text, 12, 2)).toHaveLength(2);
  expect(wrapText(text, 12, 2)[1]).toMatch(/…$/);
  expect(wrapText('字'.repeat(30), 10, 9)).toEqual(['字'.repeat(10), '字'.repeat(10), '字'.repeat(10)]);
});
