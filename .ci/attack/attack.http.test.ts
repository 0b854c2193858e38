import { describe, expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { slow } from '#api/testing/slow.ts';
import { attacks, runAttack } from './attacks.ts';

oneDatabase((open) => {
  test(
    'a script that votes from one address for an hour is stopped, and all of its votes are flagged',
    // A thousand votes and 60 runs of the detector.
    { timeout: 120_000, ...slow },
    async () => {
      const { db } = await open();
      const { recorded, reviewed } = await runAttack(db, { ...attacks[0]!, minutes: 60 });
      expect(recorded).toBeLessThan(300);
      expect(reviewed).toBe(0);
    },
  );

  describe('once the operator has set aside what is flagged, no more than one false vote per network counts', () => {
    for (const attack of attacks.filter(({ most }) => most !== undefined)) {
      const quick = attack.name.startsWith('19 addresses');
      test(attack.name, { timeout: 600_000, ...(quick ? {} : slow) }, async () => {
        const { db } = await open();
        const { recorded, reviewed, independent } = await runAttack(db, attack);
        expect(recorded).toBeGreaterThanOrEqual(180);
        expect(reviewed).toBeLessThanOrEqual(attack.most!);
        expect(independent ?? 0).toBeLessThanOrEqual(attack.most!);
      });
    }
  });

  describe('all votes of an honest crowd count, and none is flagged', () => {
    for (const crowd of attacks.filter(({ name }) => name.startsWith('(honest)')))
      test(crowd.name, { timeout: 120_000, ...slow }, async () => {
        const { db } = await open();
        const { recorded, counted, reviewed } = await runAttack(db, crowd);
        expect({ recorded, counted, reviewed }).toEqual({ recorded: 2_001, counted: 2_001, reviewed: 2_001 });
      });
  });
});
