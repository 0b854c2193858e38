import { hash } from 'node:crypto';
import { applyMigrations, isSqlite, knownMigrations } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** The migrations of the last release whose votes name ballots by id and voters by unkeyed digests. */
export const earlierMigrations = knownMigrations().filter((name) => name < '027');

/** Ballots, with three options each. */
const ballots = 40;
/** Votes on the same ballots by voter: each votes on every one. */
const votersOf = (votes: number) => Math.ceil(votes / ballots);

/** What identifies the voter with a number in the earlier tables; every third voter has no cookie. */
export function earlierVoter(n: number): { readonly fingerprint: string; readonly cookie: string | null } {
  const digest = hash('sha256', `device ${n}`, 'base64url');
  const hex = hash('sha256', `cookie ${n}`, 'hex').slice(0, 32);
  const times = [(1_780_000_000_000 + n).toString(36), (1_700_000_000 + n).toString(36)];
  return { fingerprint: digest, cookie: n % 3 === 0 ? null : `${times[n % 2]}${hex}` };
}

/**
 * Gives an empty database the schema of the earlier release, with members, polls, this many votes, and half as many voters
 * of deleted ballots, and counters that fit.
 */
export async function fillEarlierRelease(db: Database, votes: number): Promise<void> {
  await applyMigrations(db, earlierMigrations);
  const json = isSqlite(db) ? 'json_each(?)' : 'json_array_elements(?::json)';
  const field = (n: number) => `e.value ->> ${n}`;
  const insert = async (sql: string, rows: readonly unknown[]) => {
    for (let from = 0; from < rows.length; from += 20_000)
      await db.raw(`${sql} from ${json} e`, [JSON.stringify(rows.slice(from, from + 20_000))]);
  };
  const member = (n: number) => `member-${n}`;
  await insert(
    `insert into users (id, username, username_key, email, email_key, password, first_name, created_at, updated_at)
     select ${field(0)}, ${field(0)}, ${field(0)}, ${field(0)}, ${field(0)}, '', '', 0, 0`,
    Array.from({ length: 100 }, (_, n) => [member(n)]),
  );
  const numbers = Array.from({ length: ballots }, (_, n) => n);
  const ballot = (n: number) => `ballot-${n}`;
  await insert(
    `insert into ballots (id, kind, starts_at, ends_at) select ${field(0)}, 'poll', 0, 9000000000000`,
    numbers.map((n) => [ballot(n)]),
  );
  await insert(
    `insert into ballot_options (ballot_id, option_id, position, text, base_votes, votes)
     select ${[0, 1].map(field).join(', ')}, cast(${field(2)} as integer), ${field(1)}, cast(${field(2)} as integer), 10`,
    numbers.flatMap((n) => [0, 1, 2].map((position) => [ballot(n), `option-${position}`, position])),
  );
  const voters = Array.from({ length: votersOf(votes) }, (_, n) => earlierVoter(n));
  const rows = Array.from({ length: votes }, (_, i) => {
    const [n, voter] = [i % ballots, Math.floor(i / ballots)];
    const { fingerprint, cookie } = voters[voter]!;
    return [ballot(n), `option-${(n + voter * 7) % 3}`, fingerprint, cookie, voter < 100 ? member(voter) : null, i];
  });
  await insert(
    `insert into votes (ballot_id, option_id, voter_fingerprint, voter_cookie, user_id, created_at, noted)
     select ${[0, 1, 2, 3, 4].map(field).join(', ')}, cast(${field(5)} as bigint), cast(${field(5)} as bigint) % 2 = 1`,
    rows,
  );
  const gone = Array.from({ length: Math.ceil(votes / 4) }, (_, n) => earlierVoter(1_000_000 + n));
  await insert(
    `insert into voters (voter_key, counted) select ${field(0)}, cast(${field(1)} as integer)`,
    gone.flatMap(({ fingerprint, cookie }) => [...(cookie === null ? [] : [[cookie, 0]]), [fingerprint, 1]]),
  );
  const counted = (columns: string) => `(select count(*) from votes v where ${columns})`;
  await db.raw(
    `update ballot_options set votes = base_votes + ${counted('v.ballot_id = ballot_options.ballot_id and v.option_id = ballot_options.option_id')}`,
  );
  await db.raw(
    `update ballots set base_votes = o.base, total_votes = o.votes
     from (select ballot_id, sum(base_votes) as base, sum(votes) as votes from ballot_options group by ballot_id) o
     where o.ballot_id = id`,
  );
  await db('statistics')
    .where({ shard: 0 })
    .update({
      total_votes: db('ballots').sum('total_votes'),
      imported_votes: db('ballots').sum('base_votes'),
      total_polls: ballots,
      total_participants: voters.length + gone.length,
    });
}
