import { cleanup, render, screen } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { badgeColours, badgeKeys } from '#api/members/badges/badges.contract.ts';
import { badges } from '#domain/badges/rules.ts';
import { emblemLabel } from '#texts/badges.ts';
import { BadgeEmblem } from './BadgeEmblem.tsx';
import { frameOf, motifs } from './emblems/drawings.ts';

afterEach(cleanup);

const markup = (badge: (typeof badgeKeys)[number], earned: boolean) =>
  renderToStaticMarkup(<BadgeEmblem badge={badge} earned={earned} />);

it('has a unique drawing for every badge and no others', () => {
  expect(Object.keys(motifs).toSorted()).toEqual(badgeKeys.toSorted());
  expect(new Set(badgeKeys.map((key) => JSON.stringify(motifs[key]))).size).toBe(badgeKeys.length);
});

it('[S3.21 D7.2] is drawn in the color of its badge, which the stylesheet defines', () => {
  const colors = badgeKeys.map((key) => badgeColours.filter((color) => markup(key, true).includes(`_${color}_`)));
  expect(colors.map(({ length }) => length)).toEqual(badgeKeys.map(() => 1));
});

it('distinguishes the categories, bonus badges, and legacy badges by outline', () => {
  const plates = badgeKeys.map((key) => frameOf(badges[key].category, badges[key].tier).plate);
  expect(new Set(plates).size).toBe(7);
});

it('shows earned and unearned badges differently, with the same drawing', () => {
  for (const key of badgeKeys) {
    expect(markup(key, true)).not.toBe(markup(key, false));
    expect(markup(key, true).match(/ d="[^"]+"/g)).toEqual(markup(key, false).match(/ d="[^"]+"/g));
  }
});

it('is decoration next to a name, and a named image otherwise', () => {
  const { container, rerender } = render(<BadgeEmblem badge="votes_1" earned size={32} />);
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(container.querySelector('svg')?.getAttribute('width')).toBe('32');
  rerender(<BadgeEmblem badge="votes_1" earned={false} label={emblemLabel('votes_1', false)} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe('Badge: Light Air, not earned yet');
});

it('has no inline style, no text, and no broken path', () => {
  for (const key of badgeKeys) {
    const svg = markup(key, true);
    expect(svg).not.toMatch(/style=|<text|NaN|undefined/);
    for (const [, path] of svg.matchAll(/ d="([^"]+)"/g)) expect(path).toMatch(/^M[-\d. MLHVCQAaZhvcqzl]+$/i);
  }
});

describe('badge colors', () => {
  const tokens = readFileSync('site/styles/tokens.css', 'utf8');
  const luminance = (hex: string) => {
    const [r, g, b] = [1, 3, 5].map((start) => {
      const part = parseInt(hex.slice(start, start + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (one: string, other: string) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light! + 0.05) / (dark! + 0.05);
  };
  const token = (name: string) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!;
    return [light!, dark!] as const;
  };

  it.each(badgeColours)('[S3.21] %s has a contrast of 3:1 with page and card in both themes', (colour) => {
    for (const ground of ['paper', 'raised'])
      for (const theme of [0, 1])
        expect(contrast(token(`badge-${colour}`)[theme]!, token(ground)[theme]!)).toBeGreaterThanOrEqual(3);
  });

  it.each(['edge', 'muted'])('%s, the color of unearned badges, does too', (line) => {
    for (const ground of ['paper', 'raised'])
      for (const theme of [0, 1])
        expect(contrast(token(line)[theme]!, token(ground)[theme]!)).toBeGreaterThanOrEqual(3);
  });
});
