import { hash, randomBytes } from 'node:crypto';
import { addressesPerSubnet } from '#domain/integrity/marks.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { VotingIntake } from './group-commit.ts';

/**
 * Digests of networks (an IPv4 address, or an IPv6 /48) as 48 bits, of which the first 40 are those of the /24 or /48; see
 * `addressesPerSubnet`. Those of one poll, and those of one week, have a random salt that is deleted at its end, so that
 * nobody can turn them back into networks then, or compare them with others.
 */
export interface NetworkDigests {
  /** For votes on an open ballot: the same for as long as it is open. Null for a ballot that isn’t open. */
  forVotes(ballotId: string, address: string): Promise<number | null>;
  /**
   * The digest of a mailbox on an open ballot, 43 characters: the same until 30 days after the end, when its salt is deleted.
   * Null for a ballot that isn’t open.
   */
  forMailbox(ballotId: string, mailbox: string): Promise<string | null>;
  /** For what members create: the same during an ISO week. */
  readonly forContent: (address: string) => Promise<number>;
}

/** Salts that are kept in memory, and for how many milliseconds; a poll that was reopened gets another salt. */
const kept = { most: 1_000, ms: 3_600_000 } as const;
const dayMs = 86_400_000;

/** The ISO week of a moment, in weeks since the Monday before 1970. */
export const weekOf = (now: number) => Math.floor((Math.floor(now / dayMs) + 3) / 7);

export function networkDigests(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}): NetworkDigests {
  const { db, clock, intake } = context;
  const salts = new Map<string, { readonly until: number; readonly salt: Promise<string | null> }>();

  const stored = async (scope: string) => (await db('digest_salts').where({ scope }).first('salt'))?.salt;

  const read = async (scopeOf: () => Promise<string | null>) => {
    const scope = await scopeOf();
    if (scope === null) return null;
    const salt = await stored(scope);
    if (salt !== undefined) return salt;
    const row = { scope, salt: randomBytes(32).toString('base64'), created_at: clock.now() };
    // Another process may have been faster.
    await intake.runExclusive(() => db('digest_salts').insert(row).onConflict('scope').ignore());
    return (await stored(scope)) ?? null;
  };

  const saltOf = (name: string, scopeOf: () => Promise<string | null>): Promise<string | null> => {
    const now = clock.now();
    const known = salts.get(name);
    if (known !== undefined && now < known.until) return known.salt;
    const salt = read(scopeOf);
    const forget = () => {
      if (salts.get(name)?.salt === salt) salts.delete(name);
    };
    if (salts.size >= kept.most) salts.clear();
    salts.set(name, { until: now + kept.ms, salt });
    salt.then((value) => {
      if (value === null) forget();
    }, forget);
    return salt;
  };

  const saltOfOpen = (kind: string, ballotId: string, scopeOf: (key: number) => string) =>
    saltOf(`${kind} ${ballotId}`, async () => {
      const open = await db('ballots').where({ id: ballotId }).whereNull('closed_at').first('key');
      return open === undefined ? null : scopeOf(open.key);
    });

  return {
    async forVotes(ballotId, address) {
      const salt = await saltOfOpen('ballot', ballotId, ballotScope);
      return salt === null ? null : digestOf(salt, address);
    },
    async forMailbox(ballotId, mailbox) {
      const salt = await saltOfOpen('addresses', ballotId, addressesScope);
      return salt === null ? null : hash('sha3-256', `${salt} ${mailbox}`, 'base64url');
    },
    async forContent(address) {
      const scope = weekScope(weekOf(clock.now()));
      const salt = await saltOf(scope, () => Promise.resolve(scope));
      return digestOf(salt!, address);
    },
  };
}

const ballotScope = (key: number) => `ballot ${key}`;
export const addressesScope = (key: number) => `addresses ${key}`;
const weekScope = (week: number) => `week ${week}`;

function digestOf(salt: string, address: string): number {
  // With SHA-3 the key as a prefix is enough, as for the voter cookie.
  const digest = Number.parseInt(hash('sha3-256', `${salt} ${subnetOf(address)}`, 'hex').slice(0, 12), 16);
  // An address within its /24, shuffled by the digest; a /48 is one network.
  const within = address.includes(':') ? 0 : Number(address.slice(address.lastIndexOf('.') + 1));
  const place = digest % addressesPerSubnet;
  return digest - place + (place ^ within);
}

/**
 * Deletes the salts of weeks that are over, and of polls that are closed or deleted; those of addresses when the poll’s votes
 * are erased, so that a poll that is reopened before still knows which addresses were used.
 */
export async function deleteOldSalts(db: Database, now: number): Promise<void> {
  const scopes = (scopeOf: (key: number) => string, column: string) =>
    db('ballots')
      .whereNull(column)
      .select(db.raw(`'${scopeOf(0).slice(0, -1)}' || key`));
  await db('digest_salts')
    .whereNot({ scope: weekScope(weekOf(now)) })
    .whereNotIn('scope', scopes(ballotScope, 'closed_at'))
    .whereNotIn('scope', scopes(addressesScope, 'erased_at'))
    .del();
}
