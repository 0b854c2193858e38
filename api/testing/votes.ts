import { hash, randomBytes } from 'node:crypto';
import { furtherKeys } from '#api/voting/choices.model.ts';
import { chosenOptions } from '#domain/integrity/marks.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { voterDigests } from '#platform/voter-digest.ts';
import { testNow, testVoterKey } from './test-app.ts';
import type { GeneratedVote } from './vote-traffic.ts';

/** A random digest of a voter. */
export const newDigest = (): string => randomBytes(16).toString('hex');

/** The digest of a device id as an API with this key stores it. */
export const deviceDigest = (deviceId: string, voterKey = testVoterKey): string =>
  voterDigests(voterKey).device(hash('sha256', deviceId, 'base64url'));

/** A vote with its poll and option by their public ids, and digests as 32 hexadecimal digits. */
interface StoredVote {
  readonly ballot_id: string;
  readonly option_id: string;
  readonly device: string;
  readonly cookie: string | null;
  readonly user_id: string | null;
  readonly created_at: number;
}

/** All votes on polls that exist, oldest first. */
export async function storedVotes(db: Database): Promise<StoredVote[]> {
  const rows = await db('votes as v')
    .join('ballots as b', 'b.key', 'v.ballot_key')
    .join('ballot_options as o', 'o.key', 'v.option_key')
    .orderBy('v.id')
    .select<(Omit<StoredVote, 'device' | 'cookie'> & { device: Buffer | string; cookie: Buffer | string | null })[]>(
      ...['b.id as ballot_id', 'o.option_id', 'v.device', 'v.cookie', 'v.user_id', 'v.created_at'],
    );
  const digits = (digest: Buffer | string) =>
    typeof digest === 'string' ? digest.replaceAll('-', '') : digest.toString('hex');
  return rows.map((row) => ({
    ...row,
    device: digits(row.device),
    cookie: row.cookie === null ? null : digits(row.cookie),
  }));
}

/** Inserts a vote without changing any counter. */
export async function seedVote(
  db: Database,
  { ballotId, optionId, userId = null }: { ballotId: string; optionId: string; userId?: string | null },
): Promise<void> {
  const bytes = () => (isSqlite(db) ? randomBytes(16) : newDigest());
  await db('votes').insert({
    ballot_key: db('ballots').where({ id: ballotId }).select('key'),
    option_key: db('ballot_options').where({ ballot_id: ballotId, option_id: optionId }).select('key'),
    ...{ device: bytes(), cookie: bytes(), user_id: userId, created_at: testNow },
  });
}

/** Inserts a day of generated votes that ends at `testNow`, and keeps the counters of votes exact. */
export async function seedTraffic(db: Database, ballotId: string, votes: readonly GeneratedVote[]): Promise<void> {
  const options = await db('ballot_options').where({ ballot_id: ballotId }).orderBy('position').pluck('key');
  const [ballot] = await db('ballots').where({ id: ballotId }).pluck('key');
  const bytes = () => (isSqlite(db) ? randomBytes(16) : newDigest());
  const rows = [...votes]
    .sort((a, b) => a.minute - b.minute)
    .map(({ minute, network, traits, option, further = [] }) => ({
      ...{ ballot_key: ballot, option_key: options[option], device: bytes(), cookie: bytes() },
      ...{ network, traits, created_at: testNow - 86_400_000 + minute * 60_000 },
      further_options: furtherKeys(further.map((place) => options[place]!)),
    }));
  await db.batchInsert('votes', rows, 90);
  for (const [place, key] of options.entries())
    await db('ballot_options')
      .where({ key })
      .increment('votes', votes.filter((vote) => chosenOptions(vote).includes(place)).length);
  await db('ballots').where({ id: ballotId }).increment('total_votes', votes.length);
  await db('statistics').where({ shard: 0 }).increment({ total_votes: votes.length, total_participants: votes.length });
}
