import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { slow } from '#api/testing/slow.ts';
import { attacks, runAttack } from './attacks.ts';

oneDatabase((open) => {
  test(
    'a script that votes from one address for an hour is flagged, and hardly any of its votes count',
    // A thousand votes and 60 runs of the detector.
    { timeout: 120_000, ...slow },
    async () => {
      const { db } = await open();
      const { recorded, flagged, counted } = await runAttack(db, { ...attacks[0]!, minutes: 60 });
      expect(recorded).toBeLessThan(300);
      expect(flagged).toBe(recorded);
      expect(counted).toBeLessThanOrEqual(recorded);
    },
  );
});
