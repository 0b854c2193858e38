import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lightColors } from './palette.ts';

type Color = readonly [number, number, number];

const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
const hexOf = (token: string, theme: 'light' | 'dark') =>
  new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)![theme === 'light' ? 1 : 2]!;
const resultTokens = Array.from({ length: 10 }, (_, index) => `result-${index + 1}`);

const linear = (hex: string) =>
  [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Color;

const times = (matrix: readonly Color[], [x, y, z]: Color) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Color;

const luminance = ([r, g, b]: Color) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: string, other: string): number {
  const [light, dark] = [one, other].map((hex) => luminance(linear(hex))).sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** How people see: simulations of color blindness by Machado, Oliveira, and Fernandes (2009), full severity. */
const eyes: Readonly<Record<string, readonly Color[]>> = {
  'full color vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The color in OKLab, where distances are as people see them. */
function perceived(hex: string, eye: readonly Color[]): Color {
  const seen = times(eye, linear(hex)).map((value) => Math.min(1, Math.max(0, value))) as unknown as Color;
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  ).map(Math.cbrt) as unknown as Color;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

for (const theme of ['light', 'dark'] as const) {
  test(`ten result colors have a contrast of 3:1 to paper and cards, and the first four are legible as text, ${theme}`, () => {
    const grounds = ['paper', 'raised'].map((token) => hexOf(token, theme));
    const low = resultTokens.filter((token, index) =>
      grounds.some((ground) => contrast(hexOf(token, theme), ground) < (index < 4 ? 4.5 : 3)),
    );
    expect(low).toEqual([]);
  });

  for (const [name, eye] of Object.entries(eyes))
    test(`ten result colors can be told apart with ${name}, ${theme}`, () => {
      const seen = resultTokens.map((token) => perceived(hexOf(token, theme), eye));
      const distances = seen.flatMap((one, index) =>
        seen.slice(0, index).map((other) => Math.hypot(...one.map((value, axis) => value - other[axis]!))),
      );
      // A step of 0.02 is just noticeable side by side.
      expect(Math.min(...distances)).toBeGreaterThan(name === 'full color vision' ? 0.15 : 0.075);
    });
}

test('downloads and share pictures have the colors of the light theme', () => {
  expect(lightColors.results).toEqual(resultTokens.map((token) => hexOf(token, 'light')));
  for (const token of ['ink', 'muted', 'paper', 'sunken', 'hairline'] as const)
    expect([token, lightColors[token]]).toEqual([token, hexOf(token, 'light')]);
});
