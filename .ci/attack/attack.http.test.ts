import { describe, expect, test } from 'vitest';
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

  describe('once the operator has set aside what is flagged, no more than one false vote per address counts', () => {
    const check = async (name: string, addresses: number, tried: number) => {
      const { db } = await open();
      const { recorded, reviewed } = await runAttack(
        db,
        attacks.find((attack) => attack.name === name)!,
      );
      expect(recorded).toBe(tried);
      expect(reviewed).toBeLessThanOrEqual(addresses);
    };
    test('19 addresses, 59 votes each', { timeout: 60_000 }, () => check('19 addresses, 59 votes each', 19, 1_121));

    test.for([
      ['one address, accounts of eight days', 1, 200],
      ['200 addresses, six votes each, 88/8/4', 200, 1_200],
      ['200 addresses, six votes each, the first for another option', 200, 1_200],
      ['200 addresses, five votes each with cookies collected the day before', 200, 1_020],
    ] as const)('%s', { timeout: 600_000, ...slow }, ([name, addresses, tried]) => check(name, addresses, tried));
  });
});
