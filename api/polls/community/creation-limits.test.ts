import { expect, test } from 'vitest';
import { rateLimits } from '#contract/rate-limits.ts';
import { creationLimits } from './creation-limits.ts';

const day = 86_400_000;
/** The number of polls that one member, and all such members of a network, may create in an hour. */
function mostIn(age: number): { member: number; network: number } {
  const points = (subject: string) =>
    creationLimits('anna', '203.0.113.7', age).flatMap(([name, of]) => (of === subject ? rateLimits[name].points : []));
  return {
    member: Math.min(...points('anna')),
    network: Math.min(...points('203.0.113.0/24'), ...points('203.0.113.7')),
  };
}

test('the limits of a member and of a network grow with the age of the account, in two steps', () => {
  expect(mostIn(0)).toEqual({ member: 5, network: 50 });
  expect(mostIn(day - 1)).toEqual(mostIn(0));
  expect(mostIn(day)).toEqual({ member: 10, network: 100 });
  expect(mostIn(30 * day - 1)).toEqual(mostIn(day));
  expect(mostIn(30 * day)).toEqual({ member: 20, network: 200 });
});

test('a classroom of 40 new members behind one address can create a poll each', () => {
  expect(mostIn(0).network).toBeGreaterThanOrEqual(40);
});
