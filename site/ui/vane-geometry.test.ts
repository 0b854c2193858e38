import { expect, it } from 'vitest';
import { vaneAngle, vaneRest } from './vane-geometry.ts';

it.each([
  { share: 0, degrees: -180, where: 'left' },
  { share: 0.5, degrees: -90, where: 'up' },
  { share: 1, degrees: 0, where: 'right' },
  { share: 0.614, degrees: -69.5, where: 'past the middle' },
  { share: 7, degrees: 0, where: 'right at most' },
  { share: Number.NaN, degrees: -180, where: 'left' },
])('points $where for a leading share of $share', ({ share, degrees }) => {
  expect(vaneAngle(share)).toBe(degrees);
});

it('is at rest in the logo', () => {
  expect(vaneAngle(undefined)).toBe(vaneRest);
});
