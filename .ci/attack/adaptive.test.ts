import { describe, expect, test } from 'vitest';
import { runsSlow } from '#api/testing/slow.ts';
import { budgets, searchRecipe } from './adaptive.ts';

describe('an attacker who knows the code gains no more with a day’s votes than content/handbook/proof.md says', () => {
  /** For each of the budgets; the honest votes that are set aside with the false ones are at most 6%. */
  const known = [41.3, 271, 123.9, 264, 360.3, 4_024, 335, 28_925];

  const figures = budgets.map((budget, place) => ({ ...budget, gain: known[place]! }));
  test.each(runsSlow ? figures : figures.slice(0, 5))(
    '$networks networks with at most $most votes each: $gain votes more than its share',
    ({ gain, ...budget }) => {
      const { gained, mostIndependent, mostLost } = searchRecipe(budget);
      expect(gained).toBeLessThanOrEqual(gain + 1e-6);
      expect(mostIndependent).toBeLessThanOrEqual(1);
      expect(mostLost).toBeLessThanOrEqual(0.06);
    },
  );
});
