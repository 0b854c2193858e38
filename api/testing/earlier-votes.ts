import { hash } from 'node:crypto';
import { applyMigrations, isSqlite, knownMigrations } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** The migrations of the last release whose votes name ballots by id and voters by unkeyed digests. */
export const earlierMigrations = knownMigrations().filter((name) => name < '027');

/** Ballots, with three options each. */
const ballots = 40;
const members = 100;
/** Rows per statement. */
const portion = 20_000;

/** What identifies the voter with a number in the earlier tables; every third voter has no cookie. */
function earlierVoter(n: number): { readonly fingerprint: string; readonly cookie: string | null } {
  const times = [(1_780_000_000_000 + n).toString(36), (1_700_000_000 + n).toString(36)];
  return {
    fingerprint: hash('sha256', `device ${n}`, 'base64url'),
    cookie: n % 3 === 0 ? null : `${times[n % 2]}${hash('md5', `cookie ${n}`)}`,
  };
}

/**
 * Gives an empty database the schema of the earlier release, with members, polls, this many votes, a third as many voters
 * of deleted ballots, and counters that fit. Each voter votes on all ballots. `bulk` runs the insertion of the votes.
 */
export async function fillEarlierRelease(
  db: Database,
  votes: number,
  bulk: (insert: () => Promise<void>) => Promise<void> = (insert) => insert(),
): Promise<void> {
  await applyMigrations(db, earlierMigrations);
  const each = isSqlite(db) ? 'json_each(?)' : 'json_array_elements(?::json)';
  const text = (n: number) => `e.value ->> ${n}`;
  const integer = (n: number) => `cast(e.value ->> ${n} as bigint)`;
  const insert = async (sql: string, count: number, rowsOf: (n: number) => readonly (readonly unknown[])[]) => {
    for (let from = 0; from < count; from += portion) {
      const rows = Array.from({ length: Math.min(portion, count - from) }, (_, n) => rowsOf(from + n)).flat();
      await db.raw(`${sql} from ${each} e`, [JSON.stringify(rows)]);
    }
  };
  await insert(
    `insert into users (id, username, username_key, email, email_key, password, first_name, created_at, updated_at)
     select ${[0, 0, 0, 0, 0].map(text).join(', ')}, '', '', 0, 0`,
    members,
    (n) => [[`member-${n}`]],
  );
  await insert(
    `insert into ballots (id, kind, starts_at, ends_at) select ${text(0)}, 'poll', 0, 9000000000000`,
    ballots,
    (n) => [[`ballot-${n}`]],
  );
  await insert(
    `insert into ballot_options (ballot_id, option_id, position, text, base_votes, votes)
     select ${text(0)}, ${text(1)}, ${integer(2)}, ${text(1)}, ${integer(2)}, ${integer(2)}`,
    ballots,
    (n) => [0, 1, 2].map((position) => [`ballot-${n}`, `option-${position}`, position]),
  );
  const voters = Math.ceil(votes / ballots);
  await bulk(() =>
    insert(
      `insert into votes (ballot_id, option_id, voter_fingerprint, voter_cookie, user_id, created_at, noted)
       select ${[0, 1, 2, 3, 4].map(text).join(', ')}, ${integer(5)}, ${integer(5)} % 2 = 1`,
      votes,
      (n) => {
        const [ballot, voter] = [n % ballots, Math.floor(n / ballots)];
        const { fingerprint, cookie } = earlierVoter(voter);
        const member = voter < members ? `member-${voter}` : null;
        return [[`ballot-${ballot}`, `option-${(ballot + voter * 7) % 3}`, fingerprint, cookie, member, n]];
      },
    ),
  );
  const gone = Math.ceil(votes / 5);
  await insert(`insert into voters (voter_key, counted) select ${text(0)}, ${integer(1)}`, gone, (n) => {
    const { fingerprint, cookie } = earlierVoter(voters + n);
    return [...(cookie === null ? [] : [[cookie, 0]]), [fingerprint, 1]];
  });
  await db.raw(
    `update ballot_options set votes = base_votes + v.votes
     from (select ballot_id, option_id, count(*) as votes from votes group by ballot_id, option_id) v
     where v.ballot_id = ballot_options.ballot_id and v.option_id = ballot_options.option_id`,
  );
  await db.raw(
    `update ballots set base_votes = o.base_votes, total_votes = o.votes
     from (select ballot_id, sum(base_votes) as base_votes, sum(votes) as votes from ballot_options group by ballot_id) o
     where o.ballot_id = id`,
  );
  await db('statistics')
    .where({ shard: 0 })
    .update({
      total_votes: db('ballots').sum('total_votes'),
      imported_votes: db('ballots').sum('base_votes'),
      total_polls: ballots,
      total_participants: voters + gone,
    });
}
