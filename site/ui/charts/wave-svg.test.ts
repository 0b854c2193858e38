import { expect, test } from 'vitest';
import { pageColors } from './palette.ts';
import { drawWaves } from './wave-svg.ts';

const day = 86_400_000;
const closedAt = [0, 10, 40].map((days) => Date.UTC(2026, 0, 1) + days * day);
const line = (text: string, color: number, ...shares: (number | null)[]) => ({ text, color, shares });

test('waves are spaced by their dates, and shares are on one scale from zero', () => {
  const { elements } = drawWaves(closedAt, [line('Tea', 0, 0, 25, 50)], pageColors);
  const [, path] = /<path d="(M[^"]+)" stroke="var\(--result-1\)"/.exec(elements) ?? [];
  const points = path!
    .slice(1)
    .split('L')
    .map((point) => point.split(' ').map(Number));
  const [a, b, c] = points as [[number, number], [number, number], [number, number]];
  expect((b[0] - a[0]) / (c[0] - a[0])).toBeCloseTo(0.25, 1);
  expect(a[1] - b[1]).toBeCloseTo(b[1] - c[1], 1);
  expect(elements).toContain('Jan 1, 2026');
  expect(elements).toContain('Feb 10, 2026');
  expect(elements).toContain('>50.0%<');
});

test('a line is interrupted at a wave that did not offer the answer, and is labeled with a dash if that is the last one', () => {
  const { elements } = drawWaves(closedAt, [line('Tea', 0, 10, null, 30), line('Milk', 1, 90, 80, null)], pageColors);
  expect(elements).toMatch(/<path d="M[\d. ]+M[\d. ]+" stroke="var\(--result-1\)"/);
  expect(elements.match(/<circle [^>]*r="3"/g)).toHaveLength(4);
  expect(elements).toContain('>–</text>');
});

test('waves that closed at the same moment, and names with markup, are drawn', () => {
  const { elements } = drawWaves([0, 0], [line('<b>&', 0, 0, 0)], pageColors);
  expect(elements).toContain('&lt;b&gt;&amp;');
  expect(elements).not.toContain('NaN');
});
