import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { VotingIntake } from './group-commit.ts';

/**
 * The digest of the network (/24 or /48) around an address as 48 bits. Digests of different ISO weeks have different salts,
 * which are deleted afterwards, so that they can't be compared.
 */
export type NetworkDigest = (address: string) => number | Promise<number>;

/** Digests that are kept, so that the networks of many voters are hashed once. */
const digestsKept = 10_000;
const dayMs = 86_400_000;

/** The ISO week of a moment, in weeks since the Monday before 1970. */
export const weekOf = (now: number) => Math.floor((Math.floor(now / dayMs) + 3) / 7);

export function networkDigests(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}): NetworkDigest {
  const { db, clock, intake } = context;
  let current: { readonly week: number; readonly salt: Promise<string> } | null = null;
  /** Those of the current week. */
  let kept: { readonly week: number; readonly digests: Map<string, number> } = { week: 0, digests: new Map() };

  const saltOf = async (week: number) => {
    const stored = () => db('network_salts').where({ week }).first<{ salt: string } | undefined>('salt');
    let row = await stored();
    if (row === undefined) {
      const salt = { week, salt: randomBytes(32).toString('base64'), created_at: clock.now() };
      // Another process may have been faster.
      await intake.runExclusive(() => db('network_salts').insert(salt).onConflict('week').ignore());
      row = await stored();
    }
    return row!.salt;
  };

  return (address) => {
    const subnet = subnetOf(address);
    const week = weekOf(clock.now());
    const known = kept.week === week ? kept.digests.get(subnet) : undefined;
    if (known !== undefined) return known;
    if (current?.week !== week) {
      const salt = saltOf(week);
      const started = { week, salt };
      current = started;
      salt.catch(() => {
        if (current === started) current = null;
      });
    }
    return current.salt.then((salt) => {
      // With SHA-3 the key as a prefix is enough, as for the voter cookie.
      const digest = Number.parseInt(hash('sha3-256', `${salt} ${subnet}`, 'hex').slice(0, 12), 16);
      if (kept.week !== week || kept.digests.size >= digestsKept) kept = { week, digests: new Map() };
      kept.digests.set(subnet, digest);
      return digest;
    });
  };
}

/** Deletes the salts of weeks that are over. */
export async function deleteOldSalts(db: Database, now: number): Promise<void> {
  await db('network_salts').where('week', '<', weekOf(now)).del();
}
