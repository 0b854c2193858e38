import { expect, test } from 'vitest';
import type { Wave } from '#api/polls/topics/series.contract.ts';
import { pageColors } from './palette.ts';
import { drawSmallWaves, drawWaves } from './wave-svg.ts';

const day = 86_400_000;
const waveOf = (days: number, more: Partial<Wave> = {}): Wave => ({
  id: `w${days}`,
  question: 'Tea?',
  closedAt: new Date(Date.UTC(2026, 0, 1) + days * day).toISOString(),
  totalVotes: 1_000 + days,
  options: [],
  ...more,
});
const waves = [0, 10, 40].map((days) => waveOf(days));
const line = (text: string, color: number, ...shares: (number | null)[]) => ({ text, color, shares });
const size = { width: 600 };

test('waves are spaced by their dates, and shares are on one scale from zero', () => {
  const { elements } = drawWaves(waves, [line('Tea', 0, 0, 25, 50)], pageColors, size);
  const [, path] = /<path d="(M[^"]+)" stroke="var\(--result-1\)"/.exec(elements) ?? [];
  const points = path!
    .slice(1)
    .split('L')
    .map((point) => point.split(' ').map(Number));
  const [a, b, c] = points as [[number, number], [number, number], [number, number]];
  expect((b[0] - a[0]) / (c[0] - a[0])).toBeCloseTo(0.25, 1);
  expect(a[1] - b[1]).toBeCloseTo(b[1] - c[1], 1);
  expect(elements).toContain('>50.0%<');
});

test('every wave has its day and its votes, the current one in bold, as far as there is room', () => {
  const { elements } = drawWaves(waves, [line('Tea', 0, 0, 25, 50)], pageColors, { ...size, current: 'w10' });
  for (const text of ['Jan 1, 2026', '1,000 votes', 'Jan 11, 2026', '1,010 votes', 'Feb 10, 2026', '1,040 votes'])
    expect(elements).toContain(`>${text}<`);
  expect(elements).toMatch(/font-weight="650">this poll</);
  const many = Array.from({ length: 24 }, (_, index) => waveOf(index));
  const { elements: narrow } = drawWaves(many, [line('Tea', 0, ...many.map(() => 5))], pageColors, {
    width: 340,
    current: 'w12',
  });
  const days = narrow.match(/>Jan \d+, 2026</g) ?? [];
  expect(days.length).toBeLessThan(24);
  expect(days).toEqual(expect.arrayContaining(['>Jan 1, 2026<', '>Jan 13, 2026<', '>Jan 24, 2026<']));
});

test('names are whole, in as many lines as they need', () => {
  const name = 'Both, depending on the length of the journey and on who pays for it';
  const { elements } = drawWaves(waves, [line(name, 0, 1, 2, 3)], pageColors, { width: 340 });
  const lines = [...elements.matchAll(/>([^<>]+)<\/text>/g)].map(([, text = '']) => text);
  expect(lines.filter((text) => name.includes(text)).join(' ')).toBe(name);
});

test('waves with a note have its number', () => {
  const marked = [waveOf(0, { note: 'By telephone' }), waveOf(10), waveOf(20, { note: 'Online' })];
  const { elements } = drawWaves(marked, [line('Tea', 0, 1, 2, 3)], pageColors, size);
  for (const text of ['Jan 1, 2026 ¹', 'Jan 11, 2026', 'Jan 21, 2026 ²']) expect(elements).toContain(`>${text}<`);
});

test('a long time without a wave is shaded', () => {
  const shaded = (...days: number[]) =>
    drawWaves(
      days.map((at) => waveOf(at)),
      [line('Tea', 0, ...days)],
      pageColors,
      size,
    ).elements.match(/<rect/g);
  expect(shaded(0, 10, 22)).toBeNull();
  expect(shaded(0, 10, 40, 50)).toHaveLength(1);
});

test('where some waves were imported, these have rings, and each wave says where its answers come from', () => {
  const drawn = (...origins: Wave['origin'][]) =>
    drawWaves(
      origins.map((origin, index) => waveOf(20 * index, origin && { origin })),
      [line('Tea', 0, ...origins.map(() => 10))],
      pageColors,
      size,
    ).elements;
  const mixed = drawn('imported', undefined, undefined);
  expect(mixed.match(/<circle [^>]*fill="var\(--paper\)"/g)).toHaveLength(1);
  expect(mixed).toContain('>imported<');
  expect(mixed).toContain('>cast here<');
  expect(drawn('imported', 'imported')).not.toContain('>imported<');
});

test('a line is interrupted at a wave that did not offer the answer, and is labeled with a dash if that is the last one', () => {
  const { elements } = drawWaves(
    waves,
    [line('Tea', 0, 10, null, 30), line('Milk', 1, 90, 80, null)],
    pageColors,
    size,
  );
  expect(elements).toMatch(/<path d="M[\d. ]+M[\d. ]+" stroke="var\(--result-1\)"/);
  expect(elements.match(/<circle [^>]*r="3.5"/g)).toHaveLength(4);
  expect(elements).toContain('>–</text>');
});

test('waves that closed at the same moment, and names with markup, are drawn', () => {
  const { elements } = drawWaves([waveOf(0), waveOf(0)], [line('<b>&', 0, 0, 0)], pageColors, size);
  expect(elements).toContain('&lt;b&gt;&amp;');
  expect(elements).not.toContain('NaN');
});

test('small charts are on one scale to 100%, with the first line in color', () => {
  const { elements, height } = drawSmallWaves(
    waves,
    [line('Tea', 3, 0, 50, 100), line('Milk', 0, 90, 80, null)],
    pageColors,
  );
  const [, path = ''] = /<path d="(M[^"]+)" stroke="var\(--result-1\)"/.exec(elements) ?? [];
  expect(path.match(/ [\d.]+/g)).toEqual([' 100', ' 54', ' 8']);
  expect(height).toBe(108);
  expect(elements).not.toContain('NaN');
});
